import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLossless } from '../../../../src/base/json.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { lintRules } from '../../../../src/security/index.ts';
import { parseMatrixCell, getValueKey, formatMatrixCell } from '../../../../src/security/matrix/cellText.ts';
import { computeMatrixChange, findInPlaceUpdate } from '../../../../src/security/matrix/matrixChange.ts';
import type { CellChange } from '../../../../src/security/matrix/matrixDraft.ts';
import {
  getCellKey,
  getMatrixColumnKey,
  emptyCell,
  type MatrixColumn,
  toMatrixParty,
  createRuleMatrix,
} from '../../../../src/security/matrix/ruleMatrix.ts';
import { applyWhatIf } from '../../../../src/security/whatIf/whatIf.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { groups, ruleSets, users, values } from '../ruleSets.ts';
import { allBut, everything, liveRule, nothing, only, rule } from '../rules.ts';

const binding = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const live = { kind: 'live', title: 'Support' } as const;

const createColumn = (name: string): MatrixColumn => {
  const [table = '', column = ''] = name.split('.');
  return { key: getMatrixColumnKey(table, column), table, column, datatype: 'text' };
};

/** The change of a cell, such as `group:red` on `Stores.Region`, to the text that a user would type. */
function createCellChange(party: string, column: string, text: string): CellChange {
  const [type = '', id] = party.split(':');
  const read = parseMatrixCell(text);
  if ('problem' in read) {
    throw new Error(read.problem);
  }
  return {
    party: toMatrixParty({ type: type as 'user', ...(id === undefined ? {} : { id }) }),
    column: createColumn(column),
    value: read.value,
  };
}

/** The rules after a change, on a server that stores them as sent. */
function applyChanges(
  rules: readonly unknown[],
  changes: readonly CellChange[],
  target: Parameters<typeof computeMatrixChange>[2] = binding,
): readonly unknown[] {
  const { adds, deletes } = computeMatrixChange(rules, changes, target);
  const deletedIndexes = new Set(deletes.map(({ index }) => index));
  return [
    ...rules.filter((_rule, index) => !deletedIndexes.has(index)),
    ...adds.map((add, index) => ({ ...add, _id: `new${index}` })),
  ];
}

const listCells = (rules: readonly unknown[]): readonly string[] =>
  [...createRuleMatrix(rules).cells].map(([key, { value }]) => `${key} ${getValueKey(value)}`).sort();

describe('the matrix', () => {
  it('has a row for everyone else even if no rule names them', () => {
    expect(createRuleMatrix([])).toEqual({
      parties: [{ key: 'default:', type: 'default' }],
      columns: [],
      cells: new Map(),
      unplacedIndexes: [],
    });
  });

  it('puts each rule into the cells of its parties', () => {
    const rules = [
      rule({ id: 'a', ...only('North', 'South') }, 'user:anna', 'group:red', 'user:anna'),
      rule({ id: 'b', ...allBut('North') }, 'user:anna'),
      rule({ id: 'c', ...nothing, column: 'Stores.Size' }, 'default'),
    ];
    expect(listCells(rules)).toEqual([
      '["Stores","Region"] group:red North; South',
      '["Stores","Region"] user:anna All but North | North; South',
      '["Stores","Size"] default: Nothing',
    ]);
  });

  it('accepts invalid rules from a server, and marks cells that cannot be changed', () => {
    const rules = [
      null,
      7,
      { table: 'Stores' },
      rule({ id: 'nobody', ...nothing }),
      {
        ...rule({ id: 'odd', ...only('North') }, 'user:anna'),
        shares: [{ type: 'user', party: 'anna' }, { type: 'robot' }],
      },
      rule(only('South'), 'user:ben'),
      { ...rule({ id: 'x' }, 'user:carl'), members: 'North' },
    ];
    const { cells, unplacedIndexes } = createRuleMatrix(rules);
    expect(unplacedIndexes).toEqual([0, 1, 2, 3]);
    const column = getMatrixColumnKey('Stores', 'Region');
    expect(cells.get(getCellKey('user:anna', column))?.readOnlyReason).toBe('unreadable-party');
    expect(cells.get(getCellKey('user:ben', column))?.readOnlyReason).toBe('no-id');
    expect(cells.get(getCellKey('user:carl', column))).toEqual({
      value: ['unclear'],
      canonicalKey: '?',
      ruleIndexes: [6],
    });
    expect(() =>
      computeMatrixChange(rules, [createCellChange('user:anna', 'Stores.Region', 'All')], binding),
    ).toThrow(RangeError);
    expect(() =>
      computeMatrixChange(rules, [createCellChange('user:ben', 'Stores.Region', '')], binding),
    ).toThrow(RangeError);
  });

  it('uses the datatype of the rules', () => {
    const numericRule = { ...rule({ id: 'n', ...only('1') }, 'default'), datatype: 'numeric' };
    expect(createRuleMatrix([numericRule]).columns[0]?.datatype).toBe('numeric');
  });
});

