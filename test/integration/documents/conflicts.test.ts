import { afterEach, describe, expect, test } from 'vitest';
import type { DocumentRef } from '../../../src/documents/documentAddress.ts';
import { type SaveIntent, getRemainingDecisions } from '../../../src/documents/saveIntent.ts';
import { PlanNeededError, StoppedError } from '../../../src/changes/run/writeErrors.ts';
import { useSandbox } from '../client/sandboxFixture.ts';
import {
  NewerFileDialogError,
  type EditorWindow,
  createBaseStorage,
  encodeText,
  getDemoDocuments,
  openDocument,
  getPath,
  saveLikeEditor,
  openWindow,
} from './editorWindow.ts';
import { expectDefined, expectInstance } from '../../support/expectations.ts';

const fixture = useSandbox();

type Json = Record<string, unknown>;
type TableRef = Extract<DocumentRef, { kind: 'table' }>;

const getTableRef = async () => (await getDemoDocuments(fixture.client)).table;
const withDescription = (text: string, description: string): string =>
  JSON.stringify({ ...(JSON.parse(text) as Json), description }, undefined, 2);
const getFailure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A table with a description of five letters, open in an editor. */
async function openTable(): Promise<{ window: EditorWindow; ref: TableRef; path: string; text: string }> {
  const ref = await getTableRef();
  await fixture.client.tables.update(ref, { description: 'First' });
  const window = openWindow(fixture.client);
  const path = getPath(ref);
  return { window, ref, path, text: await openDocument(window.documents, path) };
}

const getDescription = async (ref: TableRef) => (await fixture.client.tables.get(ref)).value.description;

