import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import type * as viewpoints from '../../../src/viewpoints/index.ts';

/** decisions.md, "Stable interfaces": VS Code, Node modules, and schema libraries would be imports. */
test('src/viewpoints can be bundled, and its bundle has no imports', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, '../../../src/viewpoints/index.ts')],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  expect(imports).toEqual([]);
  expect(outputFiles[0]?.contents.length).toBeLessThan(40_000);
  const url = `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`;
  const library = (await import(/* @vite-ignore */ url)) as typeof viewpoints;
  expect(library.lintViewpoint('nothing')).toMatchObject([{ code: 'syntax', start: 0, end: 7, path: [] }]);
});
