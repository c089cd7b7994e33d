import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'viewpoint-json-bench-'));
try {
  const file = join(folder, 'measurements.mjs');
  // Bundled as the product ships it: Node can't import `vscode-json-languageservice` and its dependencies by name.
  buildSync({
    entryPoints: [join(import.meta.dirname, 'viewpointJsonMeasurements.ts')],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    banner: {
      js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
    },
  });
  await import(pathToFileURL(file).href);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
