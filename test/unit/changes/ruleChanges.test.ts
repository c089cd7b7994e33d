import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { changeRules } from '../../../src/changes/rules/changeRules.ts';
import { toParsedRules, fulfills, getSpotKey } from '../../../src/changes/rules/parsedRule.ts';
import { createReverseTarget } from '../../../src/changes/rules/reverseTarget.ts';
import { RulesChangedError, RulesDifferError } from '../../../src/changes/rules/ruleItems.ts';
import type { RuleServerFacts } from '../../../src/changes/rules/rulePhase.ts';
import {
  RuleChangeRefusedError,
  type RuleEdit,
  type RuleTarget,
  createRuleTarget,
} from '../../../src/changes/rules/ruleTarget.ts';
import {
  FakeFailure,
  getFakeFailure,
  FakeRuleServer,
  type FakeRuleFault,
  type FakeSameShares,
} from '../../fakes/fakeRuleServer.ts';
import { isSoak } from '../../support/soak.ts';
import { getAllowedRows, getVisibleRows, findWiderAccess } from '../../support/ruleRows.ts';
import { edits as getEdits, type Kind, rule, getRules } from './arbitraryRules.ts';

/** Few in the gate; in a soak 20,000 changes per interpretation, each with every fault at every request. */
const numRuns = isSoak ? 20_000 : 150;

/** A rule in short form: `d` is everyone else; a leading `-` hides the values, no values at all show everything. */
function createRule(kind: Kind, id: string, column: string, parties: string, values?: string): JsonObject {
  const shares = parties.split(' ').map((name) => {
    const type = { d: 'default', g: 'group', u: 'user' }[name[0] ?? ''] ?? '';
    return type === 'default' ? { type } : { type, [kind === 'live' ? 'partyId' : 'party']: name };
  });
  return {
    _id: id,
    table: 'T',
    column,
    datatype: 'text',
    members: (values ?? '').replace('-', '').split(''),
    allMembers: values === undefined ? true : values === '' ? false : null,
    exclusionary: values?.startsWith('-') === true,
    ...(kind === 'live' ? { live: true, fullname: 'live:M' } : {}),
    shares,
  };
}

/** Cases found by soaks, one in ten thousand changes each; run under every interpretation. */
const found: readonly Pick<Case, 'kind' | 'isStrict' | 'deletes' | 'rules' | 'edits'>[] = [
  (() => {
    // Two equal rules both seem to have no effect, as long as the other exists.
    const [first, second] = ['a', 'b'].map((id) => createRule('live', id, 'C', 'u1 g1 g2', '-abc'));
    const after = createRule('live', 'a', 'C', 'u1', 'a');
    const edits = [
      { before: first, after, write: 0 },
      { before: second, write: 0 },
    ] as const;
    return { kind: 'live', isStrict: false, deletes: true, rules: [first ?? {}, second ?? {}], edits };
  })(),
  (() => {
    // A user's own rule does not narrow a group's access if another rule names the user too.
    const [group, own, both] = [
      createRule('extract', 'a', 'D', 'u1 g2 g1', 'b'),
      createRule('extract', 'b', 'D', 'u2'),
      createRule('extract', 'c', 'D', 'g2 u1 u2', 'bc'),
    ];
    const after = createRule('extract', 'a', 'D', 'u1 g2 g1', '-b');
    const edits = [
      { before: group, after, write: 0 },
      { before: own, write: 0 },
    ];
    return { kind: 'extract', isStrict: false, deletes: true, rules: [group, own, both], edits };
  })(),
  (() => {
    const both = createRule('extract', 'a', 'D', 'u1 g1 u2', 'c');
    const group = createRule('extract', 'b', 'D', 'g2', 'ab');
    const edits = [
      { before: group, after: createRule('extract', 'b', 'D', 'g2', '-b'), write: 0 },
      { after: createRule('extract', '', 'D', 'u1'), write: 0 },
    ];
    return { kind: 'extract', isStrict: false, deletes: true, rules: [both, group], edits };
  })(),
];

