import { expect, test } from 'vitest';
import { type OpenText, mergeIntoText } from '../../../src/documents/mergeIntoText.ts';
import { useSandbox } from '../client/sandboxFixture.ts';
import {
  encodeText,
  getDemoDocuments,
  openDocument,
  getPath,
  saveLikeEditor,
  openWindow,
} from './editorWindow.ts';

const fixture = useSandbox();

/**
 * Opens a table in which the user and the server changed different properties. The editor refuses as many replacements
 * of its text as there are functions, and calls one function for each; a function may change the text, as a user who
 * types at that moment does.
 */
async function openTableToMerge(refusals: readonly ((editor: { text: string; version: number }) => void)[]) {
  const ref = (await getDemoDocuments(fixture.client)).table;
  const path = getPath(ref);
  await fixture.client.tables.update(ref, { description: 'First', hidden: false });
  const { documents } = openWindow(fixture.client);
  const originalText = await openDocument(documents, path);
  await fixture.client.tables.update(ref, { description: 'Theirs' });
  const remainingRefusals = [...refusals];
  const editor = {
    text: JSON.stringify({ ...(JSON.parse(originalText) as object), hidden: true }, undefined, 2),
    version: 1,
    replace: (text: string): Promise<boolean> => {
      const refuse = remainingRefusals.shift();
      if (refuse === undefined) {
        editor.text = text;
        editor.version += 1;
      } else {
        refuse(editor);
      }
      return Promise.resolve(refuse === undefined);
    },
  } satisfies OpenText;
  const readTable = async () => (await fixture.client.tables.get(ref)).value;
  return { documents, path, editor, readTable };
}

test('a merge that the editor accepts is saved without another question', async () => {
  const { documents, path, editor, readTable } = await openTableToMerge([]);
  expect(await mergeIntoText(documents, path, editor)).toMatchObject({ kind: 'merged' });
  await saveLikeEditor(documents, path, editor.text);
  expect(await readTable()).toMatchObject({ description: 'Theirs', hidden: true });
});

test('after a merge that the editor refuses, the next save is stopped and overwrites nothing', async () => {
  const { documents, path, editor, readTable } = await openTableToMerge([() => undefined]);
  expect(await mergeIntoText(documents, path, editor)).toEqual({ kind: 'refused' });
  documents.handleServerChange(path);
  const saving = documents.write(path, encodeText(editor.text), { isExplicit: true });
  await expect(saving).rejects.toMatchObject({ name: 'DocumentConflictError' });
  expect(await readTable()).toMatchObject({ description: 'Theirs', hidden: false });
});

test('a merge that is overtaken by typing is repeated with the new text', async () => {
  const { documents, path, editor, readTable } = await openTableToMerge([
    (changedEditor) => {
      changedEditor.text = changedEditor.text.replace('"hidden": true', '"hidden": true ');
      changedEditor.version += 1;
    },
  ]);
  expect(await mergeIntoText(documents, path, editor)).toMatchObject({ kind: 'merged' });
  expect(editor.text).toContain('"hidden": true ');
  await saveLikeEditor(documents, path, editor.text);
  expect(await readTable()).toMatchObject({ description: 'Theirs', hidden: true });
});