describe('a change of cells', () => {
  const sharedRule = rule({ id: 's', ...only('North') }, 'user:anna', 'group:red');
  const defaultRule = rule({ id: 'd', ...nothing }, 'default');

  it('is empty if the cells are unchanged', () => {
    expect(
      computeMatrixChange(
        [sharedRule, defaultRule],
        [createCellChange('user:anna', 'Stores.Region', 'North')],
        binding,
      ),
    ).toEqual({
      adds: [],
      deletes: [],
    });
  });

  it('rewrites a rule for those of its parties that were not changed', () => {
    const { adds, deletes } = computeMatrixChange(
      [sharedRule, defaultRule],
      [createCellChange('user:anna', 'Stores.Region', 'South')],
      binding,
    );
    expect(deletes.map(({ index }) => index)).toEqual([0]);
    expect(adds).toMatchObject([
      { members: ['South'], shares: [{ type: 'user', party: 'anna' }] },
      { members: ['North'], shares: [{ type: 'group', party: 'red' }] },
    ]);
  });

  it('writes one rule for all parties with the same access', () => {
    const changes = ['user:anna', 'user:ben', 'group:blue'].map((party) =>
      createCellChange(party, 'Stores.Size', 'All but 1'),
    );
    expect(computeMatrixChange([defaultRule], changes, binding).adds).toMatchObject([
      {
        exclusionary: true,
        allMembers: null,
        shares: [{ party: 'anna' }, { party: 'ben' }, { party: 'blue' }],
      },
    ]);
  });

  it('leaves unrelated rules alone', () => {
    const rules = [sharedRule, defaultRule, rule({ id: 'o', ...allBut('x') }, 'user:ben')];
    const { adds, deletes } = computeMatrixChange(
      rules,
      [createCellChange('default', 'Stores.Region', 'All')],
      binding,
    );
    expect([adds.length, deletes.map(({ index }) => index)]).toEqual([1, [1]]);
  });

  it('keeps an uncertain rule unchanged for parties that were not changed', () => {
    const unclearRule = {
      ...rule({ id: 'u', members: [], allMembers: null }, 'user:anna', 'group:red'),
      note: 'kept',
    };
    const { adds } = computeMatrixChange(
      [unclearRule],
      [createCellChange('user:anna', 'Stores.Region', 'North')],
      binding,
    );
    expect(adds).toMatchObject([
      { members: ['North'] },
      { members: [], allMembers: null, note: 'kept', shares: [{ type: 'group', party: 'red' }] },
    ]);
    expect(adds[1]).not.toHaveProperty('_id');
  });

  it('rejects a rule that hides values if the server does not support it, and never writes one that shows them instead', () => {
    const plainRule = liveRule({ id: 'p', ...only('x') }, 'user:bob');
    expect(() =>
      computeMatrixChange([plainRule], [createCellChange('default', 'A.B', 'All but x')], live),
    ).toThrow(RangeError);
    const hidingRule = liveRule({ id: 'l', ...allBut('x') }, 'user:anna');
    for (const rules of [[], [hidingRule], [{ ...plainRule, dataSourceId: 'd' }]]) {
      expect(
        computeMatrixChange(rules, [createCellChange('default', 'A.B', 'All but x')], live).adds,
      ).toMatchObject([{ exclusionary: true, members: ['x'], live: true }]);
    }
    expect([...createRuleMatrix([hidingRule]).cells.values()][0]?.readOnlyReason).toBeUndefined();
    const { adds } = computeMatrixChange([], [createCellChange('user:anna', 'A.B', 'x')], live);
    expect(adds).toEqual([
      {
        fullname: 'live:Support',
        live: true,
        table: 'A',
        column: 'B',
        datatype: 'text',
        members: ['x'],
        allMembers: null,
        shares: [{ type: 'user', partyId: 'anna' }],
      },
    ]);
  });

  it('is one update if one rule replaces another', () => {
    const annaRule = { ...rule({ id: 'own', ...only('North') }, 'user:anna'), created: 'then' };
    const replacement = computeMatrixChange(
      [annaRule],
      [createCellChange('user:anna', 'Stores.Region', 'All but North; South')],
      binding,
    );
    expect(findInPlaceUpdate(replacement, binding)).toEqual({
      ruleId: 'own',
      rule: {
        ...annaRule,
        members: ['North', 'South'],
        exclusionary: true,
        shares: [{ party: 'anna', type: 'user' }],
      },
    });
    expect(findInPlaceUpdate(replacement, live)).toBeUndefined();
    const splitting = computeMatrixChange(
      [sharedRule],
      [createCellChange('user:anna', 'Stores.Region', 'South')],
      binding,
    );
    expect(findInPlaceUpdate(splitting, binding)).toBeUndefined();
    const removal = computeMatrixChange(
      [annaRule],
      [createCellChange('user:anna', 'Stores.Region', '')],
      binding,
    );
    expect(findInPlaceUpdate(removal, binding)).toBeUndefined();
  });

  describe('is one update', () => {
    const oldRule = rule({ id: 'old', ...only('North') }, 'user:anna', 'group:red', 'default');
    const getUpdate = (adds: readonly object[], deletes: readonly object[]) =>
      findInPlaceUpdate(
        {
          adds: adds as Parameters<typeof findInPlaceUpdate>[0]['adds'],
          deletes: deletes.map((deleted, index) => ({ index, rule: deleted as Record<string, unknown> })),
        },
        binding,
      );
    const southRule = rule(only('South'), 'default', 'group:red', 'user:anna');

    it('whatever the order of the parties', () => {
      expect(getUpdate([southRule], [oldRule])).toEqual({
        ruleId: 'old',
        rule: { ...oldRule, members: ['South'] },
      });
      const ruleWithPartyName = {
        ...oldRule,
        shares: [{ type: 'user', partyId: 'anna', partyName: 'Anna' }],
      };
      expect(getUpdate([rule(only('South'), 'user:anna')], [ruleWithPartyName])?.rule).toEqual({
        ...oldRule,
        members: ['South'],
        shares: [{ type: 'user', party: 'anna' }],
      });
    });

    it.each<[string, readonly object[], readonly object[]]>([
      ['another table', [{ ...southRule, table: 'Shops' }], [oldRule]],
      ['another column', [{ ...southRule, column: 'Country' }], [oldRule]],
      ['fewer parties', [rule(only('South'), 'user:anna', 'default')], [oldRule]],
      ['another party', [rule(only('South'), 'user:ben', 'group:red', 'default')], [oldRule]],
      ['a party of another type', [rule(only('South'), 'group:anna', 'group:red', 'default')], [oldRule]],
      ['an uncertain new rule', [{ ...southRule, members: [], allMembers: null }], [oldRule]],
      ['a new rule without a column', [{ ...southRule, column: '' }], [oldRule]],
      ['an old rule without an ID', [southRule], [{ ...oldRule, _id: undefined }]],
      ['two new rules', [southRule, rule(only('West'), 'user:anna')], [oldRule]],
      ['two old rules', [southRule], [oldRule, { ...oldRule, _id: 'older' }]],
      ['no new rule', [], [oldRule]],
      ['no old rule', [southRule], []],
    ])('unless there is %s', (_name, adds, deletes) => expect(getUpdate(adds, deletes)).toBeUndefined());
  });

  it('is one rule per column for 200 parties × 40 columns with the same access', () => {
    const parties = Array.from({ length: 200 }, (_, index) => `user:u${index}`);
    const columns = Array.from({ length: 40 }, (_, index) => `T.c${index}`);
    const rules = columns.flatMap((column) =>
      parties.map((party, index) =>
        rule({ id: `${column}${index}`, column, ...only('a', `${index}`) }, party),
      ),
    );
    const changes = columns.flatMap((column) =>
      parties.map((party) => createCellChange(party, column, 'Nothing')),
    );
    const { adds, deletes } = computeMatrixChange(rules, changes, binding);
    expect([adds.length, deletes.length]).toEqual([40, 8000]);
  });
});

