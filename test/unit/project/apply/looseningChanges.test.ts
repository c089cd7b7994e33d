import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { expectDefined } from '../../../support/expectations.ts';
import {
  compile,
  createColumn,
  createInstanceDocuments,
  createRule,
  createTable,
  pullFrom,
  summarizeProblems,
  summarizeWrites,
} from './compileSupport.ts';

const users = [1, 2].map((number) => ({ id: `u${number}`, name: `User ${number}`, aliases: [] }));
const table = createTable('A', [createColumn('A', 'K'), createColumn('A', 'L')]);

/** Creates a viewpoint of both users that shows A.L. */
const createViewpoint = (title: string): JsonObject => ({
  id: 'v',
  name: 'V',
  description: '',
  enabled: true,
  details: { datasource: { title, modelType: 'external' }, columns: [{ table: 'A', column: 'L' }] },
  visibility: { enabled: true, apps: ['chat'], groups: [], users: ['u1', 'u2'] },
});

/** Applies a rename, while a viewpoint loses a user. */
async function compileRename(
  [oldText, newText]: readonly [string, string],
  {
    datasource,
    ruleNames = [],
    cubeSetRules,
  }: {
    readonly datasource: string;
    readonly ruleNames?: readonly string[];
    /** The columns with rules of the cube set Set. */
    readonly cubeSetRules: readonly string[];
  },
): Promise<readonly string[]> {
  const current = createInstanceDocuments([table], {
    users,
    groups: [],
    rules: ruleNames.map((name) => createRule(name)),
    viewpoints: [createViewpoint(datasource)],
    cubeSets: [{ name: 'Set', rules: cubeSetRules.map((name) => createRule(name)) }],
  });
  const project = pullFrom(current);
  const edit = (ending: string, change: (text: string) => string): void => {
    const path = expectDefined([...project.texts.keys()].find((other) => other.endsWith(ending)));
    const text = expectDefined(project.texts.get(path));
    expect(change(text)).not.toBe(text);
    project.texts.set(path, change(text));
  };
  edit('A.table.json', (text) => text.replace(oldText, newText));
  edit('V.viewpoint.json', (text) => text.replace(/"User 1",\s*/, ''));
  const compiled = await compile(project, current);
  expect(summarizeProblems(compiled)).toEqual([]);
  return summarizeWrites(compiled).map((write) => write.split(' ')[0] ?? '');
}

const column = ['"name": "K"', '"name": "K2", "renamedFrom": "K"'] as const;
const wholeTable = ['"name": "A"', '"name": "A2", "renamedFrom": "A"'] as const;

describe('a rename that takes rules of a cube set away comes after what its viewpoints lose', () => {
  test.each([
    ['of a column', column],
    ['of a table', wholeTable],
  ])('%s', async (_title, rename) => {
    const writes = await compileRename(rename, { datasource: 'Set', cubeSetRules: ['A.K'] });
    expect(writes.slice(0, 2)).toEqual(['viewpoints.update', 'tables.update']);
  });

  test('even if the rules of the datamodel move along', async () => {
    const input = { datasource: 'Set', ruleNames: ['A.K'], cubeSetRules: ['A.K'] };
    expect((await compileRename(column, input))[0]).toBe('viewpoints.update');
  });
});

test.each([
  ['rules of the cube set on another column', { datasource: 'Set', cubeSetRules: ['A.L', 'B.K'] }],
  [
    'a viewpoint of the datamodel, which the cube set does not restrict',
    { datasource: 'M', cubeSetRules: ['A.K'] },
  ],
])('a rename of a column that loosens nothing comes first, with %s', async (_title, input) => {
  expect((await compileRename(column, input))[0]).toBe('tables.update');
});