describe('a document that another user has changed on the server', () => {
  test("if its length differs, only the extension's Overwrite overwrites it, not the Overwrite of the editor's dialog", async () => {
    const { window, ref, path, text } = await openTable();
    await fixture.client.tables.update(ref, { description: 'A longer one' });
    const mine = withDescription(text, 'Mine');
    expect(await getFailure(saveLikeEditor(window.documents, path, mine))).toBeInstanceOf(
      NewerFileDialogError,
    );
    const conflict = (await getFailure(
      saveLikeEditor(window.documents, path, mine, { overwrite: true }),
    )) as {
      theirs: never;
    };
    expect(conflict).toMatchObject({ name: 'DocumentConflictError' });
    expect(await getDescription(ref)).toBe('A longer one');
    const intent = { versionToOverwrite: conflict.theirs };
    await saveLikeEditor(window.documents, path, mine, { overwrite: true, intent });
    expect(await getDescription(ref)).toBe('Mine');
  });

  test('if its length is the same, the editor does not notice the change, but the save is stopped', async () => {
    const { window, ref, path, text } = await openTable();
    await fixture.client.tables.update(ref, { description: 'Other' });
    const error = await getFailure(saveLikeEditor(window.documents, path, withDescription(text, 'Mine')));
    expect(error).toMatchObject({ name: 'DocumentConflictError', path });
    expect(await getDescription(ref)).toBe('Other');
  });

  test("if it was changed between the editor's check and the write, the save is stopped", async () => {
    const { window, ref, path, text } = await openTable();
    window.documents.handleServerChange(path);
    await window.documents.stat(path);
    await fixture.client.tables.update(ref, { description: 'At the last moment' });
    const saving = window.documents.write(path, encodeText(withDescription(text, 'Mine')), {
      isExplicit: true,
    });
    expect(await getFailure(saving)).toMatchObject({ name: 'DocumentConflictError' });
    expect(await getDescription(ref)).toBe('At the last moment');
  });

  test('Overwrite applies to one save, and only to the version that the user has reviewed', async () => {
    const { window, ref, path, text } = await openTable();
    await fixture.client.tables.update(ref, { description: 'Other' });
    const mine = `${withDescription(text, 'Mine!')}\n`;
    const conflict = (await getFailure(saveLikeEditor(window.documents, path, mine))) as { theirs: never };
    await fixture.client.tables.update(ref, { description: 'Third' });
    const intent = { versionToOverwrite: conflict.theirs };
    const secondConflict = (await getFailure(saveLikeEditor(window.documents, path, mine, { intent }))) as {
      theirs: never;
    };
    expect(secondConflict).toMatchObject({ name: 'DocumentConflictError' });
    await saveLikeEditor(window.documents, path, mine, {
      intent: { versionToOverwrite: secondConflict.theirs },
    });
    expect(await getDescription(ref)).toBe('Mine!');
    await fixture.client.tables.update(ref, { description: 'Again' });
    expect(await getFailure(saveLikeEditor(window.documents, path, mine.replace('!', '?')))).toMatchObject({
      name: 'DocumentConflictError',
    });
  });

  test('changes from both sides are merged by key, and the merged text is saved without another question', async () => {
    const { window, ref, path, text } = await openTable();
    const table = JSON.parse(text) as { columns: Json[] };
    const [firstColumn, secondColumn] = table.columns;
    const theirs = (await fixture.client.tables.get(ref)).value.columns ?? [];
    await fixture.client.tables.update(ref, {
      columns: [...theirs.slice(2), { ...theirs[0], description: 'Theirs' }, { ...theirs[1] }],
    });
    const ours = JSON.stringify({
      ...table,
      columns: [firstColumn, { ...secondColumn, description: 'Ours' }, ...table.columns.slice(2)],
    });
    const merge = await window.documents.merge(path, ours);
    expect(merge.conflicts).toEqual([]);
    window.documents.adopt(path, merge.theirs);
    const before = await window.documents.stat(path);
    await saveLikeEditor(window.documents, path, merge.text);
    expect(before.mtime).toBeLessThan((await window.documents.stat(path)).mtime);
    const after = (await fixture.client.tables.get(ref)).value.columns ?? [];
    expect(after.find(({ oid }) => oid === firstColumn?.['oid'])).toMatchObject({ description: 'Theirs' });
    expect(after.find(({ oid }) => oid === secondColumn?.['oid'])).toMatchObject({ description: 'Ours' });
    expect(after.map(({ oid }) => oid)).toEqual(
      [...theirs.slice(2), ...theirs.slice(0, 2)].map(({ oid }) => oid),
    );
  });

  test("if both sides changed the same property, the merge reports the path, and keeps the user's value", async () => {
    const { window, ref, path, text } = await openTable();
    await fixture.client.tables.update(ref, { description: 'Theirs' });
    window.documents.handleServerChange(path);
    const mine = withDescription(text, 'Mine');
    const merge = await window.documents.merge(path, mine);
    expect(merge.conflicts).toEqual([{ path: ['description'], ours: 'Mine', theirs: 'Theirs' }]);
    expect(JSON.parse(merge.text)).toMatchObject({ description: 'Mine' });
  });

  test('if only server-managed fields were changed, the save succeeds', async () => {
    const { window, ref, path, text } = await openTable();
    await fixture.client.tables.update(ref, { description: 'First' });
    await saveLikeEditor(window.documents, path, withDescription(text, 'Mine'));
    expect(await getDescription(ref)).toBe('Mine');
  });
});

test('two windows save the same viewpoint: the second is stopped', async () => {
  const path = getPath((await getDemoDocuments(fixture.client)).viewpoint);
  const [firstWindow, secondWindow] = [
    openWindow(fixture.client).documents,
    openWindow(fixture.client).documents,
  ];
  const text = await openDocument(firstWindow, path);
  await openDocument(secondWindow, path);
  await saveLikeEditor(firstWindow, path, text.replace('"description": "', '"description": "A'));
  const secondText = text.replace('"description": "', '"description": "B');
  expect(await getFailure(saveLikeEditor(secondWindow, path, secondText))).toBeInstanceOf(
    NewerFileDialogError,
  );
  // This save has the same length as that of the first window, so the editor notices nothing.
  await openDocument(secondWindow, path);
  await saveLikeEditor(firstWindow, path, text.replace('"description": "', '"description": "C'));
  expect(await getFailure(saveLikeEditor(secondWindow, path, secondText))).toMatchObject({
    name: 'DocumentConflictError',
  });
});

test("reading the file while it has unsaved changes does not hide another user's change", async () => {
  const { window, ref, path, text } = await openTable();
  window.dirty.add(path);
  await fixture.client.tables.update(ref, { description: 'Other' });
  window.documents.handleServerChange(path);
  await openDocument(window.documents, path);
  const saving = saveLikeEditor(window.documents, path, withDescription(text, 'Mine'));
  expect(await getFailure(saving)).toMatchObject({ name: 'DocumentConflictError' });
});

