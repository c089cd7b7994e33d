import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectPageTexts, type BundleMetafile } from './pageTexts.ts';
import { readModuleTexts } from './productTexts.ts';

const root = join(import.meta.dirname, '../../..');

// This script writes the texts of each page next to the bundle of the page. It runs when the extension is built, after
// the pages.
const metafile = JSON.parse(readFileSync(join(root, 'dist/webviews.meta.json'), 'utf8')) as BundleMetafile;
for (const [page, texts] of collectPageTexts(metafile, readModuleTexts(join(root, 'src')))) {
  writeFileSync(join(root, `dist/webviews/${page}.texts.json`), JSON.stringify(texts));
}
