import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import type * as viewpoints from '../../../src/viewpoints/index.ts';

/** decisions.md, "Stable interfaces". If the code imported VS Code or a Node module, the build would fail. */
test('src/viewpoints can be bundled, with no package but the JSON parser', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, '../../../src/viewpoints/index.ts')],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
  });
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  );
  expect(new Set(packages)).toEqual(new Set(['jsonc-parser']));
  expect(outputFiles[0]?.contents.length).toBeLessThan(40_000);
  const url = `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`;
  const library = (await import(/* @vite-ignore */ url)) as typeof viewpoints;
  expect(library.lintViewpoint('nothing')).toMatchObject([{ code: 'syntax', start: 0, end: 7, path: [] }]);
});
