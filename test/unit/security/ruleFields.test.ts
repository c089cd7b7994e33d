import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getGrant, readRules } from '../../../src/security/readRules.ts';
import {
  createContentFields,
  createShareFields,
  getBindingFields,
} from '../../../src/security/ruleFields.ts';
import type { ValueSet } from '../../../src/security/valueSet.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const only = (...values: readonly string[]): ValueSet => ({ kind: 'only', values: new Set(values) });
const except = (...values: readonly string[]): ValueSet => ({ kind: 'except', values: new Set(values) });

describe('the fields of a rule (rest-api.md, "Data security rule")', () => {
  it.each([
    [only('A'), { members: ['A'], allMembers: null, exclusionary: false }],
    [except('A'), { members: ['A'], allMembers: null, exclusionary: true }],
    [except(), { members: [], allMembers: true, exclusionary: false }],
    [only(), { members: [], allMembers: false, exclusionary: false }],
  ])('of the grant %o are those that the guide describes', (grant, fields) => {
    expect(createContentFields(grant, 'extract')).toEqual(fields);
    // A live rule has the last field only if it hides values.
    const { exclusionary, ...others } = fields;
    expect(createContentFields(grant, 'live')).toEqual(exclusionary ? fields : others);
  });

  it('of a party depend on the kind of datamodel', () => {
    const party = { type: 'user', id: 'anna' };
    expect(createShareFields(party, 'extract')).toEqual({ party: 'anna', type: 'user' });
    expect(createShareFields(party, 'live')).toEqual({ partyId: 'anna', type: 'user' });
    expect(createShareFields({ type: 'default' }, 'extract')).toEqual({ type: 'default' });
    expect(createShareFields({ type: 'default' }, 'live')).toEqual({ type: 'default' });
  });

  it('bind it to its datamodel', () => {
    expect(getBindingFields({ kind: 'live', title: 'Support' })).toEqual({
      fullname: 'live:Support',
      live: true,
    });
    expect(getBindingFields({ kind: 'extract', server: 'set', elasticube: 'All' })).toEqual({
      server: 'set',
      elasticube: 'All',
    });
  });

  it('property: are read back as they were meant', () => {
    const grants = fc
      .tuple(fc.boolean(), fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 4 }))
      .map(([isExcept, values]) => (isExcept ? except(...values) : only(...values)));
    const shares = fc.uniqueArray(
      fc.oneof(
        fc.record({ type: fc.constantFrom('user', 'group'), id: fc.stringMatching(/^[a-z]{1,8}$/) }),
        fc.constant({ type: 'default' }),
      ),
      { minLength: 1, maxLength: 3, selector: (share) => JSON.stringify(share) },
    );
    fc.assert(
      fc.property(grants, shares, fc.constantFrom('extract', 'live'), (grant, parties, kind) => {
        const rule = {
          table: 'Stores',
          column: 'Region',
          ...createContentFields(grant, kind),
          shares: parties.map((party) => createShareFields(party, kind)),
        };
        expect(getGrant(rule)).toEqual(grant);
        expect(readRules([rule])).toMatchObject([{ grant, parties }]);
      }),
      { numRuns: getPropertyRuns(200) },
    );
  });
});
