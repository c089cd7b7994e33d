import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { BuiltColumn } from './buildEngine.ts';

/** A table of a cube. */
export interface CubeTable {
  readonly oid: string;
  readonly name: string;
  readonly kind: 'base' | 'custom';
  /** All columns, custom ones included, with their type codes. */
  readonly columns: readonly BuiltColumn[];
  /** The tables that its SQL reads, by the keys of their names (`toSqlNameKey`). */
  readonly depends: readonly string[];
  readonly rows: number;
}

/** A relation with names instead of oids; tables join on any two of its columns (rest-api.md, "Relation"). */
export interface CubeRelation {
  readonly ends: readonly { readonly table: string; readonly column: string }[];
}

/** The metadata in a cube file, so that later builds and queries do not need the model document. */
export interface CubeMeta {
  readonly tables: readonly CubeTable[];
  readonly relations: readonly CubeRelation[];
}

const metaTableName = 'dm$meta';

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
  db.exec(`CREATE TABLE "${metaTableName}" (document TEXT NOT NULL)`);
  db.prepare(`INSERT INTO "${metaTableName}" VALUES (?)`).run(JSON.stringify(meta));
}

/**
 * Reads the metadata of an open cube; `schema` is the SQLite schema that its file is attached as.
 * @throws SQLite's or zod's error when the file is not a cube.
 */
export function readMeta(db: DatabaseSync, schema = 'main'): CubeMeta {
  const row = db.prepare(`SELECT document FROM "${schema}"."${metaTableName}"`).get();
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