test('after unsaved changes are discarded, a save causes no false conflict', async () => {
  const { window, ref, path } = await openTable();
  window.dirty.add(path);
  await fixture.client.tables.update(ref, { description: 'Other' });
  window.documents.handleServerChange(path);
  const text = await openDocument(window.documents, path);
  window.dirty.delete(path);
  window.documents.handleUndoneChanges(path, text);
  await saveLikeEditor(window.documents, path, withDescription(text, 'Mine'));
  expect(await getDescription(ref)).toBe('Mine');
});

describe('after a restart', () => {
  test('unsaved changes that the editor backed up can be saved as before', async () => {
    const ref = await getTableRef();
    const path = getPath(ref);
    const baseStorage = createBaseStorage();
    const before = openWindow(fixture.client, { baseStorage });
    const text = await openDocument(before.documents, path);
    const stat = await before.documents.stat(path);
    await before.documents.handleEdit(path);

    const after = openWindow(fixture.client, { baseStorage });
    after.dirty.add(path);
    expect(await after.documents.stat(path)).toEqual(stat);
    await saveLikeEditor(after.documents, path, withDescription(text, 'Over night'));
    expect(await getDescription(ref)).toBe('Over night');
    expect(await baseStorage.read(path)).toBeUndefined();
  });

  test("another user's change before the restart stops the save", async () => {
    const ref = await getTableRef();
    const path = getPath(ref);
    await fixture.client.tables.update(ref, { description: 'First' });
    const baseStorage = createBaseStorage();
    const before = openWindow(fixture.client, { baseStorage });
    const text = await openDocument(before.documents, path);
    await before.documents.handleEdit(path);
    await fixture.client.tables.update(ref, { description: 'Other' });

    const after = openWindow(fixture.client, { baseStorage });
    after.dirty.add(path);
    const saving = saveLikeEditor(after.documents, path, withDescription(text, 'Mine'));
    expect(await getFailure(saving)).toMatchObject({
      name: 'DocumentConflictError',
      base: expect.anything(),
    });
  });

  test('if the base of the document was not stored, a save asks before it overwrites anything', async () => {
    const { ref, path, text } = await openTable();
    const after = openWindow(fixture.client);
    after.dirty.add(path);
    const conflict = (await getFailure(
      saveLikeEditor(after.documents, path, withDescription(text, 'Mine')),
    )) as {
      theirs: never;
    };
    expect(conflict).toMatchObject({ name: 'DocumentConflictError', base: undefined });
    const intent = { versionToOverwrite: conflict.theirs };
    await saveLikeEditor(after.documents, path, withDescription(text, 'Mine'), { intent });
    expect(await getDescription(ref)).toBe('Mine');
  });
});

describe('refused saves are not sent', () => {
  test.each([
    ['an automatic save', 'text', { isExplicit: false }, { code: 'not-explicit' }],
    ['a text that is not JSON', '{"a": 1,', { isExplicit: true }, { code: 'not-json' }],
    ['a list', '[]', { isExplicit: true }, { code: 'wrong-shape' }],
  ] as const)('%s', async (_what, text, options, expected) => {
    const { window, path } = await openTable();
    const before = fixture.countRequests();
    expect(await getFailure(window.documents.write(path, encodeText(text), options))).toMatchObject(expected);
    expect(fixture.countRequests() - before).toBe(0);
  });

  test('a file that was never opened', async () => {
    const path = getPath(await getTableRef());
    const { documents } = openWindow(fixture.client);
    const writing = documents.write(path, encodeText('{}'), { isExplicit: true });
    expect(await getFailure(writing)).toMatchObject({ code: 'not-opened' });
  });

  test('a document with changed server-managed fields, or without required ones', async () => {
    const { window, path, text } = await openTable();
    const table = JSON.parse(text) as Json;
    const { description: _description, ...rest } = table;
    expect(
      await getFailure(
        saveLikeEditor(window.documents, path, JSON.stringify({ ...table, createdAt: 'x', oid: 'y' })),
      ),
    ).toMatchObject({
      code: 'not-editable',
      paths: [['oid'], ['createdAt']],
    });
    expect(await getFailure(saveLikeEditor(window.documents, path, JSON.stringify(rest)))).toMatchObject({
      code: 'not-removable',
      paths: [['description']],
    });
  });
});

