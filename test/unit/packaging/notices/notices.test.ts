import { expect, test } from 'vitest';
import {
  type ShippedPackage,
  formatNotices,
  getPackageFolders,
} from '../../../../src/packaging/notices/notices.ts';

const shipped: ShippedPackage = { name: 'a', version: '1.0.0', license: 'MIT', texts: ['The words of a\n'] };

test('the folders of the bundled packages are found, those of nested packages included', () => {
  expect(
    getPackageFolders([
      'src/extension.ts',
      'node_modules/zod/v4/index.js',
      'node_modules/zod/v4/core.js',
      'node_modules/@scope/one/dist/x.ttf',
      String.raw`node_modules\outer\node_modules\inner\x.js`,
    ]),
  ).toEqual(['node_modules/@scope/one', 'node_modules/outer/node_modules/inner', 'node_modules/zod']);
});

test('every package is listed with its license and the license text', () => {
  const text = formatNotices([
    shipped,
    { ...shipped, name: 'b', license: 'ISC', texts: ['Words', 'A notice'] },
  ]);
  expect(text).toContain('a 1.0.0 (MIT)\n\nThe words of a\n');
  expect(text).toContain('b 1.0.0 (ISC)\n\nWords\n\nA notice\n');
});

test('a package without a permitted license, or without its text, is not shipped', () => {
  expect(() =>
    formatNotices([
      shipped,
      { ...shipped, name: 'b', license: 'GPL-3.0' },
      { ...shipped, name: 'c', license: undefined },
      { ...shipped, name: 'd', texts: [] },
    ]),
  ).toThrow(
    [
      'These packages cannot be shipped:',
      'b 1.0.0: its license is GPL-3.0',
      'c 1.0.0: its license is unknown',
      'd 1.0.0: it comes without the text of its license',
    ].join('\n'),
  );
});
