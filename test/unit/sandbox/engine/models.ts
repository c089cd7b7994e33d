import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { BuildType } from '../../../../src/contract/build.ts';
import { getCubeFile, removeFile, replaceFile } from '../../../../src/sandbox/engine/files.ts';
import type { BuildJob, BuildOutcome } from '../../../../src/sandbox/engine/buildEngine.ts';
import { runBuild } from '../../../../src/sandbox/engine/runBuild.ts';

export const integerType = 8;
export const doubleType = 40;
export const textType = 18;
export const dateType = 31;
export const timestampType = 4;

export interface ColumnInput {
  readonly name: string;
  readonly type?: number;
  readonly id?: string;
  readonly expression?: string;
}

const createColumn = (table: string, { name, type, id, expression }: ColumnInput): JsonObject => ({
  oid: `${table}/${name}`,
  id: id ?? name,
  name,
  type: type ?? textType,
  isCustom: expression === undefined ? null : true,
  expression: expression === undefined ? null : { oid: `${table}/${name}/e`, expression },
});

/** A base table whose source is `<name>.csv` and whose oid is its name. */
export function createBaseTable(
  name: string,
  columns: readonly ColumnInput[],
  fields: JsonObject = {},
): JsonObject {
  return {
    oid: name,
    id: `${name}.csv`,
    name,
    type: 'base',
    columns: columns.map((c) => createColumn(name, c)),
    ...fields,
  };
}

export function createCustomTable(
  name: string,
  expression: string,
  columns: readonly ColumnInput[] = [],
): JsonObject {
  return {
    oid: name,
    id: name,
    name,
    type: 'custom',
    expression: { oid: `${name}/e`, expression },
    columns: columns.map((c) => createColumn(name, c)),
  };
}

/** An extract model with a CSV dataset for base tables and one for custom tables. */
export function createModel(
  tables: readonly JsonObject[],
  relations: readonly JsonObject[] = [],
  type = 'extract',
): JsonObject {
  const connection = { provider: 'CSV', parameters: {} };
  return {
    oid: 'model',
    title: 'Model',
    type,
    datasets: [
      {
        oid: 'base',
        type,
        connection,
        schema: { tables: tables.filter((table) => table['type'] === 'base') },
      },
      {
        oid: 'custom',
        type: 'custom',
        schema: { tables: tables.filter((table) => table['type'] === 'custom') },
      },
    ],
    relations,
  };
}

/** A relation between columns written `Table/Column`. */
export function createRelation(...ends: readonly string[]): JsonObject {
  return {
    oid: ends.join('='),
    columns: ends.map((end) => ({ dataset: 'base', table: end.split('/')[0] ?? '', column: end })),
  };
}

/** A separate data folder, removed on dispose. */
export class EngineFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'engine-'));

  constructor() {
    mkdirSync(join(this.path, 'files'), { recursive: true });
    mkdirSync(join(this.path, 'cubes'), { recursive: true });
  }

  writeCsv(name: string, ...lines: readonly string[]): this {
    writeFileSync(join(this.path, 'files', `${name}.csv`), `${lines.join('\n')}\n`);
    return this;
  }

  createJob(
    datamodel: JsonObject,
    buildType: BuildType = 'full',
    overrides: Partial<BuildJob> = {},
  ): BuildJob {
    return { datamodel, buildType, folder: this.path, delayMs: 0, ...overrides };
  }

  /** Builds in this thread; the real engine builds in a process of its own. */
  async build(
    datamodel: JsonObject,
    buildType: BuildType = 'full',
    options: Partial<BuildJob> & { readonly now?: string; readonly maxRows?: number } = {},
  ): Promise<BuildOutcome> {
    const temporaryPath = join(this.path, 'cubes', 'model.building');
    const now = Date.parse(options.now ?? '2026-01-10T00:00:00Z');
    const outcome = await runBuild(this.createJob(datamodel, buildType, options), {
      now: () => now,
      temporaryFile: temporaryPath,
      maxRows: options.maxRows ?? 1_000_000,
      runTimed: (_table, work) => work(),
      pause: () => Promise.resolve(),
    });
    if (outcome.status === 'done' && buildType !== 'publish') {
      replaceFile(temporaryPath, getCubeFile(this.path, 'model'));
    }
    removeFile(temporaryPath);
    return outcome;
  }

  /** Rows of the built cube, as arrays. */
  queryRows(sql: string): unknown[][] {
    const db = new DatabaseSync(getCubeFile(this.path, 'model'), { readOnly: true, returnArrays: true });
    try {
      return db.prepare(sql).all() as unknown as unknown[][];
    } finally {
      db.close();
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
