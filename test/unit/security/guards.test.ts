import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { textOf } from '../../../src/history/read.ts';
import { guardedChange } from '../../../src/security/change/guardedChange.ts';
import { guardsOf } from '../../../src/security/change/guards.ts';
import { effectiveAccess, lintRules } from '../../../src/security/index.ts';
import { replaceLiveRule } from '../../../src/writes/liveRuleReplacement.ts';
import type { Write } from '../../../src/writes/operation.ts';
import { ruleSetWrites } from '../../../src/writes/ruleSetWrites.ts';
import { runs } from '../../support/soak.ts';
import { parties, ruleSets } from './ruleSets.ts';

const extract = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const live = { kind: 'live', title: 'Support Desk' } as const;

const create = (rules: readonly JsonObject[]): Write => ({
  endpoint: 'extractRules.create',
  params: {},
  body: rules,
});
const remove = ({ _id: id }: JsonObject): Write => ({
  endpoint: 'extractRules.delete',
  params: { ruleId: textOf(id) },
});
const requests = {
  create,
  remove,
  change: (before: JsonObject, after: JsonObject) => [create([after]), remove(before)],
};

const guardsIn = (writes: readonly Write[]): readonly JsonObject[] =>
  writes
    .filter(({ step, endpoint }) => step === 'guard' && endpoint.endsWith('.create'))
    .flatMap(({ body }) => body as readonly JsonObject[]);

const typesIn = ({ shares }: Readonly<Record<string, unknown>>): readonly unknown[] =>
  (shares as readonly { type: unknown }[]).map(({ type }) => type);

test('property: no rule that guards a change names the default party beside another one', () => {
  fc.assert(
    fc.property(ruleSets('Fact.Region', 'Fact.Segment'), ruleSets('Fact.Region'), (before, after) => {
      const old = before.map((rule, index) => ({ ...rule, _id: `old-${index}` }) as unknown as JsonObject);
      const next = after as unknown as readonly JsonObject[];
      const deletes = old.map((rule, index) => ({ rule, index }));
      const steps = [...old.map((rule) => ({ before: rule })), ...next.map((rule) => ({ after: rule }))];
      const replaced = old.flatMap((rule, index) => replaceLiveRule(live, rule, next[index] ?? rule));
      for (const guard of [
        ...guardedChange({ adds: next, deletes }, extract, { atomic: 1 }).guards,
        ...guardsIn(ruleSetWrites(extract, steps, requests)),
        ...guardsIn(replaced),
      ]) {
        const types = typesIn(guard);
        expect(types.includes('default') ? types : ['default']).toEqual(['default']);
      }
    }),
    { numRuns: runs(100) },
  );
});

test('property: guards let nobody whom the rules name see anything, and are good rules', () => {
  fc.assert(
    fc.property(ruleSets('Fact.Region'), fc.integer({ min: 1, max: 4 }), (rules, sharesPerGuard) => {
      const guards = guardsOf(rules, 'extract', sharesPerGuard);
      expect(lintRules(guards).filter(({ severity }) => severity === 'error')).toEqual([]);
      for (const party of parties) {
        const isNamed = rules.some(({ shares }) =>
          (shares ?? []).some(
            ({ type, party: a, partyId: b }) =>
              type === 'default' ||
              (type === 'user' ? (a ?? b) === party.userId : party.groupIds.includes(a ?? b ?? '')),
          ),
        );
        const [access] = effectiveAccess([...rules, ...guards], party, { groups: 'union' });
        if (isNamed) {
          expect(access?.verdict).toBe('none');
        }
      }
    }),
    { numRuns: runs(100) },
  );
});

describe('a live rule that is replaced', () => {
  const rule = { _id: 'r1', table: 'T', column: 'C', datatype: 'text', members: ['a'], allMembers: null };
  const of = (...types: readonly string[]) => ({
    ...rule,
    shares: types.map((type) => (type === 'default' ? { type } : { type, partyId: 'x' })),
  });
  const guards = (old: JsonObject, next: JsonObject) =>
    guardsIn(replaceLiveRule(live, old, next)).map(typesIn);

  test('needs one guard, and so four requests, as long as the default party stands alone', () => {
    expect(guards(of('group'), of('user'))).toEqual([['group', 'user']]);
    expect(guards(of('default'), of('default'))).toEqual([['default']]);
    expect(guards(of('group'), of('default'))).toEqual([['group']]);
    expect(guards(of('default'), of('group'))).toEqual([['group']]);
    expect(replaceLiveRule(live, of('group'), of('default'))).toHaveLength(4);
  });

  test('needs two where the default party stands beside others, against the spec: five requests', () => {
    const writes = replaceLiveRule(live, of('group', 'default'), of('default'));
    expect(guardsIn(writes).map(typesIn)).toEqual([['group'], ['default']]);
    expect(writes.map(({ endpoint, step }) => `${step} ${endpoint}`)).toEqual([
      'guard liveRules.create',
      'replaced liveRules.create',
      'replaced liveRules.delete',
      'guard liveRules.delete',
      'guard liveRules.delete',
    ]);
  });
});
