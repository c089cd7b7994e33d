import { expect, test } from 'vitest';
import { printPullMessages } from '../../../src/cli/pullResult.ts';

type PullOutput = Parameters<typeof printPullMessages>[0];

/** Prints the messages of a pull. */
function print(members: Partial<PullOutput>): readonly string[] {
  const lines: string[] = [];
  const nothing = {
    localChanges: [],
    renames: [],
    columnRenames: [],
    conflicts: [],
    gone: [],
    warnings: [],
    unknown: [],
  };
  printPullMessages({ ...nothing, ...members } as unknown as PullOutput, {
    printMessage: (text) => lines.push(text),
  });
  return lines;
}

/** Prints the messages of a pull that has kept changed files. */
const printKept = (count: number): readonly string[] =>
  print({
    localChanges: Array.from({ length: count }, (_, index) => ({
      item: `viewpoint/V${index}`,
      state: 'changed' as const,
    })),
  });

test('of many files that a pull keeps, the first are listed and the others counted', () => {
  expect(printKept(20)).toHaveLength(20);
  expect(printKept(20).at(-1)).toBe('Kept: viewpoint/V19 (differs from the instance)');
  expect(printKept(21).slice(19)).toEqual([
    'Kept: viewpoint/V19 (differs from the instance)',
    'Kept: 1 more file. --format json lists all of them.',
  ]);
  expect(printKept(130).at(-1)).toBe('Kept: 110 more files. --format json lists all of them.');
});

test('a conflict shows what differs between both versions, shortened', () => {
  type Version = PullOutput['conflicts'][number]['versions'][number];
  const printConflict = (...versions: readonly Version[]): readonly string[] => {
    const parts = versions.map(({ pointer }) => pointer);
    const [first, ...lines] = print({
      conflicts: [{ item: 'x', path: 'x.json', reason: 'both-changed', parts, versions: [...versions] }],
    });
    expect(first).not.toContain('~');
    expect(first).toMatch(/^Conflict: x\.json.*: changed in the file and on the instance\. /);
    expect(lines.pop()).toContain('edit the files, and then pull with --conflicts ours.');
    return lines;
  };
  const createRules = (...members: readonly string[]) => [
    { table: 'T', column: 'C', datatype: 'text', members, shares: [{ type: 'group', party: 'Sales' }] },
  ];
  expect(
    printConflict(
      { pointer: '/description', project: 'Ours', instance: `Theirs${' x'.repeat(80)}` },
      { pointer: '/columns/Id', project: { name: 'Id', type: 8 }, instance: { name: 'Id', type: 18 } },
      { pointer: '', project: createRules('North'), instance: createRules('South') },
    ),
  ).toEqual([
    `    description: "Theirs${' x'.repeat(46)} … on the instance, "Ours" in the project`,
    '    columns/Id/type: 18 on the instance, 8 in the project',
    '    group Sales: only "South" on the instance, only "North" in the project',
  ]);
  // What the instance derives for a column that its file describes in part is no difference, whatever its name is.
  const [slash, tilde] = [{ type: 8 }, { 'a~1/b': 1 }];
  expect(
    printConflict(
      { pointer: '/columns/In~1Out', project: slash, instance: { ...slash, type: 18, size: 1 } },
      { pointer: '/parameters', project: tilde, instance: { 'a~1/b': 2 } },
    ),
  ).toEqual([
    '    columns/In/Out/type: 18 on the instance, 8 in the project',
    '    parameters/a~1/b: 2 on the instance, 1 in the project',
  ]);
  expect(printConflict({ pointer: '', project: createRules('North') })).toEqual([
    '    group Sales: no rule on the instance, only "North" in the project',
  ]);
  const sql = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const lines = printConflict({
    pointer: '',
    project: sql.join('\n'),
    instance: sql.toReversed().join('\n'),
  });
  expect(lines[0]).toBe('    content: - on the instance, + in the project');
  expect(lines).toHaveLength(13);
  expect(lines.at(-1)).toMatch(/^ +… and \d+ more lines$/);
});