const unknown: RuleServerFacts = { alwaysAdds: false, rejectsSecondRule: false, canDeleteSingleRules: false };

interface Case {
  readonly kind: Kind;
  readonly isStrict: boolean;
  readonly takesSameBeside: boolean;
  /** The server is known to delete single rules. */
  readonly deletes: boolean;
  readonly sameShares: FakeSameShares | 'changing';
  readonly rules: readonly JsonObject[];
  readonly edits: readonly RuleEdit[];
}

const cases = (sameShares: Case['sameShares']): fc.Arbitrary<Case> =>
  fc
    .record({
      kind: fc.constantFrom<Kind>('extract', 'live'),
      isStrict: fc.boolean(),
      takesSameBeside: fc.boolean(),
      deletes: fc.boolean(),
    })
    .chain(({ kind, isStrict, takesSameBeside, deletes }) => {
      const strict = kind === 'live' && isStrict;
      return getRules(kind, strict || sameShares !== 'add').chain((rules) =>
        getEdits(kind, rules, strict).map((edits) => ({
          kind,
          isStrict: strict,
          takesSameBeside,
          deletes,
          sameShares,
          rules,
          edits,
        })),
      );
    });

function serverFor({ kind, isStrict, takesSameBeside, sameShares, rules }: Case): FakeRuleServer {
  const readings: readonly FakeSameShares[] = ['add', 'overwrite', 'overwrite-new-id'];
  return new FakeRuleServer(rules, {
    kind,
    isStrict,
    allowsDuplicateParties: takesSameBeside,
    sameShares: (request) =>
      sameShares === 'changing' ? (readings[(request * 7 + rules.length) % 3] ?? 'add') : sameShares,
  });
}

/** The outcome of an attempt; `stopped` contains the reason. */
type Outcome = 'done' | 'refused' | 'stopped' | 'changed-by-others';

class Attempt {
  readonly server: FakeRuleServer;
  readonly target: RuleTarget;
  readonly denied = new Set<string>();
  readonly made = new Set<string>();
  facts = unknown;

  constructor(one: Case) {
    this.facts = { ...unknown, canDeleteSingleRules: one.deletes };
    this.server = serverFor(one);
    this.target = createRuleTarget(one.kind, one.rules, one.edits);
  }

  async run(target = this.target): Promise<Outcome> {
    try {
      await changeRules(this.server, target, {
        facts: this.facts,
        onFacts: (facts) => {
          this.facts = facts;
        },
        denySpots: [...this.denied],
        createdIds: [...this.made],
        onMade: (ids) => {
          ids.forEach((id) => this.made.add(id));
          return Promise.resolve();
        },
        onDeny: (spots) => {
          spots.forEach((spot) => this.denied.add(spot));
          return Promise.resolve();
        },
        classifyFailure: getFakeFailure,
      });
      return 'done';
    } catch (error) {
      if (error instanceof RuleChangeRefusedError) {
        return this.server.states.length === 1 ? 'refused' : 'stopped';
      }
      if (error instanceof RulesChangedError) {
        return 'changed-by-others';
      }
      if (error instanceof FakeFailure || error instanceof RulesDifferError) {
        return 'stopped';
      }
      throw error;
    }
  }

  rollBack(): Promise<Outcome> {
    return this.run(
      createReverseTarget(toParsedRules(this.server.rules), this.target, this.denied, this.made),
    );
  }

  isIntended(): boolean {
    return this.#areOwn(this.target.wantedRules.map(({ parsed }) => parsed.rule));
  }

  isFormer(): boolean {
    return this.#areOwn([...this.target.previousById.values()].map(({ rule }) => rule));
  }

  #areOwn(rules: readonly JsonObject[]): boolean {
    const own = toParsedRules(this.server.rules).filter(({ columnKey }) =>
      this.target.columnKeys.has(columnKey),
    );
    return areSame(
      own.map(({ rule }) => rule),
      rules,
    );
  }
}

