import { describe, expect, test } from 'vitest';
import type { DocumentRef } from '../../../src/documents/documentAddress.ts';
import { parseJsonText } from '../../../src/documents/jsonText.ts';
import { useSandbox } from '../client/sandboxFixture.ts';
import { getDemoDocuments, createDocuments, getPath } from './editorWindow.ts';

const fixture = useSandbox();

const kinds: readonly DocumentRef['kind'][] = [
  'datamodel',
  'dataset',
  'table',
  'tableExpression',
  'columnExpression',
  'relation',
  'columnRules',
  'rule',
  'viewpoint',
  'customDataObject',
];

describe.each(kinds)('%s', (kind) => {
  test('opens with one request, and stays the same while the document on the server is unchanged', async () => {
    const path = getPath((await getDemoDocuments(fixture.client))[kind]);
    const documents = createDocuments(fixture.client);
    const before = fixture.countRequests();
    const stat = await documents.stat(path);
    const bytes = await documents.read(path);
    expect(fixture.countRequests() - before).toBe(1);
    expect(stat.size).toBe(bytes.length);
    expect(stat.isReadOnly).toBe(kind === 'datamodel');
    documents.handleServerChange(path);
    expect(await documents.stat(path)).toEqual(stat);
    const text = new TextDecoder().decode(bytes);
    expect('value' in parseJsonText(text, { allowsComments: false }), text).toBe(
      !kind.endsWith('Expression'),
    );
  });

  test('does not exist if the server does not have it', async () => {
    const ref = (await getDemoDocuments(fixture.client))[kind];
    const missingRef = JSON.parse(
      JSON.stringify(ref).replace(/"(\w+Id)":"[^"]+"/g, '"$1":"00000000-0000-4000-8000-000000000000"'),
    );
    const documents = createDocuments(fixture.client);
    // A column without rules opens as an empty list, so that its first rule can be added.
    if (kind === 'columnRules') {
      const emptyColumn = { ...(ref as Extract<DocumentRef, { kind: 'columnRules' }>), column: 'No such' };
      expect(new TextDecoder().decode(await documents.read(getPath(emptyColumn)))).toBe('[]\n');
    } else {
      await expect(documents.stat(getPath(missingRef as DocumentRef))).rejects.toMatchObject({
        code: 'gone',
      });
    }
  });
});

test('the modification time advances if the document changes, but not if only server-managed fields do', async () => {
  const refs = await getDemoDocuments(fixture.client);
  const table = refs.table;
  const path = getPath(table);
  const documents = createDocuments(fixture.client);
  const before = await documents.stat(path);
  const { value } = await fixture.client.tables.get(table);
  await fixture.client.tables.update(table, { hidden: value.hidden === true });
  documents.handleServerChange(path);
  expect(await documents.stat(path)).toEqual(before);
  await fixture.client.tables.update(table, { description: 'Another' });
  documents.handleServerChange(path);
  const after = await documents.stat(path);
  expect(after.mtime).toBeGreaterThan(before.mtime);
  expect(after.size).toBe((await documents.read(path)).length);
});

test('a table and its SQL share one response', async () => {
  const refs = await getDemoDocuments(fixture.client);
  const { kind: _kind, ...ids } = refs.tableExpression;
  const sql = getPath(refs.tableExpression);
  const json = getPath({ kind: 'table', ...ids });
  const documents = createDocuments(fixture.client);
  const before = fixture.countRequests();
  await documents.read(sql);
  await documents.read(json);
  expect(fixture.countRequests() - before).toBe(1);
  expect(documents.getSiblings(sql)).toEqual([json]);
});

test('a response is cached until the last document that uses it is closed', async () => {
  const { tableExpression } = await getDemoDocuments(fixture.client);
  const { kind: _, ...ids } = tableExpression;
  const [sql, table] = [getPath(tableExpression), getPath({ kind: 'table', ...ids })];
  const documents = createDocuments(fixture.client);
  await documents.read(sql);
  await documents.read(table);
  documents.handleClose(sql);
  const before = fixture.countRequests();
  await documents.read(table);
  expect(fixture.countRequests() - before, 'the table is still open').toBe(0);
  documents.handleClose(table);
  await documents.read(table);
  expect(fixture.countRequests() - before, 'closed documents are not cached').toBe(1);
});

test('a base table has no SQL', async () => {
  const refs = await getDemoDocuments(fixture.client);
  const { kind: _kind, ...ids } = refs.table;
  const documents = createDocuments(fixture.client);
  await expect(documents.stat(getPath({ kind: 'tableExpression', ...ids }))).rejects.toMatchObject({
    code: 'gone',
  });
});
