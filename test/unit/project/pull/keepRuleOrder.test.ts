import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toCanonicalText } from '../../../../src/base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseLossless } from '../../../../src/base/json.ts';
import { getObjects } from '../../../../src/changes/model/jsonMembers.ts';
import { keepRuleOrder } from '../../../../src/project/pull/keepRuleOrder.ts';
import { PulledProject, createRetailDocuments, nothing, paths, rule, summarize } from './pullSupport.ts';

const createDocuments = (...members: readonly string[]) => createRetailDocuments([], [{ ...rule, members }]);

const getMembers = (project: PulledProject): JsonValue | undefined =>
  getObjects(parseLossless(project.texts.get(paths.region) ?? ''))[0]?.['members'];

describe('the order in which a file has its values', () => {
  const createEdited = (...members: readonly string[]): PulledProject => {
    const project = new PulledProject();
    project.pull(createDocuments('North', 'South', 'West'));
    const [list = ''] = /"members": \[[^\]]*\]/.exec(project.texts.get(paths.region) ?? '') ?? [];
    project.edit(paths.region, list, `"members": ${JSON.stringify(members)}`);
    return project;
  };

  test('stays in a pull; new values come last', () => {
    const project = createEdited('West', 'North', 'South');
    expect(summarize(project.pull(createDocuments('North', 'South', 'West')))).toEqual(nothing);
    project.pull(createDocuments('Alps', 'South', 'West'));
    expect(getMembers(project)).toEqual(['West', 'South', 'Alps']);
    expect(summarize(project.pull(createDocuments('Alps', 'South', 'West')))).toEqual(nothing);
  });

  test.each(['ours', 'theirs'] as const)('stays in a conflict whose side %s wins', (side) => {
    const project = createEdited('West', 'North', 'South', 'Alps');
    const changed = createDocuments('Alps', 'Iberia', 'North', 'South', 'West');
    expect(summarize(project.pull(changed)).conflicts).toHaveLength(1);
    project.pull(changed, { getWinner: () => side });
    const ours = ['West', 'North', 'South', 'Alps'];
    expect(getMembers(project)).toEqual(side === 'ours' ? ours : [...ours, 'Iberia']);
    expect(summarize(project.pull(changed))).toEqual(nothing);
  });
});

const anyList = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 5 });
const anyRule = fc.record(
  { column: fc.constantFrom('x', 'y'), members: anyList, shares: fc.array(fc.record({ party: fc.nat(3) })) },
  { requiredKeys: [] },
);
const anyRules = fc.array(fc.oneof(anyRule, fc.constant('no rule')), { maxLength: 5 });

/** Sorts rules with their values and parties, to compare them without their order. */
const sort = (rules: JsonValue): readonly string[] =>
  (rules as readonly JsonValue[])
    .map((item) => {
      const lists = ['members', 'shares'].flatMap((name) =>
        isJsonObject(item) && Array.isArray(item[name])
          ? [[name, item[name].map((value) => toCanonicalText(value)).toSorted()] as const]
          : [],
      );
      return toCanonicalText(isJsonObject(item) ? { ...item, ...Object.fromEntries(lists) } : item);
    })
    .toSorted();

test('ordering rules loses and adds nothing, and does not move equal rules', () => {
  const order = (rules: readonly JsonValue[], previous: readonly JsonValue[]) =>
    keepRuleOrder(rules, previous).map((ordered) => ordered.rule);
  fc.assert(
    fc.property(anyRules, anyRules, (rules, previous) => {
      expect(sort(order(rules, previous))).toEqual(sort(rules));
      expect(order(rules, rules)).toEqual(rules);
    }),
  );
});

describe('a comment', () => {
  const createRule = (party: string, members: readonly string[] = [party]) => ({
    ...rule,
    members,
    shares: [{ type: 'group', party }],
  });
  const [a, b, c, d] = [createRule('A'), createRule('B'), createRule('C'), createRule('D')];
  const changedC = createRule('C', ['changed']);
  const sharedC = { ...createRule('C'), shares: [...changedC.shares, { type: 'group', party: 'E' }] };
  const givenC = { ...createRule('E'), members: ['C'] };

  /** Pulls rules into a file with a comment above each. Returns what stands above each rule then. */
  const pullRules = (
    rules: readonly JsonObject[],
    previousRules: readonly JsonObject[] = [a, b, c],
  ): readonly (readonly [comments: string, values: string])[] => {
    const project = new PulledProject();
    project.pull(createRetailDocuments([], previousRules));
    const text = project.texts.get(paths.region) ?? '';
    let count = 0;
    project.texts.set(
      paths.region,
      text.replaceAll(/^ {2}\{/gm, (brace) => `  // ${['A', 'B', 'C'][count++] ?? ''}\n${brace}`),
    );
    expect(summarize(project.pull(createRetailDocuments([], rules))).conflicts).toEqual([]);
    const [result = '', ...rest] = (project.texts.get(paths.region) ?? '').split(/"members": \[/);
    return [result, ...rest].map((part, index) => [
      [...part.matchAll(/\/\/ (.)/g)].map(([, name]) => name).join(''),
      /^\s*"([^"]*)"/.exec(rest[index] ?? '')?.[1] ?? '',
    ]);
  };

  test.each<readonly [string, readonly JsonObject[], ReturnType<typeof pullRules>]>([
    [
      'stays above a changed rule if others are deleted and added',
      [a, changedC, d],
      [
        ['A', 'A'],
        ['BC', 'changed'],
        ['', 'D'],
        ['', ''],
      ],
    ],
    [
      'stays above a rule that a further group gets',
      [sharedC, d, a],
      [
        ['A', 'A'],
        ['BC', 'C'],
        ['', 'D'],
        ['', ''],
      ],
    ],
    [
      'stays above a rule that is given to another group',
      [givenC, b, d],
      [
        ['AB', 'B'],
        ['C', 'C'],
        ['', 'D'],
        ['', ''],
      ],
    ],
    [
      'is kept if its rule is deleted',
      [d],
      [
        ['ABC', 'D'],
        ['', ''],
      ],
    ],
  ])('%s', (_text, rules, expected) => {
    expect(pullRules(rules)).toEqual(expected);
  });

  test('stays above its rule if another rule for the same group is deleted', () => {
    const second = createRule('A', ['second']);
    expect(pullRules([second], [a, second])).toEqual([
      ['AB', 'second'],
      ['', ''],
    ]);
  });
});