function areSame(a: readonly JsonObject[], b: readonly JsonObject[]): boolean {
  const [left, right] = [[...toParsedRules(a)], toParsedRules(b)];
  return (
    left.length === right.length &&
    right.every((rule) => {
      const at = left.findIndex((one) => fulfills(one, rule));
      left.splice(at, at === -1 ? 0 : 1);
      return at !== -1;
    })
  );
}

const columnsWithout = (rules: readonly JsonObject[]): ReadonlySet<string> =>
  new Set(['C', 'D'].filter((column) => !rules.some((rule) => rule['column'] === column)));

/** A rule on one line. */
function decodeText(rule: JsonObject): string {
  const { _id, column, members, allMembers, exclusionary } = rule;
  const said =
    allMembers === true ? 'all' : `${exclusionary === true ? 'not' : ''}${JSON.stringify(members)}`;
  const parties = toParsedRules([rule]).flatMap((held) => held.parties.map(({ type, id = type }) => id));
  return `${JSON.stringify(_id)}:${JSON.stringify(column)}:${parties.join('+')}${said}`;
}

const formatLine = (rules: readonly JsonObject[]): string => rules.map(decodeText).join('  ');

const story = (one: Case, fault: FakeRuleFault | undefined, { server }: Attempt): string =>
  [
    `${one.kind} strict ${String(one.isStrict)} ${one.sameShares} ${JSON.stringify(fault)}`,
    ...one.edits.map(
      ({ before, after }) =>
        `${before ? decodeText(before) : 'none'} -> ${after ? decodeText(after) : 'none'}`,
    ),
    ...server.states.map(formatLine),
  ].join('\n');

/** All intended rules. */
const wantedIn = ({ rules }: Pick<Case, 'rules'>, target: RuleTarget): readonly JsonObject[] => [
  ...rules.filter((rule) =>
    toParsedRules([rule]).every(({ columnKey }) => !target.columnKeys.has(columnKey)),
  ),
  ...target.wantedRules.map(({ parsed, previous }) => ({ ...parsed.rule, _id: previous?.id ?? '' })),
];

/** @throws if at any moment a party sees what neither the former nor the intended rules show */
function checkMoments({ server, target }: Attempt): void {
  const wanted = wantedIn({ rules: server.states[0] ?? [] }, target);
  const before = server.states[0] ?? [];
  const allowed = getAllowedRows(getVisibleRows(before), getVisibleRows(wanted));
  const isOpen = columnsWithout(wanted).union(columnsWithout(before));
  for (const [moment, state] of server.states.entries()) {
    const wider = findWiderAccess(getVisibleRows(state), allowed);
    expect(
      wider,
      `moment ${moment} of ${server.states.map(formatLine).join('\n')}\nwanted ${formatLine(wanted)}`,
    ).toEqual([]);
    expect(columnsWithout(state).isSubsetOf(isOpen), `moment ${moment} leaves a column without a rule`).toBe(
      true,
    );
  }
}

async function getFaults(one: Case): Promise<readonly (FakeRuleFault | undefined)[]> {
  const probe = new Attempt(one);
  await probe.run();
  return [
    undefined,
    ...Array.from({ length: probe.server.requests }, (_none, at) =>
      (['killed', 'lost', 'lost-before', 'refused'] as const).map((what) => ({ at, what })),
    ).flat(),
  ];
}

