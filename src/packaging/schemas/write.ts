import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentKinds, documentSchema } from './documents.ts';

/** Writes the schemas into a folder, one file for each kind of document. Runs when the extension is built. */
function write(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const kind of documentKinds) {
    writeFileSync(join(folder, `${kind.suffix}.json`), `${JSON.stringify(documentSchema(kind))}\n`);
  }
}

write(process.argv[2] ?? join(import.meta.dirname, '../../../dist/schemas'));
