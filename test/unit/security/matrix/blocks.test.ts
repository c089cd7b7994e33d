import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { persistedDraftSchema } from '../../../../src/webviews/protocol/ruleMatrix.ts';
import {
  type CellBlock,
  createBlock,
  formatBlock,
  fillBlock,
  fillDown,
  fillRight,
  pasteBlock,
} from '../../../../src/security/matrix/blocks.ts';
import { parseMatrixCell, getValueKey, formatMatrixCell } from '../../../../src/security/matrix/cellText.ts';
import { serializeDraft, deserializeDraft } from '../../../../src/security/matrix/serializedDraft.ts';
import {
  getChangedCellKeys,
  getConflictKeys,
  emptyDraft,
  keepLocalEdits,
  type MatrixDraft,
  createMatrixHistory,
  redoDraft,
  pruneDraft,
  pushDraft,
  undoDraft,
  withCells,
} from '../../../../src/security/matrix/matrixDraft.ts';
import type { VisibleMatrix } from '../../../../src/security/matrix/computeCellChanges.ts';
import { createRuleMatrix } from '../../../../src/security/matrix/ruleMatrix.ts';
import { parseGridTsv } from '../../../../src/security/matrix/gridTsv.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { ruleSets, values } from '../ruleSets.ts';
import { allBut, liveRule, nothing, only, rule } from '../rules.ts';

const demoRules = [
  rule({ id: 'd', ...nothing }, 'default'),
  rule({ id: 'a', ...only('North') }, 'user:anna'),
  rule({ id: 'b', ...allBut('1'), column: 'Stores.Size' }, 'user:anna', 'group:red'),
];

function createVisibleMatrix(
  rules: readonly unknown[],
  draft: MatrixDraft = emptyDraft,
  isExclusionUnsupported = false,
): VisibleMatrix {
  const base = createRuleMatrix(rules);
  return {
    savedMatrix: base,
    draft,
    parties: base.parties,
    columns: base.columns,
    isExclusionUnsupported,
  };
}

const getWholeBlock = ({ parties, columns }: VisibleMatrix): CellBlock => ({
  top: 0,
  left: 0,
  bottom: parties.length - 1,
  right: columns.length - 1,
});

const apply = (matrix: VisibleMatrix, { changes }: ReturnType<typeof fillDown>): VisibleMatrix => ({
  ...matrix,
  draft: withCells(matrix.draft, matrix.savedMatrix, changes),
});

const formatGrid = (matrix: VisibleMatrix): readonly string[] =>
  formatBlock(matrix, getWholeBlock(matrix)).split('\n').slice(0, -1);

