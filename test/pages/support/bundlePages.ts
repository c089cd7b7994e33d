import { join } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { findFiles } from '../../editor/support/findFiles.ts';

/** The folder of the pages' bundles for tests. */
export const pagesFolder: string = join(projectRoot, 'test', '.artifacts', 'pages');

/** Bundles the pages as the build does, but readable and with source maps. Runs once before all tests of pages. */
export async function setup(): Promise<void> {
  const root = join(projectRoot, 'src', 'webviews');
  await build({
    entryPoints: findFiles(root, '*/main.tsx').map((file) => join(root, file)),
    outdir: pagesFolder,
    outbase: root,
    entryNames: '[dir]',
    assetNames: '[name]',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'chrome140',
    mainFields: ['module', 'main'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.ttf': 'file' },
    sourcemap: 'linked',
    logLevel: 'warning',
  });
}
