import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from './note.ts';
import { schemaDocumentKinds, createDocumentSchema } from './documents.ts';
import { createProjectSchema, environmentSchemaKind, projectSchemaKinds } from './projectDocuments.ts';

/** Writes the JSON schemas to a folder, one file for each kind of document. Runs when the extension is built. */
function writeSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, schema: JsonSchema): void =>
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(schema)}\n`);
  schemaDocumentKinds.forEach((kind) => write(kind.suffix, createDocumentSchema(kind)));
  [...projectSchemaKinds, environmentSchemaKind].forEach((kind) =>
    write(kind.suffix, createProjectSchema(kind)),
  );
}

writeSchemas(process.argv[2] ?? join(import.meta.dirname, '../../../dist/schemas'));
