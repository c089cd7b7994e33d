import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import {
  type Bundle,
  type BundledFile,
  findStaticClosure,
  mergeStaticClosure,
} from '../../../../src/packaging/host/mergeChunks.ts';

const createFile = (text: string, file: Partial<BundledFile> = {}): BundledFile => ({
  text,
  sources: [],
  exports: [],
  staticImports: [],
  dynamicImports: [],
  ...file,
});

/** `a.js` and `b.js` are loaded with the entry point; `late.js` is loaded by it later, and `b.js` by `late.js` again. */
const bundle: Bundle = new Map([
  [
    'entry.js',
    createFile(
      `import{x as n}from"./chunks/a.js";import{x as m}from"./chunks/b.js";globalThis.mergedOrder.push("entry");` +
        `var load=()=>import("./chunks/late.js");export{n as nameOfA,m as nameOfB,load};`,
      {
        exports: ['nameOfA', 'nameOfB', 'load'],
        staticImports: ['chunks/a.js', 'chunks/b.js'],
        dynamicImports: ['chunks/late.js'],
      },
    ),
  ],
  [
    'chunks/a.js',
    createFile(`globalThis.mergedOrder.push("a");var x="a",unused=1;export{x,unused};`, {
      exports: ['x', 'unused'],
    }),
  ],
  [
    'chunks/b.js',
    createFile(
      `import{x as o}from"./a.js";import{sep}from"node:path";globalThis.mergedOrder.push("b");` +
        `var x={name:"b",from:o,sep};export{x};`,
      { exports: ['x'], staticImports: ['chunks/a.js'] },
    ),
  ],
  [
    'chunks/late.js',
    createFile(
      `import{x as y}from"./a.js";import"./b.js";import{z}from"./shared.js";` +
        `var again=()=>import("./b.js");export{y as nameOfA,again,z};`,
      {
        exports: ['nameOfA', 'again', 'z'],
        staticImports: ['chunks/a.js', 'chunks/b.js', 'chunks/shared.js'],
        dynamicImports: ['chunks/b.js'],
      },
    ),
  ],
  ['chunks/shared.js', createFile(`var z="z";export{z};`, { exports: ['z'] })],
]);

test('what is loaded with a file is found, and what it loads later is not', () => {
  expect([...findStaticClosure(bundle, 'entry.js')].sort()).toEqual([
    'chunks/a.js',
    'chunks/b.js',
    'entry.js',
  ]);
});

test('all files that are loaded with the entry point are merged into one', async () => {
  const files = await mergeStaticClosure(bundle, 'entry.js', 'chunks/merged.js');
  expect([...files.keys()].sort()).toEqual([
    // This file is also loaded later, so it remains, with nothing but exports.
    'chunks/b.js',
    'chunks/late.js',
    'chunks/merged.js',
    'chunks/shared.js',
    'entry.js',
  ]);
  expect(files.get('chunks/merged.js')).not.toMatch(/from"\./);
  expect(files.get('chunks/merged.js')).toContain('import("./late.js")');
});

test('merged modules run once and in the same order, and later files get the same values', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'merge-chunks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const [path, text] of await mergeStaticClosure(bundle, 'entry.js', 'chunks/merged.js')) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const order: string[] = [];
  Reflect.set(globalThis, 'mergedOrder', order);
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'mergedOrder'));

  const entry = await import(pathToFileURL(join(folder, 'entry.js')).href);
  const late = await entry.load();
  expect(entry.nameOfA).toBe('a');
  expect(entry.nameOfB).toMatchObject({ name: 'b', from: 'a' });
  expect(late).toMatchObject({ nameOfA: 'a', z: 'z' });
  expect((await late.again()).x).toBe(entry.nameOfB);
  expect(order).toEqual(['a', 'b', 'entry']);
});

test('an import that cannot be redirected fails the build', async () => {
  const files = new Map(bundle);
  files.set('chunks/late.js', createFile(`import*as all from"./a.js";export{all};`));
  await expect(mergeStaticClosure(files, 'entry.js', 'chunks/merged.js')).rejects.toThrow(
    'chunks/late.js imports other than by name from chunks/a.js',
  );
  files.set('chunks/late.js', createFile(`export{x}from"./a.js";`));
  await expect(mergeStaticClosure(files, 'entry.js', 'chunks/merged.js')).rejects.toThrow(
    'chunks/late.js exports from chunks/a.js',
  );
});

test('a file that is missing fails the build', async () => {
  const files = new Map(bundle);
  files.delete('chunks/a.js');
  await expect(mergeStaticClosure(files, 'entry.js', 'chunks/merged.js')).rejects.toThrow(
    'The bundle has no file chunks/a.js',
  );
});