test('deleting a column needs a plan first; the approved plan is saved', async () => {
  const { window, ref, path, text } = await openTable();
  const table = JSON.parse(text) as { columns: Json[] };
  const next = JSON.stringify({ ...table, columns: table.columns.slice(0, -1) });
  const needed = await getFailure(saveLikeEditor(window.documents, path, next));
  expect((await fixture.client.tables.get(ref)).value.columns).toHaveLength(table.columns.length);
  const approval = window.writer.approve(expectInstance(needed, PlanNeededError).planHash);
  await saveLikeEditor(window.documents, path, next, { intent: { approval } });
  expect((await fixture.client.tables.get(ref)).value.columns).toHaveLength(table.columns.length - 1);
});

test('the decision to overwrite is kept if the save then needs a plan, and the plan is for one save only', async () => {
  const { window, ref, path, text } = await openTable();
  const table = JSON.parse(text) as { columns: Json[] };
  await fixture.client.tables.update(ref, { description: 'Other' });
  const next = JSON.stringify({ ...table, columns: table.columns.slice(0, -1) });
  window.dirty.add(path);
  const save = (intent?: SaveIntent) =>
    window.documents.write(path, encodeText(next), { isExplicit: true, intent });
  window.documents.handleServerChange(path);
  const conflict = (await getFailure(save())) as { theirs: never };
  expect(conflict).toMatchObject({ name: 'DocumentConflictError' });
  const overwriting = { versionToOverwrite: conflict.theirs };
  const needed = expectInstance(await getFailure(save(overwriting)), PlanNeededError);
  const approval = window.writer.approve(needed.planHash);
  expect(await getFailure(save({ approval }))).toMatchObject({ name: 'DocumentConflictError' });
  const intent = { ...getRemainingDecisions(overwriting), approval };
  await save(intent);
  expect((await fixture.client.tables.get(ref)).value).toMatchObject({
    description: 'First',
    columns: { length: table.columns.length - 1 },
  });
  expect(getRemainingDecisions(intent)).toEqual(overwriting);
});

describe('when the server fails', () => {
  afterEach(() => fixture.sandbox.setFaults([]));

  test('the save fails with the message of the server, and succeeds once the server works again', async () => {
    const { window, ref, path, text } = await openTable();
    await fixture.sandbox.setFaults([{ kind: 'status', status: 400, methods: ['PATCH'] }]);
    expect(
      await getFailure(saveLikeEditor(window.documents, path, withDescription(text, 'Mine'))),
    ).toMatchObject({
      name: 'HttpError',
      status: 400,
      serverMessage: expect.any(String),
    });
    await fixture.sandbox.setFaults([]);
    await saveLikeEditor(window.documents, path, withDescription(text, 'Mine'));
    expect(await getDescription(ref)).toBe('Mine');
  });

  test('after it has carried out a save, the save still succeeds', async () => {
    const { window, ref, path, text } = await openTable();
    await fixture.sandbox.setFaults([{ kind: 'drop', methods: ['PATCH'], when: 'after', count: 1 }]);
    let unknownCount = 0;
    window.documents.handleServerChange(path);
    await window.documents.stat(path);
    const options = { isExplicit: true, onResponseLost: () => (unknownCount += 1) };
    await window.documents.write(path, encodeText(withDescription(text, 'Mine')), options);
    expect(unknownCount).toBe(1);
    expect(await getDescription(ref)).toBe('Mine');
  });

  test('before it carries out a save, the save fails, and the next save succeeds without a conflict', async () => {
    const { window, ref, path, text } = await openTable();
    await fixture.sandbox.setFaults([{ kind: 'drop', methods: ['PATCH'], when: 'before', count: 1 }]);
    expect(
      await getFailure(saveLikeEditor(window.documents, path, withDescription(text, 'Mine'))),
    ).toMatchObject({
      name: 'NetworkError',
    });
    expect(await getDescription(ref)).toBe('First');
    await saveLikeEditor(window.documents, path, withDescription(text, 'Mine'));
    expect(await getDescription(ref)).toBe('Mine');
  });

  test('and the outcome of a save cannot be verified, the editor reports it, and the next save succeeds', async () => {
    const { ref, path, text } = await openTable();
    let resultsToLoseCount = 1;
    const window = openWindow(fixture.client, {
      wrapWriter: (writer) => ({
        recover: (stopped, options) => writer.recover(stopped, options),
        getVersionsAfter: (report) => writer.getVersionsAfter(report),
        async run(operation, options) {
          const report = await writer.run(operation, options);
          if (resultsToLoseCount-- > 0) {
            const writes = report.writeStates.map((write) => ({ ...write, state: 'sending' as const }));
            throw new StoppedError({ ...report, writeStates: writes, documents: [] }, new Error('lost'));
          }
          return report;
        },
      }),
    });
    await openDocument(window.documents, path);
    expect(
      await getFailure(saveLikeEditor(window.documents, path, withDescription(text, 'It is mine'))),
    ).toMatchObject({
      name: 'IncompleteSaveError',
      progress: { hasUnknownOutcome: true },
    });
    await saveLikeEditor(window.documents, path, withDescription(text, 'It is mine now'));
    expect(await getDescription(ref)).toBe('It is mine now');
  });
});

