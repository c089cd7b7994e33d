import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaDocumentKinds, createDocumentSchema } from './documents.ts';

/** Writes the JSON schemas to a folder, one file for each kind of document. Runs when the extension is built. */
function writeSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const kind of schemaDocumentKinds) {
    writeFileSync(join(folder, `${kind.suffix}.json`), `${JSON.stringify(createDocumentSchema(kind))}\n`);
  }
}

writeSchemas(process.argv[2] ?? join(import.meta.dirname, '../../../dist/schemas'));
