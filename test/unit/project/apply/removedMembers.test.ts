import { describe, expect, test } from 'vitest';
import { stringify } from '../../../../src/base/json.ts';
import { asObject, getObjects } from '../../../../src/changes/model/jsonMembers.ts';
import { hashParts } from '../../../../src/project/compare/parts.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import { PulledProject } from '../pull/pullSupport.ts';
import { compile, createColumn, createInstanceDocuments, createTable, pullFrom } from './compileSupport.ts';

const path = 'datamodels/M/tables/T.table.json';

test('null in a file is sent only for members that a request can remove', async () => {
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

describe('a viewpoint with a member that is null on the instance', () => {
  const viewpointPath = 'viewpoints/V.viewpoint.json';
  const withNull = { id: 'v', name: 'V', description: 'Text', kind: null };
  const withValue = { ...withNull, kind: 'open' };

  test('is pulled and created without it, so another instance keeps its value', async () => {
    const project = pullFrom({ viewpoints: [withNull] });
    expect(JSON.parse(project.texts.get(viewpointPath) ?? '')).toEqual({ name: 'V', description: 'Text' });
    expect((await compile(project, { viewpoints: [withValue] })).writes).toEqual([]);
    project.edit(viewpointPath, '"Text"', '"Text", "kind": null');
    const creation = await compile(project, {});
    expect(creation.writes.map(({ body }) => body)).toEqual([{ name: 'V', description: 'Text' }]);
    const removal = await compile(project, { viewpoints: [withValue] });
    expect(removal.writes.map(({ body }) => body)).toEqual([{ kind: null }]);
  });

  test('has not changed if an earlier version has pulled the null, and the next pull removes it', async () => {
    const project = pullFrom({ viewpoints: [withValue] });
    project.edit(viewpointPath, '"open"', 'null');
    const text = formatItemKey({ kind: 'viewpoint', viewpoint: 'V' });
    const entry = project.lock.entries.get(text);
    const parts = new Map([...(entry?.parts ?? []), ...hashParts({ kind: null })]);
    project.lock = { ...project.lock, entries: new Map([[text, { ...entry, parts }]]) };
    expect((await compile(project, { viewpoints: [withNull] })).comparison.changes).toEqual([]);

    const edited = new PulledProject(new Map(project.texts), project.lock);
    edited.edit(viewpointPath, 'null', '"shut"');
    expect((await compile(edited, { viewpoints: [withNull] })).comparison.changes).toEqual([
      expect.objectContaining({ isChangedOnServer: false, parts: [{ pointer: '/kind', after: 'shut' }] }),
    ]);
    edited.pull({ viewpoints: [withNull] });
    expect(edited.texts.get(viewpointPath)).toContain('"kind": "shut"');

    project.pull({ viewpoints: [withNull] });
    expect(JSON.parse(project.texts.get(viewpointPath) ?? '')).toEqual({ name: 'V', description: 'Text' });
  });
});