describe('secrets of a dataset', () => {
  const getDatasetRef = async () => (await getDemoDocuments(fixture.client)).dataset;

  test('are hidden, are requested on save, and reach the server', async () => {
    const ref = await getDatasetRef();
    const connection = {
      provider: 'CSV',
      fileName: 'orders.csv',
      parameters: { files: ['orders.csv'], Password: 'hunter2', ApiToken: 'token-of-tests' },
    };
    await fixture.client.datasets.update(ref, { connection });
    const path = getPath(ref);
    const { documents, history } = openWindow(fixture.client);
    const text = await openDocument(documents, path);
    expect(text).not.toMatch(/hunter2|token-of-tests/);
    const next = text.replace('"provider": "CSV"', '"provider": "Csv"');
    const refused = await getFailure(saveLikeEditor(documents, path, next));
    expect(refused).toMatchObject({
      code: 'secrets-needed',
      paths: [
        ['connection', 'parameters', 'Password'],
        ['connection', 'parameters', 'ApiToken'],
      ],
    });
    const secrets = new Map<string, { typedValue: string } | 'server-value'>([
      [JSON.stringify(['connection', 'parameters', 'Password']), { typedValue: 'correct horse' }],
      [JSON.stringify(['connection', 'parameters', 'ApiToken']), 'server-value'],
    ]);
    const before = fixture.countRequests();
    await saveLikeEditor(documents, path, next, { intent: { secretAnswers: secrets } });
    expect(fixture.countRequests() - before).toBeLessThanOrEqual(3);
    const { value } = await fixture.client.datasets.get(ref);
    expect(value.connection).toMatchObject({
      provider: 'Csv',
      parameters: { Password: 'correct horse', ApiToken: 'token-of-tests' },
    });
    expect(await openDocument(documents, path)).not.toMatch(/hunter2|correct horse|token-of-tests/);
    expect(JSON.stringify(await history.readEntries('sandbox'))).not.toMatch(
      /hunter2|correct horse|token-of-tests/,
    );
  });

  test('that the user types into the document are masked after the save', async () => {
    const ref = await getDatasetRef();
    const path = getPath(ref);
    const { documents } = openWindow(fixture.client);
    const text = await openDocument(documents, path);
    const dataset = JSON.parse(text) as { connection: { parameters: Json } };
    const typed = {
      ...dataset,
      connection: { ...dataset.connection, parameters: { files: ['orders.csv'], Password: 'typed in' } },
    };
    expect(await saveLikeEditor(documents, path, JSON.stringify(typed))).toBe(true);
    expect(await openDocument(documents, path)).not.toContain('typed in');
    expect((await fixture.client.datasets.get(ref)).value.connection?.parameters).toMatchObject({
      Password: 'typed in',
    });
  });

  test('are not requested if the connection is unchanged', async () => {
    const path = getPath(await getDatasetRef());
    const { documents } = openWindow(fixture.client);
    const text = await openDocument(documents, path);
    const before = fixture.countRequests();
    await saveLikeEditor(documents, path, JSON.stringify(JSON.parse(text)));
    expect(fixture.countRequests() - before).toBe(1);
    expect(
      await getFailure(saveLikeEditor(documents, path, text.replace('"oid": "', '"oid": "x'))),
    ).toMatchObject({
      code: 'not-editable',
    });
    expect(expectDefined(text)).toContain('••••••••');
  });
});