describe.each(['add', 'overwrite', 'overwrite-new-id', 'changing'] as const)(
  'where a POST for the same parties is interpreted as %s',
  (sameShares) => {
    test('a change of rules ends as intended, as before, or stops without showing more, at every fault', async () => {
      const seen: Record<string, number> = {};
      await fc.assert(
        fc.asyncProperty(cases(sameShares), fc.boolean(), async (one, resumes) => {
          for (const fault of await getFaults(one)) {
            const attempt = new Attempt(one);
            attempt.server.fault = fault;
            const first = await attempt.run();
            attempt.server.fault = undefined;
            const end = first === 'stopped' ? await (resumes ? attempt.run() : attempt.rollBack()) : first;
            checkMoments(attempt);
            const isWanted = resumes || first === 'done' ? attempt.isIntended() : attempt.isFormer();
            if (first === 'refused') {
              expect(attempt.server.states).toHaveLength(1);
            } else if (end === 'done') {
              expect(isWanted, story(one, fault, attempt)).toBe(true);
            }
            const key = `${one.isStrict ? 'strict ' : ''}${first} ${end}`;
            seen[key] = (seen[key] ?? 0) + 1;
          }
        }),
        {
          numRuns,
          examples: found.flatMap((one): [Case, boolean][] =>
            [true, false].map((resumes) => [{ ...one, takesSameBeside: true, sameShares }, resumes]),
          ),
        },
      );
      const { 'done done': done = 0, ...others } = seen;
      // Faults and changes without a safe order account for the rest.
      expect(done, JSON.stringify(others)).toBeGreaterThan(numRuns);
    });
  },
);

/** A change to the rules by another user, once. */
interface Stranger {
  readonly at: number;
  readonly what: 'add' | 'delete' | 'change';
  readonly index: number;
  readonly rule: JsonObject;
}

/** A case found by soaks: a rule of another user was denied for a while, and was never restored. */
const foundBeside: readonly { readonly one: Omit<Case, 'sameShares'>; readonly stranger: Stranger }[] =
  (() => {
    const [shared, everyone] = [
      createRule('live', 'b', 'C', 'u2 g2 g1', '-a'),
      createRule('live', 'a', 'C', 'd', ''),
    ];
    const joined = createRule('live', 'c', 'C', 'u2 g1', '-ab');
    const strict = { kind: 'live', isStrict: true, takesSameBeside: false, deletes: false } as const;
    const cases: readonly (readonly [Pick<Case, 'rules' | 'edits'>, string])[] = [
      [
        {
          rules: [everyone, shared],
          edits: [
            { before: everyone, write: 0 },
            { before: shared, after: createRule('live', '', 'C', 'g1'), write: 0 },
            { after: createRule('live', '', 'C', 'd', ''), write: 0 },
          ],
        },
        '',
      ],
      [
        {
          rules: [joined, createRule('live', 'd', 'C', 'd', 'abc')],
          edits: [
            { before: joined, write: 0 },
            { after: createRule('live', '', 'C', 'u2 g2', 'ab'), write: 0 },
          ],
        },
        'b',
      ],
    ];
    return cases.map(([some, values]) => ({
      one: { ...strict, ...some },
      stranger: {
        at: 1,
        what: 'add',
        index: 0,
        rule: createRule('live', '', 'C', 'u1', values === '' ? undefined : values),
      },
    }));
  })();

/** The rules after another user's change, whether based on the former, the intended or any intermediate rules. */
function afterStranger(
  rules: readonly JsonObject[],
  { what, index, rule }: Stranger,
  former: readonly JsonObject[],
): readonly JsonObject[] {
  const id = former[index % Math.max(1, former.length)]?.['_id'];
  if (what === 'add' || id === undefined) {
    return [...rules, { ...rule, _id: 'stranger' }];
  }
  const { members = [], allMembers = null, exclusionary = false } = rule;
  return what === 'delete'
    ? rules.filter((one) => one['_id'] !== id)
    : rules.map((one) => (one['_id'] === id ? { ...one, members, allMembers, exclusionary } : one));
}

