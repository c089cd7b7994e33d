import { expect, test } from 'vitest';
import { stringify } from '../../../../src/base/json.ts';
import { asObject, getObjects } from '../../../../src/changes/model/readJson.ts';
import { compile, createColumn, createInstanceDocuments, createTable, pullFrom } from './compileSupport.ts';

const path = 'datamodels/M/tables/T.table.json';

test('null in a file is sent for what it can remove, and nothing else', async () => {
  const column = createColumn('T', 'K', { description: 'Text', size: 10, isUpsertBy: true });
  const members = { description: 'Text', hidden: true, tags: ['a'], configOptions: { a: 1 } };
  const instance = createInstanceDocuments([createTable('T', [column], members)]);
  const project = pullFrom(instance);
  const file = {
    name: 'T',
    dataset: 'S',
    id: null,
    type: null,
    description: null,
    hidden: null,
    tags: null,
    configOptions: null,
    columns: [{ name: 'K', id: null, type: null, size: null, description: null, isUpsertBy: true }],
  };
  project.texts.set(path, stringify(file));
  const { writes, comparison } = await compile(project, instance);
  expect(writes.map(({ endpoint, body }) => ({ endpoint, body }))).toEqual([
    {
      endpoint: 'tables.update',
      body: {
        description: null,
        hidden: null,
        tags: [],
        configOptions: null,
        columns: [{ ...column, description: null }],
      },
    },
  ]);
  expect(comparison.notes.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
    'not-removable /id',
    'not-removable /columns/K/id',
    'not-removable /columns/K/type',
    'not-removable /columns/K/size',
  ]);

  // A new table doesn't have what would be removed.
  project.texts.set(path, stringify({ ...file, name: 'New', id: 'new', type: 'base' }));
  const [creation] = (await compile(project, instance)).writes;
  expect(Object.keys(asObject(creation?.body))).toEqual(['id', 'type', 'name', 'columns']);
  expect(getObjects(asObject(creation?.body)['columns'])).toEqual([{ name: 'K', isUpsertBy: true }]);
});

test('null as the description of a viewpoint is sent as an empty text, because it is required', async () => {
  const viewpoint = { id: 'v', name: 'V', description: 'Text' };
  const project = pullFrom({ viewpoints: [viewpoint] });
  project.edit('viewpoints/V.viewpoint.json', '"Text"', 'null');
  const update = await compile(project, { viewpoints: [viewpoint] });
  expect(update.writes.map(({ body }) => body)).toEqual([{ description: '' }]);
  const creation = await compile(project, {});
  expect(creation.writes.map(({ body }) => body)).toEqual([{ description: '', name: 'V' }]);
});
