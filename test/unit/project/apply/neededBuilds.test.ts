import { describe, expect, test } from 'vitest';
import { listNeededBuilds } from '../../../../src/project/apply/neededBuilds.ts';
import {
  compile,
  createColumn,
  createCustomTable,
  createInstanceDocuments,
  createRelation,
  createRule,
  createTable,
  pullFrom,
} from './compileSupport.ts';

const tableA = createTable('A', [createColumn('A', 'K')]);
const columns = [createColumn('C', 'K')];
const withRelation = createInstanceDocuments([tableA, createCustomTable('C', columns)], {
  relations: [createRelation('A.K', 'C.K')],
});

const listBuilds = async (...args: Parameters<typeof compile>) => {
  const compiled = await compile(...args);
  expect(compiled.problems).toEqual([]);
  expect(compiled.deferred.length).toBeGreaterThan(0);
  return listNeededBuilds({ comparison: compiled.comparison, compiled });
};

describe('a relation to a column that is created from SQL', () => {
  test('may need no build if this plan writes the SQL', async () => {
    expect(await listBuilds(pullFrom(withRelation), createInstanceDocuments([tableA]))).toEqual([]);
  });

  test('may need no build if this plan changes the SQL', async () => {
    const current = createInstanceDocuments([
      tableA,
      { ...createCustomTable('C', []), expression: 'SELECT 2' },
    ]);
    expect(await listBuilds(pullFrom(withRelation), current)).toEqual([]);
  });

  test('needs a build if the instance has the SQL, but not the column', async () => {
    const current = createInstanceDocuments([tableA, createCustomTable('C', [])]);
    expect(await listBuilds(pullFrom(withRelation), current)).toEqual(['M']);
  });

  test('needs a build even if this plan creates other tables, or writes other SQL', async () => {
    const project = createInstanceDocuments(
      [
        tableA,
        createCustomTable('C', columns),
        createTable('B', [createColumn('B', 'K')]),
        createCustomTable('D', []),
      ],
      { relations: [createRelation('A.K', 'C.K')] },
    );
    const current = createInstanceDocuments([tableA, createCustomTable('C', [])]);
    expect(await listBuilds(pullFrom(project), current)).toEqual(['M']);
  });
});

describe('a relation between two columns that are created from SQL', () => {
  const tables = ['C', 'D'].map((name) => createCustomTable(name, [createColumn(name, 'K')]));
  const unbuilt = ['C', 'D'].map((name) => createCustomTable(name, []));

  test.each([['C.K', 'D.K'] as const, ['D.K', 'C.K'] as const])(
    'needs a build unless this plan writes the SQL of both: %s = %s',
    async (...ends) => {
      const project = pullFrom(createInstanceDocuments(tables, { relations: [createRelation(...ends)] }));
      const [unbuiltC = {}, unbuiltD = {}] = unbuilt;
      expect(await listBuilds(project, createInstanceDocuments([unbuiltC, unbuiltD]))).toEqual(['M']);
      expect(await listBuilds(project, createInstanceDocuments([unbuiltC]))).toEqual(['M']);
      expect(await listBuilds(project, createInstanceDocuments([unbuiltD]))).toEqual(['M']);
      expect(await listBuilds(project, createInstanceDocuments([]))).toEqual([]);
    },
  );
});

test('rules need a build of a datamodel that takes them only after its first one', async () => {
  const project = pullFrom(createInstanceDocuments([tableA], { rules: [createRule('A.K')] }));
  const options = { titlesThatNeedBuild: new Set(['M']) };
  expect(await listBuilds(project, createInstanceDocuments([tableA]), options)).toEqual(['M']);
  // Tables that the plan creates don't change that.
  expect(await listBuilds(project, createInstanceDocuments([]), options)).toEqual(['M']);
});