describe('blocks', () => {
  const matrix = createVisibleMatrix(demoRules);

  it("are copied in a spreadsheet's format", () => {
    expect(formatGrid(matrix)).toEqual(['Nothing\t', 'North\tAll but 1', '\tAll but 1']);
  });

  it('are filled with a value, and cleared', () => {
    const block = createBlock({ row: 2, column: 1 }, { row: 1, column: 0 });
    expect(formatGrid(apply(matrix, fillBlock(matrix, block, 'South')))).toEqual([
      'Nothing\t',
      'South\tSouth',
      'South\tSouth',
    ]);
    expect(formatGrid(apply(matrix, fillBlock(matrix, block, '')))).toEqual(['Nothing\t', '\t', '\t']);
  });

  it('are filled from their first row or column, or from the previous one', () => {
    expect(formatGrid(apply(matrix, fillDown(matrix, getWholeBlock(matrix))))).toEqual([
      'Nothing\t',
      'Nothing\t',
      'Nothing\t',
    ]);
    const last = createBlock({ row: 2, column: 0 }, { row: 2, column: 1 });
    expect(formatGrid(apply(matrix, fillDown(matrix, last)))[2]).toBe('North\tAll but 1');
    expect(formatGrid(apply(matrix, fillRight(matrix, getWholeBlock(matrix))))).toEqual([
      'Nothing\tNothing',
      'North\tNorth',
      '\t',
    ]);
  });

  it('of several columns or rows are filled from their own first one, not from the one before it', () => {
    const rules = ['A.X', 'B.X', 'C.X'].flatMap((column, index) =>
      ['group:1', 'group:2'].map((party, row) =>
        rule({ id: column + party, ...only('abcdef'.charAt(2 * index + row)), column }, party),
      ),
    );
    const grid = createVisibleMatrix(rules);
    expect(formatGrid(grid)).toEqual(['\t\t', 'a\tc\te', 'b\td\tf']);
    const block = createBlock({ row: 1, column: 1 }, { row: 2, column: 2 });
    expect(formatGrid(apply(grid, fillRight(grid, block)))).toEqual(['\t\t', 'a\tc\tc', 'b\td\td']);
    expect(formatGrid(apply(grid, fillDown(grid, block)))).toEqual(['\t\t', 'a\tc\te', 'b\tc\te']);
  });

  it('accept copied cells: once, tiled, or as far as there is room', () => {
    const createCellBlock = (row: number, column: number) => createBlock({ row, column }, { row, column });
    const pasted = pasteBlock(matrix, createCellBlock(1, 0), 'a\tb\r\nc\td\r\n');
    expect([pasted.block, formatGrid(apply(matrix, pasted))]).toEqual([
      { top: 1, left: 0, bottom: 2, right: 1 },
      ['Nothing\t', 'a\tb', 'c\td'],
    ]);
    expect(formatGrid(apply(matrix, pasteBlock(matrix, getWholeBlock(matrix), 'x\n')))).toEqual([
      'x\tx',
      'x\tx',
      'x\tx',
    ]);
    const overflowing = pasteBlock(matrix, createCellBlock(2, 1), 'a\tb\nc\td\n');
    expect([overflowing.cutOffCount, formatGrid(apply(matrix, overflowing))[2]]).toEqual([3, '\ta']);
    expect(overflowing.block).toEqual({ top: 2, left: 1, bottom: 2, right: 1 });
    // A block is filled with copies only if its own size is a multiple, wherever it starts.
    const secondColumn = createBlock({ row: 1, column: 1 }, { row: 2, column: 1 });
    expect(pasteBlock(matrix, secondColumn, 'a\nb\nc\nd\n').cutOffCount).toBe(2);
    expect(pasteBlock(matrix, secondColumn, 'a\tb\tc\n').cutOffCount).toBe(2);
    // Of rows with different lengths, only existing cells can be cut off.
    expect(pasteBlock(matrix, createCellBlock(2, 1), 'a\nc\td\n').cutOffCount).toBe(2);
  });

  it.each([
    ['one row', 'a\tb', { bottom: 1, right: 1 }],
    ['one column', 'a\nb', { bottom: 2, right: 0 }],
    ['one cell', 'a', { bottom: 1, right: 0 }],
  ])('become as large as what is pasted into one cell: %s', (_name, text, end) => {
    const cell = { row: 1, column: 0 };
    expect(pasteBlock(matrix, createBlock(cell, cell), text).block).toEqual({ top: 1, left: 0, ...end });
  });

  it('keep cells that a ragged paste does not cover', () => {
    const ragged = pasteBlock(matrix, getWholeBlock(matrix), 'a\nb\tc\n');
    expect(formatGrid(apply(matrix, ragged))).toEqual(['a\t', 'b\tc', '\tAll but 1']);
  });

  it('reject invalid cells one by one', () => {
    const unclearMatrix = createVisibleMatrix([
      ...demoRules,
      rule({ id: 'u', members: [] }, 'group:blue'),
      rule(only('x'), 'user:zed'),
    ]);
    const { changes, refusedCells } = fillBlock(unclearMatrix, getWholeBlock(unclearMatrix), 'All but');
    expect([changes.length, refusedCells.length]).toEqual([0, 10]);
    expect(
      fillBlock(unclearMatrix, getWholeBlock(unclearMatrix), '?').refusedCells.map(
        ({ party, reason }) => `${party.key} ${reason}`,
      ),
    ).toContain('user:zed no-id');
    // A question mark stands for an unclear cell: it is no change of such a cell, and invalid in any other.
    const blueRefusals = fillBlock(unclearMatrix, getWholeBlock(unclearMatrix), '?').refusedCells.filter(
      ({ party }) => party.key === 'group:blue',
    );
    expect(blueRefusals.map(({ column }) => column.column)).toEqual(['Size']);
    const live = createVisibleMatrix([liveRule({ id: 'l', ...nothing }, 'default')], emptyDraft, true);
    expect(fillBlock(live, getWholeBlock(live), 'All but x').refusedCells).toMatchObject([
      { reason: 'exclusionary-live' },
    ]);
  });
});