describe.each(['add', 'overwrite', 'overwrite-new-id'] as const)(
  'where another user changes the rules meanwhile, and a POST is interpreted as %s',
  (sameShares) => {
    test("our change shows nothing more to anyone, and the other user's change is not lost silently", async () => {
      const ends = new Set<string>();
      await fc.assert(
        fc.asyncProperty(
          cases(sameShares).chain((one) =>
            fc.record({
              one: fc.constant(one),
              stranger: fc.record({
                at: fc.nat(4),
                what: fc.constantFrom('add', 'delete', 'change'),
                index: fc.nat(9),
                rule: rule(one.kind),
              }),
            }),
          ),
          async ({ one, stranger }) => {
            const attempt = new Attempt(one);
            const { server, target } = attempt;
            let actedAt = Number.POSITIVE_INFINITY;
            server.before = (request) => {
              if (
                request === stranger.at &&
                actedAt === Number.POSITIVE_INFINITY &&
                server.accepts(stranger.rule)
              ) {
                actedAt = server.states.length;
                server.setRules(afterStranger(server.rules, stranger, one.rules));
              }
            };
            const outcome = await attempt.run();
            const wanted = wantedIn(one, target);
            const bases = [one.rules, wanted].flatMap((rules) => [
              rules,
              afterStranger(rules, stranger, one.rules),
            ]);
            const allowed = bases.map(getVisibleRows).reduce(getAllowedRows);
            // A change between a read and its resulting requests cannot be known; after the next read it is.
            const known = server.statesAtList.find((at) => at > actedAt) ?? server.states.length;
            let before = findWiderAccess(getVisibleRows(server.states[known] ?? server.rules), allowed);
            for (const state of server.states.slice(known)) {
              const wider = findWiderAccess(getVisibleRows(state), allowed);
              const more = wider.filter((text) => !before.includes(text));
              expect(more, `${JSON.stringify(stranger)}\n${story(one, undefined, attempt)}`).toEqual([]);
              before = wider;
            }
            const isApart = target.wantedRules.every(
              ({ parsed }) => getSpotKey(parsed) !== toParsedRules([stranger.rule]).map(getSpotKey)[0],
            );
            if (
              outcome === 'done' &&
              actedAt < Number.POSITIVE_INFINITY &&
              stranger.what === 'add' &&
              isApart
            ) {
              expect(
                server.rules.some(({ _id }) => _id === 'stranger'),
                story(one, undefined, attempt),
              ).toBe(true);
            }
            ends.add(`${outcome} ${actedAt < Number.POSITIVE_INFINITY}`);
          },
        ),
        {
          numRuns,
          examples: foundBeside.map(({ one, stranger }): [{ one: Case; stranger: Stranger }] => [
            { one: { ...one, sameShares }, stranger },
          ]),
        },
      );
      expect([...ends].toSorted()).toEqual(expect.arrayContaining(['changed-by-others true', 'done true']));
    });
  },
);

test('a server that rejects a party twice but adds rules for the same parties is not asked to deny them again', async () => {
  const live = (id: string, shares: readonly JsonObject[], members: readonly string[]): JsonObject => ({
    _id: id,
    table: 'T',
    column: 'C',
    datatype: 'text',
    live: true,
    fullname: 'live:M',
    members,
    allMembers: null,
    shares,
  });
  const rules = [
    live('user', [{ type: 'user', partyId: 'u1' }], ['a', 'b']),
    live('group', [{ type: 'group', partyId: 'g1' }], ['a', 'c']),
    { ...live('default', [{ type: 'default' }], []), allMembers: false },
  ];
  const [first = {}] = rules;
  const after = { ...first, shares: [...(first['shares'] as JsonObject[]), { type: 'user', partyId: 'u2' }] };
  const target = createRuleTarget('live', rules, [{ before: first, after, write: 0 }]);
  const server = new FakeRuleServer(rules, {
    kind: 'live',
    isStrict: true,
    allowsDuplicateParties: true,
    sameShares: () => 'add',
  });
  await changeRules(server, target, { facts: unknown, classifyFailure: getFakeFailure });
  const spots = (some: readonly JsonObject[]): readonly string[] =>
    toParsedRules(some).map(getSpotKey).toSorted();
  expect(spots(server.rules)).toEqual(spots([after, ...rules.slice(1)]));
  // Each of the three that are added temporarily or permanently, and each of the three that are removed.
  expect(server.requests).toBe(6);
});
