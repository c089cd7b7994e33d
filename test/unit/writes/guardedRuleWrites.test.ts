import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { effectiveAccess } from '../../../src/security/index.ts';
import { guardedRuleWrites } from '../../../src/writes/guardedRuleWrites.ts';
import { replaceLiveRule } from '../../../src/writes/liveRuleReplacement.ts';
import type { Write } from '../../../src/writes/operation.ts';
import { runs } from '../../support/soak.ts';
import { parties, ruleSets, values } from '../security/ruleSets.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

type Rules = readonly JsonObject[];

/** Every list of rules that the server holds on the way, however requests are split. */
function* statesOf(rules: Rules, writes: readonly Write[]): Generator<Rules> {
  let now = rules;
  const made = new Map<number, readonly string[]>();
  for (const [index, { endpoint, body, batch, params, made: fromAnswer = [] }] of writes.entries()) {
    if (endpoint.endsWith('.update')) {
      now = now.map((rule) => (rule['_id'] === params['ruleId'] ? (body as JsonObject) : rule));
      yield now;
    } else if (endpoint.endsWith('.create')) {
      const fresh = (body as Rules).map((rule, place) => ({ ...rule, _id: `new-${index}-${place}` }));
      made.set(
        index,
        fresh.map(({ _id }) => _id),
      );
      for (const rule of fresh) {
        now = [...now, rule];
        yield now;
      }
    } else {
      const answered = fromAnswer.map(({ write, from: [place] }) => made.get(write)?.[Number(place)]);
      const ids = [
        ...(batch?.ids ?? (params['ruleId'] === undefined ? [] : [params['ruleId']])),
        ...(batch?.madeBy ?? []).flatMap((maker) => made.get(maker) ?? []),
        ...answered,
      ];
      for (const id of ids) {
        now = now.filter((rule) => rule['_id'] !== id);
        yield now;
      }
    }
  }
}

type Person = (typeof parties)[number];

/** The values of the column that somebody sees; what is in doubt counts as seen. */
function seen(rules: Rules, party: Person, groups: 'union' | 'intersection'): ReadonlySet<string | null> {
  const [access] = effectiveAccess(rules, party, { groups });
  const named = new Set<string | null>(access?.values);
  const all = [...values, null];
  switch (access?.verdict) {
    case 'none':
      return new Set();
    case 'only':
      return new Set(all.filter((value) => named.has(value)));
    case 'except':
      return new Set(all.filter((value) => !named.has(value)));
    case 'all':
    case 'ambiguous':
    case undefined:
      return new Set(all);
  }
}

const sets = ruleSets('Fact.Region').map((rules) =>
  rules.filter(({ shares }) => (shares ?? []).length > 0),
) as unknown as fc.Arbitrary<Rules>;

/** Nobody sees on the way what neither the first state nor the last shows. */
function expectNothingNew(old: Rules, states: readonly Rules[]): void {
  const last = states.at(-1) ?? old;
  for (const party of parties) {
    for (const groups of ['union', 'intersection'] as const) {
      const allowed = seen(old, party, groups).union(seen(last, party, groups));
      for (const now of states) {
        expect(seen(now, party, groups).isSubsetOf(allowed)).toBe(true);
      }
    }
  }
}

const named = (rules: Rules) => rules.map((rule, index) => ({ ...rule, _id: `old-${index}` }));

test('property: rules that come, go and change at once show nobody what neither state shows', () => {
  fc.assert(
    fc.property(sets, sets, fc.nat(3), fc.nat(3), (before, after, kept, updated) => {
      const old = named(before);
      const updates = old.slice(kept, kept + updated).flatMap((was, index) => {
        const is = after[index];
        return is === undefined ? [] : [{ before: was, after: { ...is, _id: was._id } }];
      });
      const adds = after.slice(updates.length);
      const deletes = old.slice(kept + updated).map((rule, index) => ({ rule, index }));
      const writes = guardedRuleWrites(subject, { adds, deletes, updates }, 400);
      expectNothingNew(old, [...statesOf(old, writes)]);
    }),
    { numRuns: runs(100) },
  );
});

test('property: a live rule that is replaced among others shows nobody what neither rule shows', () => {
  const live = { kind: 'live', title: 'Support Desk' } as const;
  const some = sets.filter(({ length }) => length > 0);
  fc.assert(
    fc.property(some, some, (before, [next = {}]) => {
      const old = named(before);
      expectNothingNew(old, [...statesOf(old, replaceLiveRule(live, old[0] ?? {}, next))]);
    }),
    { numRuns: runs(200) },
  );
});
