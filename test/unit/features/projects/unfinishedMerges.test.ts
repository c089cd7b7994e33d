import { expect, test } from 'vitest';
import type * as vscode from 'vscode';
import { UnfinishedMerges } from '../../../../src/features/projects/unfinishedMerges.ts';

const [file, otherFile] = ['file:///shop/a.json', 'file:///shop/b.json'].map(
  (text) => ({ toString: () => text }) as vscode.Uri,
) as [vscode.Uri, vscode.Uri];

function createMerges(value?: unknown) {
  let stored = value;
  const storage = { read: () => stored, write: (next: unknown) => void (stored = next) };
  return { merges: new UnfinishedMerges(storage), readStored: () => stored };
}

test('a result is kept for its file, and only for a merge of the same versions', () => {
  const { merges } = createMerges();
  merges.keep(file, '<<< base', 'half resolved');
  expect(merges.find(file, '<<< base')).toBe('half resolved');
  expect(merges.has(file)).toBe(true);
  // The instance or the file has changed since.
  expect(merges.find(file, '<<< newer base')).toBeUndefined();
  expect(merges.find(otherFile, '<<< base')).toBeUndefined();
  expect(merges.has(otherFile)).toBe(false);
});

test('a result without a resolved conflict, and a forgotten one, is not kept', () => {
  const { merges, readStored } = createMerges();
  merges.keep(file, '<<< base', 'half resolved');
  merges.keep(otherFile, '<<< other', 'resolved');
  merges.keep(file, '<<< base', '<<< base');
  expect(merges.has(file)).toBe(false);
  expect(merges.find(otherFile, '<<< other')).toBe('resolved');
  merges.forget(otherFile);
  expect(readStored()).toEqual({});
});

test.each([null, 'text', { [String(file)]: 'text' }, { [String(file)]: { base: 1, text: '' } }])(
  'a stored value of another shape counts as none: %j',
  (value) => {
    const { merges } = createMerges(value);
    expect(merges.has(file)).toBe(false);
    expect(merges.find(file, '')).toBeUndefined();
  },
);