it('a cell with the pasted content in another order is unchanged', () => {
  const matrix = createVisibleMatrix([
    rule({ id: 'a', members: [], allMembers: true }, 'user:anna'),
    rule({ id: 'b', ...only('North') }, 'user:anna', 'group:red'),
    rule({ id: 'c', members: [], allMembers: true }, 'group:red'),
  ]);
  const createCellBlock = (row: number) => ({ top: row, bottom: row, left: 0, right: 0 });
  expect(formatBlock(matrix, createCellBlock(1))).not.toBe(formatBlock(matrix, createCellBlock(2)));
  expect(pasteBlock(matrix, createCellBlock(2), formatBlock(matrix, createCellBlock(1)))).toMatchObject({
    changes: [],
    refusedCells: [],
  });
});

describe('the draft', () => {
  it('marks cells that differ from the server, until they are changed back', () => {
    const matrix = createVisibleMatrix(demoRules);
    const editedMatrix = apply(matrix, fillBlock(matrix, getWholeBlock(matrix), 'North'));
    expect(getChangedCellKeys(editedMatrix.draft, editedMatrix.savedMatrix)).toHaveLength(5);
    const reverted = apply(
      editedMatrix,
      pasteBlock(editedMatrix, getWholeBlock(editedMatrix), formatBlock(matrix, getWholeBlock(matrix))),
    );
    expect(getChangedCellKeys(reverted.draft, reverted.savedMatrix)).toEqual([]);
  });

  it('reports cells that the server has changed meanwhile, and keeps both versions', () => {
    const matrix = createVisibleMatrix(demoRules);
    const { draft } = apply(matrix, fillBlock(matrix, { top: 1, left: 0, bottom: 1, right: 1 }, 'South'));
    const changedMatrix = createRuleMatrix([
      demoRules[0],
      rule({ id: 'a', ...only('West') }, 'user:anna'),
      demoRules[2],
    ]);
    const found = getConflictKeys(draft, changedMatrix);
    expect(found).toEqual(['["Stores","Region"] user:anna']);
    expect(getChangedCellKeys(draft, changedMatrix)).toHaveLength(2);
    expect(getConflictKeys(keepLocalEdits(draft, changedMatrix, found), changedMatrix)).toEqual([]);
    const sameMatrix = createRuleMatrix([
      demoRules[0],
      rule({ id: 'a', ...only('South') }, 'user:anna'),
      demoRules[2],
    ]);
    expect(getConflictKeys(draft, sameMatrix)).toEqual([]);
    expect(pruneDraft(draft, sameMatrix).edits.size).toBe(1);
  });
});

const texts = fc.oneof(
  fc.constantFrom('', 'All', 'Nothing', 'a | All but b', '?'),
  fc
    .subarray([...values], { minLength: 1 })
    .map((list) => formatMatrixCell([{ kind: 'only', values: new Set(list) }])),
);
const arbitraryRules = ruleSets('Fact.Region', 'Fact.Segment').map((rules) =>
  rules.map((each, index) => ({ ...each, _id: `old${index}` })),
);
/** The meaning of cells, ignoring order: a cell that already has the meaning is unchanged. */
const getMeanings = (text: string) =>
  parseGridTsv(text).map((row) =>
    row.map((cell) => {
      const read = parseMatrixCell(cell);
      return 'value' in read ? getValueKey(read.value) : read;
    }),
  );
