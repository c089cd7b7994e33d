import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getObjects } from '../../../../src/changes/model/jsonMembers.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import {
  type DeletableKind,
  createServerChangeFinder,
  findExceededKinds,
  listDeletableKinds,
  listDeletedKinds,
  noDeletions,
  selectDeletions,
  wasPulled,
} from '../../../../src/project/apply/deletableItems.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import type { PrunedKind } from '../../../../src/project/plan/compareProject.ts';
import { compare } from '../plan/planSupport.ts';
import type { PulledProject } from '../pull/pullSupport.ts';
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

const kept = createTable('Kept', [createColumn('Kept', 'Id'), createColumn('Kept', 'Extra')]);
const old = createCustomTable('Old', [createColumn('Old', 'Id')]);
const relation = createRelation('Kept.Id', 'Old.Id');
const rules = [createRule('Old.Id'), createRule('Kept.Id')];
const documents = createInstanceDocuments([kept, old], { relations: [relation], rules });

/** A project that has pulled the instance, and has deleted a table, a column, and the rules on another column since. */
function createProject(): PulledProject {
  const project = pullFrom(documents);
  for (const path of project.texts.keys()) {
    if (/\/Old\.|\/relations|Kept\.Id\.rules/.test(path)) {
      project.texts.delete(path);
    }
  }
  const path = 'datamodels/M/tables/Kept.table.json';
  const table = JSON.parse(project.texts.get(path) ?? '') as {
    readonly columns: readonly { name: string }[];
  };
  const columns = table.columns.filter(({ name }) => name !== 'Extra');
  project.texts.set(path, JSON.stringify({ ...table, columns }));
  return project;
}

const plan = (project: PulledProject, current: typeof documents, ...kinds: readonly PrunedKind[]) => {
  const prunedKinds = new Set(kinds);
  return {
    lock: project.lock,
    operation: {
      project: { folder: '', environment: '', ...(kinds.length === 0 ? {} : { prunedKinds: kinds }) },
    } as unknown as Operation,
    prepared: {
      comparison: compare(project, current, { prunedKinds }),
      recompare: (changes: { readonly prunedKinds?: ReadonlySet<PrunedKind> }) =>
        compare(project, current, { prunedKinds, ...changes }),
    },
  };
};

const summarize = (kinds: readonly DeletableKind[]) =>
  kinds.map(({ kind, items }) => [
    kind,
    items.map(({ key, column = '' }) => `${formatItemKey(key)} ${column}`.trim()),
  ]);

const deletable = [
  ['table', ['table/M/Old']],
  ['column', ['table/M/Kept Extra']],
  ['rules', ['rules/M/Kept/Id', 'rules/M/Old/Id']],
];

test('what only the instance has is listed by kind, without the SQL of listed tables', () => {
  const listed = summarize(listDeletableKinds(plan(createProject(), documents)));
  expect(listed.filter(([kind]) => kind !== 'relation')).toEqual(deletable);
});

test('what a plan deletes already stays listed', () => {
  const project = createProject();
  const pruned = plan(project, documents, 'table', 'column');
  expect(summarize(listDeletableKinds(pruned))).toEqual(
    summarize(listDeletableKinds(plan(project, documents))),
  );
  expect(pruned.prepared.comparison.extraItems.map(({ key }) => key.kind)).not.toContain('table');
});

test('nothing is listed if the project has everything', () => {
  expect(listDeletableKinds(plan(pullFrom(documents), documents))).toEqual([]);
});

test('SQL alone cannot be deleted, so it is not listed', () => {
  const project = pullFrom(documents);
  project.texts.delete('datamodels/M/tables/Old.datamodel.sql');
  project.edit('datamodels/M/tables/Old.table.json', '"expression"', '"comment"');
  const { extraItems } = plan(project, documents).prepared.comparison;
  expect(extraItems.map(({ key }) => key.kind)).toEqual(['tableExpression']);
  expect(listDeletableKinds(plan(project, documents))).toEqual([]);
});

test('a plan exceeds the selected deletions if it deletes further items of their kinds, but not if items are gone', () => {
  const project = createProject();
  const listed = listDeletableKinds(plan(project, documents));
  const selected = selectDeletions(new Set(['table', 'column']), listed);
  const findExceeded = (current: typeof documents, selection = selected) =>
    findExceededKinds(plan(project, current, ...selection.kinds), selection);
  expect(findExceeded(documents)).toEqual([]);
  expect(findExceeded(createInstanceDocuments([kept], { rules }))).toEqual([]);
  const more = createInstanceDocuments([kept, old, createTable('New', [createColumn('New', 'Id')])], {
    relations: [relation],
    rules,
  });
  expect(findExceeded(more)).toEqual(['table']);
  expect(findExceeded(more, noDeletions)).toEqual([]);
  expect(
    findExceeded(more, selectDeletions(new Set(['table']), listDeletableKinds(plan(project, more)))),
  ).toEqual([]);
  // Another column of the same table was not listed, either.
  const extra = ['Id', 'Extra', 'Later'].map((name) => createColumn('Kept', name));
  const moreColumns = createInstanceDocuments([createTable('Kept', extra), old], {
    relations: [relation],
    rules,
  });
  expect(findExceeded(moreColumns)).toEqual(['column']);
});

