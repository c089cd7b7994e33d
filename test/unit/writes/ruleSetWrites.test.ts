import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { textOf } from '../../../src/history/read.ts';
import { effectiveAccess } from '../../../src/security/index.ts';
import type { Write } from '../../../src/writes/operation.ts';
import { type RuleRequests, type RuleStep, ruleSetWrites } from '../../../src/writes/ruleSetWrites.ts';
import { runs } from '../../support/soak.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

const deletion = (rule: JsonObject): Write => ({
  endpoint: 'extractRules.delete',
  params: { ruleId: textOf(rule['_id']) },
});
const extract: RuleRequests = {
  create: (rules) => ({ endpoint: 'extractRules.create', params: {}, body: rules }),
  change: (before, after) => [
    { endpoint: 'extractRules.update', params: { ruleId: textOf(before['_id']) }, body: after },
  ],
  remove: deletion,
};
/** Live rules have no update. */
const live: RuleRequests = {
  ...extract,
  change: (before, after) => [extract.create([after]), deletion(before)],
};

type Rules = readonly JsonObject[];

/** Every list of rules that the server holds on the way; rules of one request come one after the other. */
function* statesOf(rules: Rules, writes: readonly Write[], reversed: boolean): Generator<Rules> {
  let now = rules;
  const made = new Map<number, string>();
  for (const [index, write] of writes.entries()) {
    if (write.endpoint.endsWith('.create')) {
      const body = write.body as Rules;
      for (const [place, rule] of (reversed ? body.toReversed() : body).entries()) {
        const id = `new-${index}-${place}`;
        made.set(index, id);
        now = [...now, { ...rule, _id: id }];
        yield now;
      }
      continue;
    }
    const [from] = write.made ?? [];
    const ruleId = from === undefined ? write.params['ruleId'] : made.get(from.write);
    expect(now.some(({ _id }) => _id === ruleId)).toBe(true);
    const changed = { ...(write.body as JsonObject), _id: ruleId ?? '' };
    now = write.endpoint.endsWith('.update')
      ? now.map((rule) => (rule['_id'] === ruleId ? changed : rule))
      : now.filter(({ _id }) => _id !== ruleId);
    yield now;
  }
}

const values = ['a', 'b', 'c', 'other'];
const users = [undefined, 'u1', 'u2', 'u3'];
const groups = [[], ['g1'], ['g2'], ['g1', 'g2']];
const people = users.flatMap((userId) =>
  groups.map((groupIds) => ({ groupIds, ...(userId === undefined ? {} : { userId }) })),
);

function seen(rules: Rules, party: (typeof people)[number], mode: 'union' | 'intersection'): Set<string> {
  const [access] = effectiveAccess(rules, party, { groups: mode });
  const named = new Set(access?.values);
  switch (access?.verdict) {
    case 'none':
      return new Set();
    case 'only':
      return new Set(values.filter((value) => named.has(value)));
    case 'except':
      return new Set(values.filter((value) => !named.has(value)));
    case 'all':
    case 'ambiguous':
    case undefined:
      return new Set(values);
  }
}

