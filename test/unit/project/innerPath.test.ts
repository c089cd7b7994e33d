import { posix, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { getInnerPath } from '../../../src/project/innerPath.ts';

test.each([
  ['/p', '/p', ''],
  ['/p', '/p/a/b.json', 'a/b.json'],
  ['/p', '/p/..a', '..a'],
  ['/p', '/', undefined],
  ['/p', '/pa/b.json', undefined],
])('in the folder %s, the inner path of %s is %s', (folder, path, expected) => {
  expect(getInnerPath(folder, path, posix)).toBe(expected);
});

test.each([
  ['C:\\p', 'c:\\P\\a\\b.json', 'a/b.json'],
  ['C:\\p', 'C:\\x.txt', undefined],
  ['C:\\p', 'D:\\x.txt', undefined],
  ['C:\\p', '\\\\server\\share\\x.txt', undefined],
])('in the folder %s on Windows, the inner path of %s is %s', (folder, path, expected) => {
  expect(getInnerPath(folder, path, win32)).toBe(expected);
});