const point = fc.record({ row: fc.nat(7), column: fc.nat(2) });

it('a draft that was stored as JSON is restored unchanged', () => {
  const matrix = createVisibleMatrix(demoRules);
  const editedMatrix = apply(matrix, fillBlock(matrix, getWholeBlock(matrix), 'a; b | Nothing'));
  const draft = { ...editedMatrix.draft, parties: matrix.parties, columns: matrix.columns };
  const stored = persistedDraftSchema.parse(
    JSON.parse(JSON.stringify(serializeDraft(draft, ({ key }) => key))),
  );
  expect(deserializeDraft(stored)).toEqual(draft);
});

describe('properties', () => {
  it('copying and pasting in the same place changes nothing', () => {
    fc.assert(
      fc.property(arbitraryRules, point, point, (rules, a, b) => {
        const matrix = createVisibleMatrix(rules);
        const block = createBlock(a, b);
        const { changes, refusedCells } = pasteBlock(matrix, block, formatBlock(matrix, block));
        expect([changes, refusedCells]).toEqual([[], []]);
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });

  it('copying and pasting elsewhere makes both places equal', () => {
    fc.assert(
      fc.property(arbitraryRules, point, point, point, (rules, a, b, target) => {
        const matrix = createVisibleMatrix(rules);
        const last = getWholeBlock(matrix);
        if (last.right < 0) {
          return;
        }
        const block = {
          top: Math.min(a.row, b.row, last.bottom),
          left: Math.min(a.column, b.column, last.right),
          bottom: Math.min(Math.max(a.row, b.row), last.bottom),
          right: Math.min(Math.max(a.column, b.column), last.right),
        };
        const targetCell = {
          row: Math.min(target.row, last.bottom),
          column: Math.min(target.column, last.right),
        };
        const copied = formatBlock(matrix, block);
        const paste = pasteBlock(matrix, createBlock(targetCell, targetCell), copied);
        const afterPaste = apply(matrix, paste);
        const targetBlock = { ...paste.block };
        const source = {
          ...block,
          bottom: block.top + targetBlock.bottom - targetBlock.top,
          right: block.left + targetBlock.right - targetBlock.left,
        };
        expect(paste.refusedCells).toEqual([]);
        // Two equal rules become one when they are rewritten.
        expect(getMeanings(formatBlock(afterPaste, targetBlock))).toEqual(
          getMeanings(formatBlock(matrix, source)),
        );
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });

  it('undoing all edits restores the start, and redoing all restores the end', () => {
    const steps = fc.array(fc.tuple(point, point, texts), { maxLength: 10 });
    fc.assert(
      fc.property(arbitraryRules, steps, (rules, edits) => {
        const matrix = createVisibleMatrix(rules);
        let history = createMatrixHistory();
        for (const [a, b, text] of edits) {
          const { changes } = fillBlock({ ...matrix, draft: history.present }, createBlock(a, b), text);
          history = pushDraft(history, withCells(history.present, matrix.savedMatrix, changes));
        }
        const end = history.present;
        for (let turn = 0; turn <= edits.length; turn += 1) {
          history = undoDraft(history);
        }
        expect(history.present).toEqual(emptyDraft);
        for (let turn = 0; turn <= edits.length; turn += 1) {
          history = redoDraft(history);
        }
        expect(history.present).toEqual(end);
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });
});

it('a cell of ten thousand values is copied and pasted', () => {
  const manyValues = Array.from({ length: 10_000 }, (_, index) => `value; ${index}`);
  const matrix = createVisibleMatrix([rule({ id: 'm', ...only(...manyValues) }, 'user:anna'), demoRules[0]]);
  const text = formatBlock(matrix, { top: 1, left: 0, bottom: 1, right: 0 });
  const { changes } = pasteBlock(matrix, { top: 0, left: 0, bottom: 0, right: 0 }, text);
  expect(changes.map(({ value }) => value[0]?.values.size)).toEqual([10_000]);
});