const texts = fc.oneof(
  fc.constantFrom('', 'All', 'Nothing', 'North | All but south', 'All | Nothing'),
  fc
    .subarray([...values], { minLength: 1 })
    .map((list) => formatMatrixCell([{ kind: 'only', values: new Set(list) }])),
  fc
    .subarray([...values], { minLength: 1 })
    .map((list) => formatMatrixCell([{ kind: 'except', values: new Set(list) }])),
);
const partyTexts = [
  ...users.map((id) => `user:${id}`),
  ...groups.map((id) => `group:${id}`),
  'default',
  'user:new',
];
const arbitraryEdits = fc.array(
  fc.record({
    party: fc.constantFrom(...partyTexts),
    column: fc.constantFrom('Fact.Region', 'Fact.Segment', 'Fact.New'),
    text: texts,
  }),
  { maxLength: 12 },
);

describe('properties', () => {
  const arbitraryRules = ruleSets('Fact.Region', 'Fact.Segment').map((rules) =>
    rules.map((each, index) => ({ ...each, _id: `old${index}` })),
  );

  it('changed cells get their new meaning, all others keep theirs, and rules without a cell stay', () => {
    let deletedCount = 0;
    fc.assert(
      fc.property(arbitraryRules, arbitraryEdits, (rules, cellEdits) => {
        const changes = cellEdits.map(({ party, column, text }) => createCellChange(party, column, text));
        const before = createRuleMatrix(rules);
        const expected = new Map([...before.cells].map(([key, { value }]) => [key, getValueKey(value)]));
        for (const { party, column, value } of changes) {
          expected.set(getCellKey(party.key, column.key), getValueKey(value));
        }
        const changedRules = applyChanges(rules, changes);
        // What Effective Access previews is what an apply makes of the rules.
        expect(listCells(applyWhatIf(rules, { without: [], drafts: [], cells: changes }))).toEqual(
          listCells(changedRules),
        );
        const result = createRuleMatrix(changedRules);
        for (const [key, value] of expected) {
          expect(getValueKey((result.cells.get(key) ?? emptyCell).value)).toBe(value);
        }
        expect(result.cells.size).toBe([...expected.values()].filter((value) => value !== '').length);
        expect(result.unplacedIndexes.length).toBe(before.unplacedIndexes.length);
        const { deletes, adds } = computeMatrixChange(rules, changes, binding);
        deletedCount += deletes.length;
        expect(lintRules(adds).filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(() => createRuleWrites(binding, { adds, deletes })).not.toThrow();
      }),
      { numRuns: getPropertyRuns(500) },
    );
    expect(deletedCount).toBeGreaterThan(getPropertyRuns(50));
  });

  it('changing cells and changing them back is no change, and after a change is applied, nothing is left to change', () => {
    fc.assert(
      fc.property(arbitraryRules, arbitraryEdits, (rules, cellEdits) => {
        const changes = cellEdits.map(({ party, column, text }) => createCellChange(party, column, text));
        const changedRules = applyChanges(rules, changes);
        expect(computeMatrixChange(changedRules, changes, binding)).toEqual({ adds: [], deletes: [] });
        const before = createRuleMatrix(rules);
        const reverseChanges = changes.map((each) => ({
          ...each,
          value: (before.cells.get(getCellKey(each.party.key, each.column.key)) ?? emptyCell).value.filter(
            (grant) => grant !== 'unclear',
          ),
        }));
        expect(listCells(applyChanges(changedRules, reverseChanges))).toEqual(listCells(rules));
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });
});

it('the value All is written as a rule, too', () => {
  expect(applyChanges([], [createCellChange('user:anna', 'A.B', 'All')])).toMatchObject([
    { allMembers: true, members: [] },
  ]);
  expect(listCells([rule({ id: 'e', ...everything }, 'default')])).toEqual([
    '["Stores","Region"] default: All',
  ]);
});

it('a number that a double would round is an ordinary value', () => {
  const rules = parseLossless(
    '[{"_id":"r","table":"T","column":"C","members":[12345678901234567890,1.0],"shares":[{"type":"default"}]}]',
  );
  expect(listCells(rules as readonly unknown[])).toEqual(['["T","C"] default: 1.0; 12345678901234567890']);
});