test('what others have added or changed since the last pull is found, also in what belongs to an item', () => {
  const project = createProject();
  const check = (current: typeof documents) => {
    const compared = plan(project, current);
    const checkUnseen = createServerChangeFinder(compared);
    return listDeletableKinds(compared)
      .filter(({ kind }) => kind === 'table' || kind === 'column')
      .flatMap(({ items }) =>
        items.map((item) =>
          [formatItemKey(item.key), item.column, checkUnseen(item)].filter(Boolean).join(' '),
        ),
      );
  };
  expect(check(documents)).toEqual(['table/M/Old', 'table/M/Kept Extra']);
  const changedExtra = { ...createColumn('Kept', 'Extra'), description: 'Theirs' };
  const changed = createInstanceDocuments(
    [
      createTable('Kept', [createColumn('Kept', 'Id'), changedExtra, createColumn('Kept', 'Later')]),
      createCustomTable('Old', [createColumn('Old', 'Id')], { expression: 'SELECT 2' }),
    ],
    { relations: [relation], rules },
  );
  expect(check(changed)).toEqual([
    'table/M/Old changed',
    'table/M/Kept Extra changed',
    'table/M/Kept Later added',
  ]);
});

test('what no pull has seen does not count as deleted in the project', () => {
  const project = createProject();
  const later = createInstanceDocuments(
    [
      createTable(
        'Kept',
        ['Id', 'Extra', 'Later'].map((name) => createColumn('Kept', name)),
      ),
      old,
      createTable('New', [createColumn('New', 'Id')]),
    ],
    { rules },
  );
  const { extraItems } = plan(project, later).prepared.comparison;
  const format = (isPulled: boolean) =>
    extraItems
      .filter((extra) => wasPulled(project.lock, extra) === isPulled)
      .map(({ key, column = '' }) => `${formatItemKey(key)} ${column}`.trim());
  expect(format(true)).toEqual(['rules/M/Kept/Id', 'rules/M/Old/Id', 'table/M/Kept Extra', 'table/M/Old']);
  expect(format(false)).toEqual(['table/M/Kept Later', 'table/M/New']);
});

test('the deletions of a plan are counted without SQL, but with the relations that are deleted, too', async () => {
  const project = createProject();
  expect(listDeletedKinds(await compile(project, documents).then(toPrepared))).toEqual([]);
  const options = { prunedKinds: ['table', 'column', 'rules'] as const };
  const deleted = listDeletedKinds(await compile(project, documents, options).then(toPrepared));
  expect(deleted.toSorted()).toEqual(['column', 'relation', 'rules', 'rules', 'table']);
});

test('a deletion on a renamed column that waits for another apply is not counted', async () => {
  const [tableA, tableB] = ['A', 'B'].map((name) => createTable(name, [createColumn(name, 'K')]));
  const members = ['2'];
  const project = pullFrom(
    createInstanceDocuments([tableA ?? {}, tableB ?? {}], { rules: [createRule('B.K', { members })] }),
  );
  const current = createInstanceDocuments(
    [createTable('A', [createColumn('A', 'K', { name: 'Former' })]), tableB ?? {}],
    { rules: [createRule('A.Former'), createRule('B.K')] },
  );
  const compiled = await compile(project, current, { prunedKinds: ['rules'] });
  expect(compiled.deferred.map(({ key }) => formatItemKey(key))).toContain('rules/M/A/K');
  expect(listDeletedKinds(toPrepared(compiled))).toEqual([]);
});

describe('the deletion of a column', () => {
  const custom = createColumn('C', 'Z', { isCustom: true, expression: '1' });
  const [columnJ, columnK] = ['J', 'K'].map((name) => createColumn('C', name));

  test('counts although a part of its table refers to a column that only a build creates', async () => {
    const project = pullFrom(
      createInstanceDocuments([
        createCustomTable('C', [columnJ ?? {}, columnK ?? {}], {
          buildBehavior: { type: 'accumulativeSync', accumulativeConfig: { column: 'C K' } },
        }),
      ]),
    );
    const current = createInstanceDocuments([createCustomTable('C', [columnJ ?? {}, custom])]);
    const compiled = await compile(project, current, { prunedKinds: ['column'] });
    expect(compiled.deferred).toMatchObject([{ reason: 'generated-column', part: 'references' }]);
    expect(compiled.writes.at(-1)?.body).toMatchObject({ columns: [{ name: 'J' }] });
    expect(listDeletedKinds(toPrepared(compiled))).toEqual(['column']);
  });

  test('does not count if it waits for another apply', async () => {
    const tableA = (column: JsonObject) => createTable('A', [column, createColumn('A', 'J')]);
    const tableB = createTable('B', [createColumn('B', 'K')]);
    const members = ['2'];
    const project = pullFrom(
      createInstanceDocuments([tableA(createColumn('A', 'K')), tableB], {
        rules: [createRule('A.K', { members }), createRule('B.K', { members })],
      }),
    );
    const current = createInstanceDocuments(
      [tableA(createColumn('A', 'K', { name: 'Former' })), createTable('B', [...getColumns(tableB), custom])],
      { rules: [createRule('A.Former'), createRule('B.K')] },
    );
    const compiled = await compile(project, current, { prunedKinds: ['column'] });
    expect(compiled.deferred.filter(({ key }) => key.kind === 'table')).toMatchObject([
      { key: { table: 'B' }, reason: 'renames-first', part: 'column-deletions' },
    ]);
    expect(listDeletedKinds(toPrepared(compiled))).toEqual([]);
  });
});

const getColumns = (table: JsonObject): readonly JsonObject[] => getObjects(table['columns']);

const toPrepared = ({ comparison, ...compiled }: Awaited<ReturnType<typeof compile>>) => ({
  comparison,
  compiled,
});