const party = fc.constantFrom<JsonValue>(
  { type: 'user', party: 'u1' },
  { type: 'user', party: 'u2' },
  { type: 'group', party: 'g1' },
  { type: 'group', party: 'g2' },
);
const shares = fc.oneof(
  { weight: 3, arbitrary: fc.uniqueArray(party, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant<JsonValue[]>([{ type: 'default' }]) },
);
const content = fc.oneof(
  fc.constantFrom(
    { members: [], allMembers: true, exclusionary: false },
    { members: [], allMembers: false, exclusionary: false },
  ),
  fc
    .tuple(fc.subarray(['a', 'b', 'c'], { minLength: 1 }), fc.boolean())
    .map(([members, exclusionary]) => ({ members, allMembers: null, exclusionary })),
);
const rule = fc
  .tuple(content, shares)
  .map(
    ([what, whose]): JsonObject => ({ table: 'T', column: 'C', datatype: 'text', ...what, shares: whose }),
  );
/** Some rules stay, others change, go, or come. */
const step = fc.oneof(
  fc.record({ before: rule }),
  fc.record({ after: rule }),
  fc.record({ before: rule, after: rule }),
);

test.each([
  ['rules with an update', extract],
  ['rules without', live],
])('nobody sees on the way what neither state shows: %s', (_what, requests) => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 4 }),
      fc.array(rule, { maxLength: 2 }),
      fc.boolean(),
      (drafts, kept, reversed) => {
        const steps: readonly RuleStep[] = drafts.map(({ before, after }: RuleStep, index) => ({
          ...(before === undefined ? {} : { before: { ...before, _id: `old-${index}` } }),
          ...(after === undefined ? {} : { after }),
        }));
        const stays = kept.map((one, index) => ({ ...one, _id: `kept-${index}` }));
        const old = [...stays, ...steps.map(({ before }) => before).filter((one) => one !== undefined)];
        const next = [...stays, ...steps.map(({ after }) => after).filter((one) => one !== undefined)];
        const writes = ruleSetWrites(subject, steps, requests);
        let last: Rules = old;
        for (const now of statesOf(old, writes, reversed)) {
          last = now;
          for (const one of people) {
            for (const mode of ['union', 'intersection'] as const) {
              const allowed = seen(old, one, mode).union(seen(next, one, mode));
              expect(seen(now, one, mode).isSubsetOf(allowed)).toBe(true);
            }
          }
        }
        const plain = (rules: Rules) => rules.map(({ _id, ...rest }) => JSON.stringify(rest)).sort();
        expect(plain(last)).toEqual(plain(next));
      },
    ),
    { numRuns: runs(100) },
  );
});

describe('a guard is put up only where it is needed', () => {
  const of = (...parties: readonly string[]): JsonObject => ({
    table: 'T',
    column: 'C',
    members: ['a'],
    allMembers: null,
    shares: parties.map((name) =>
      name === 'default' ? { type: name } : { type: name.startsWith('g') ? 'group' : 'user', party: name },
    ),
  });
  const actions = (steps: readonly RuleStep[]): readonly string[] =>
    ruleSetWrites(subject, steps, extract).map(
      ({ endpoint, step: kind = 'own' }) => `${kind} ${endpoint.split('.')[1]}`,
    );
  const old = (rule_: JsonObject, id: string) => ({ ...rule_, _id: id });

  test('not for one request', () => {
    expect(actions([{ after: of('g1') }])).toEqual(['own create']);
    expect(actions([{ before: old(of('g1'), '1'), after: of('g2') }])).toEqual(['own update']);
  });

  test('not for users who have nothing to do with each other', () => {
    expect(actions([{ before: old(of('u1'), '1'), after: of('u1') }, { after: of('u2') }])).toEqual([
      'own create',
      'own update',
    ]);
  });

  test('not for users around one rule that goes on for whom it was for', () => {
    const changed = { before: old(of('g1', 'u3'), '1'), after: of('u3', 'g1') };
    expect(actions([{ before: old(of('u1'), '2') }, changed, { after: of('u2') }])).toEqual([
      'own create',
      'own update',
      'own delete',
    ]);
    expect(actions([changed, { after: of('u3') }])).toHaveLength(4);
  });

  test('not for the default and one other, which join before it changes and leave after', () => {
    const changed = { before: old(of('default'), '1'), after: of('default') };
    expect(actions([changed, { after: of('g1') }])).toEqual(['own create', 'own update']);
    expect(actions([{ before: old(of('g1'), '2') }, changed])).toEqual(['own update', 'own delete']);
  });

  test('for groups, in which the same people may be', () => {
    expect(actions([{ after: of('g1') }, { before: old(of('g2'), '1') }])).toEqual([
      'guard create',
      'own create',
      'own delete',
      'guard delete',
    ]);
  });

  test('one for the default and one for all others', () => {
    const steps = [{ after: of('g1') }, { after: of('u1') }, { before: old(of('default'), '1') }];
    expect(actions(steps).filter((action) => action.startsWith('guard'))).toEqual([
      'guard create',
      'guard create',
      'guard delete',
      'guard delete',
    ]);
  });
});
