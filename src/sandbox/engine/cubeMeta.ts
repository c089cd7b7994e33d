import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { BuiltColumn } from './port.ts';

/** The metadata of a cube file, so that a later build and a party's query need no model document. */
export interface CubeTable {
  readonly oid: string;
  readonly name: string;
  readonly kind: 'base' | 'custom';
  /** All columns, custom ones included, with their type codes. */
  readonly columns: readonly BuiltColumn[];
  /** Keys of the names of the tables that its SQL reads. */
  readonly depends: readonly string[];
  readonly rows: number;
}

/** A relation by names: every pair of ends is a join path (rest-api.md, "Relation"). */
export interface CubeRelation {
  readonly ends: readonly { readonly table: string; readonly column: string }[];
}

export interface CubeMeta {
  readonly tables: readonly CubeTable[];
  readonly relations: readonly CubeRelation[];
}

const metaTable = 'dm$meta';

const metaSchema = z.object({
  tables: z.array(
    z.object({
      oid: z.string(),
      name: z.string(),
      kind: z.enum(['base', 'custom']),
      columns: z.array(z.object({ name: z.string(), type: z.number() })),
      depends: z.array(z.string()),
      rows: z.number(),
    }),
  ),
  relations: z.array(z.object({ ends: z.array(z.object({ table: z.string(), column: z.string() })) })),
});

export function writeMeta(db: DatabaseSync, meta: CubeMeta): void {
  db.exec(`CREATE TABLE "${metaTable}" (document TEXT NOT NULL)`);
  db.prepare(`INSERT INTO "${metaTable}" VALUES (?)`).run(JSON.stringify(meta));
}

/**
 * Reads the metadata of a cube; `schema` is the name under which the file is attached.
 * @throws Error of SQLite or zod when the file is not a cube.
 */
export function readMeta(db: DatabaseSync, schema = 'main'): CubeMeta {
  const row = db.prepare(`SELECT document FROM "${schema}"."${metaTable}"`).get();
  return metaSchema.parse(JSON.parse(String(row?.['document'])));
}

/** Reads the metadata of a cube file; `undefined` before the first build. */
export function readMetaFromFile(file: string): CubeMeta | undefined {
  if (!existsSync(file)) {
    return undefined;
  }
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return readMeta(db);
  } finally {
    db.close();
  }
}
