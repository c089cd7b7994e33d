import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatWithHeadings,
  hasHeadings,
  pasteWithHeadings,
} from '../../../../src/security/matrix/headedBlocks.ts';
import { emptyDraft, withCells } from '../../../../src/security/matrix/matrixDraft.ts';
import type { VisibleMatrix } from '../../../../src/security/matrix/computeCellChanges.ts';
import { type MatrixParty, createRuleMatrix } from '../../../../src/security/matrix/ruleMatrix.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { ruleSets } from '../ruleSets.ts';
import { nothing, only, rule } from '../rules.ts';

function createVisibleMatrix(rules: readonly unknown[]): VisibleMatrix {
  const base = createRuleMatrix(rules);
  return {
    savedMatrix: base,
    draft: emptyDraft,
    parties: base.parties,
    columns: base.columns,
    isExclusionUnsupported: false,
  };
}

const getName = ({ id = '' }: MatrixParty): string => (id.startsWith('u') ? 'Anna\tA.' : id);
const block = { top: 0, left: 0, bottom: 0, right: 0 };
const demoMatrix = createVisibleMatrix([
  rule({ id: 'd', ...nothing }, 'default'),
  rule({ id: 'a', ...only('North') }, 'user:u1'),
  rule({ id: 'b', ...only('1'), column: 'Stores.Size' }, 'group:Sales'),
]);

describe('tables with headings', () => {
  it('name rows and columns', () => {
    const text = formatWithHeadings(demoMatrix, getName);
    expect(text.split('\n')).toEqual([
      'Party\tStores.Region\tStores.Size',
      'default\tNothing\t',
      'user Anna A.\tNorth\t',
      'group Sales\t\t1',
      '',
    ]);
    expect(hasHeadings(demoMatrix, text)).toBe(true);
    expect(hasHeadings(demoMatrix, `\u{feff}${text}`)).toBe(true);
    expect(hasHeadings(demoMatrix, 'North\tSouth\n')).toBe(false);
    expect(hasHeadings(demoMatrix, 'Party')).toBe(false);
  });

  it.each(['', 'user', 'User or group'])('may have any text in the first cell: "%s"', (corner) => {
    const text = `${corner}\tNo.Column\tStores.Size\ngroup Sales\tx\t2\n`;
    expect(hasHeadings(demoMatrix, text)).toBe(true);
    const { changes, unknownHeadings } = pasteWithHeadings(demoMatrix, block, text, getName);
    expect(changes.map(({ party, column }) => `${party.key} ${column.column}`)).toEqual(['group:Sales Size']);
    expect(unknownHeadings).toEqual(['No.Column']);
  });

  it('have the headings in the first row: the name of a column in another row is a value', () => {
    expect(hasHeadings(demoMatrix, 'North\tSouth\nWest\tStores.Size\n')).toBe(false);
    expect(hasHeadings(demoMatrix, 'Stores.Size\tSouth\n')).toBe(false);
  });

  it('are pasted by their headings, and unknown headings are reported', () => {
    const text =
      'Party\tStores.Size\tNo.Column\r\ngroup Sales\t2\tx\r\ngroup Nobody\t3\tx\r\n\t\t\r\ndefault\tAll\tx\r\n';
    const { changes, unknownHeadings, refusedCells } = pasteWithHeadings(demoMatrix, block, text, getName);
    expect(changes.map(({ party, column }) => `${party.key} ${column.column}`)).toEqual([
      'group:Sales Size',
      'default: Size',
    ]);
    expect(unknownHeadings).toEqual(['No.Column', 'group Nobody']);
    expect(refusedCells).toEqual([]);
  });

  it('are not pasted without the column of users and groups', () => {
    const text = 'Stores.Region\tStores.Size\nNorth\t2\nSouth\t3\n';
    expect(hasHeadings(demoMatrix, text)).toBe(true);
    const change = pasteWithHeadings(demoMatrix, block, text, getName);
    expect(change).toMatchObject({
      changes: [],
      refusedCells: [],
      unknownHeadings: [],
      isPartyColumnMissing: true,
    });
    const complete = pasteWithHeadings(demoMatrix, block, 'Party\tStores.Size\ngroup Sales\t2\n', getName);
    expect(complete.isPartyColumnMissing).toBeUndefined();
  });

  it('use IDs where names are not unique', () => {
    const ambiguousMatrix = createVisibleMatrix([rule({ id: 'a', ...only('1') }, 'user:u1', 'user:u2')]);
    expect(formatWithHeadings(ambiguousMatrix, getName)).toBe(
      'Party\tStores.Region\ndefault\t\nuser u1\t1\nuser u2\t1\n',
    );
  });

  it('copied and pasted change nothing, whatever the order of rows', () => {
    const arbitraryRules = ruleSets('Fact.Region', 'Fact.Segment').map((rules) =>
      rules.map((each, index) => ({ ...each, _id: `r${index}` })),
    );
    fc.assert(
      fc.property(arbitraryRules, (rules) => {
        const matrix = createVisibleMatrix(rules);
        const [heading = '', ...rows] = formatWithHeadings(matrix, getName).split('\n').slice(0, -1);
        const reversed = [heading, ...rows.toReversed()].join('\n');
        const { changes, refusedCells, unknownHeadings } = pasteWithHeadings(
          matrix,
          block,
          reversed,
          getName,
        );
        expect([changes, refusedCells, unknownHeadings]).toEqual([[], [], []]);
        const cleared = withCells(
          emptyDraft,
          matrix.savedMatrix,
          matrix.parties.flatMap((party) => matrix.columns.map((column) => ({ party, column, value: [] }))),
        );
        const pasted = pasteWithHeadings({ ...matrix, draft: cleared }, block, reversed, getName);
        const restoredDraft = withCells(cleared, matrix.savedMatrix, pasted.changes);
        // A cell that repeats a grant gets it once, so the texts may differ.
        const restored = { ...matrix, draft: restoredDraft };
        expect(pasteWithHeadings(restored, block, reversed, getName).changes).toEqual([]);
        expect(pasted.refusedCells).toEqual([]);
      }),
      { numRuns: getPropertyRuns(200) },
    );
  });
});
