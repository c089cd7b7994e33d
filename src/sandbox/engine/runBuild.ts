import { DatabaseSync } from 'node:sqlite';
import { applySqliteLimits } from './resourceLimits.ts';
import { BuildError, attributeErrorsToTable, getErrorMessage } from './buildError.ts';
import { ExpressionComputer, type ExpressionEnvironment } from './expressionComputer.ts';
import { type CubeMeta, type CubeTable, readMetaFromFile, writeMeta } from './cubeMeta.ts';
import { registerDialect } from './dialectRegistry.ts';
import { getCubeFile, getSourceFolder, syncFile } from './files.ts';
import { copyTable, dropOldRows, createIncrementFilter } from './previousData.ts';
import { createTable, importRows } from './importTable.ts';
import { type BuildModel, type ModelTable, readModel } from './model.ts';
import { quoteIdentifier, quoteText } from './sqlNames.ts';
import { ColumnTypeRegistry } from './outputTypes.ts';
import { type BuildPlan, planBuild } from './buildPlan.ts';
import type { BuildJob, BuildOutcome } from './buildEngine.ts';
import { checkBuiltRelations, resolveRelations } from './relations.ts';

/** The environment of a build. */
interface BuildEnvironment extends Omit<ExpressionEnvironment, 'runsExpressions'> {
  /** Returns the time of the build in milliseconds since the epoch; days of `accumulativeConfig` count back from it. */
  now(): number;
  /** The path of the new file that the cube is written to. */
  readonly temporaryFile: string;
  /** Called after each step with the fraction of the build that the step is, to spread an artificial delay. */
  pause(fraction: number): Promise<void>;
}

function openCube(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  // No other process uses the file before it is renamed, and an incomplete one is deleted: no journal is needed.
  db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;');
  applySqliteLimits(db);
  registerDialect(db);
  return db;
}

/** The state of one build. */
class CubeBuild {
  readonly #job: BuildJob;
  readonly #model: BuildModel;
  readonly #previous: BuildModel | undefined;
  readonly #plan: BuildPlan;
  readonly #previousCube: CubeMeta | undefined;
  readonly #db: DatabaseSync;
  readonly #now: number;
  readonly #columnTypes = new ColumnTypeRegistry();
  readonly #computer: ExpressionComputer;

  constructor(
    job: BuildJob,
    model: BuildModel,
    previousCube: CubeMeta | undefined,
    db: DatabaseSync,
    environment: BuildEnvironment,
  ) {
    this.#job = job;
    this.#model = model;
    this.#previousCube = previousCube;
    this.#db = db;
    this.#now = environment.now();
    this.#previous = job.previous === undefined ? undefined : readModel(job.previous, job.buildType);
    this.#plan = planBuild(model, job.buildType, this.#previous, previousCube);
    const runsExpressions = job.buildType !== 'publish';
    this.#computer = new ExpressionComputer(db, model, this.#columnTypes, {
      ...environment,
      runsExpressions,
    });
  }

  /**
   * Fills the new cube: creates the base tables, copies rows of the previous cube, imports rows as planned (none for
   * `publish`), and computes custom tables and columns. Then writes the metadata of the cube, and returns it.
   */
  async run(pause: (fraction: number) => Promise<void>): Promise<CubeMeta> {
    const relations = resolveRelations(this.#model, this.#previous);
    this.#prepareTables();
    // The steps are an import and a computation per table, and the end of the build.
    const fraction = 1 / (2 * this.#model.tables.length + 1);
    this.#db.exec('BEGIN');
    for (const table of this.#model.tables) {
      attributeErrorsToTable(table.name, () => this.#importTable(table));
      await pause(fraction);
    }
    for (const table of this.#model.tables) {
      this.#computer.compute(table);
      await pause(fraction);
    }
    const meta = { tables: this.#model.tables.map((table) => this.#createCubeTable(table)), relations };
    checkBuiltRelations(relations, meta.tables);
    writeMeta(this.#db, meta);
    this.#db.exec('COMMIT');
    await pause(fraction);
    return meta;
  }

  /**
   * Creates the base tables and copies rows of the previous cube, which is attached only during this step, so that no
   * expression can read from it.
   */
  #prepareTables(): void {
    const copiedTables = this.#model.tables.filter((table) => this.#isCopied(table));
    if (copiedTables.length > 0) {
      this.#db.exec(`ATTACH ${quoteText(getCubeFile(this.#job.folder, this.#model.oid))} AS former`);
    }
    const storedTablesByOid = new Map(this.#previousCube?.tables.map((table) => [table.oid, table]));
    this.#db.exec('BEGIN');
    for (const table of this.#model.tables) {
      attributeErrorsToTable(table.name, () => this.#prepareTable(table, storedTablesByOid.get(table.oid)));
    }
    this.#db.exec('COMMIT');
    if (copiedTables.length > 0) {
      this.#db.exec('DETACH former');
    }
  }

  #isCopied(table: ModelTable): boolean {
    return ['copy', 'append', 'increment'].includes(this.#plan.get(table.oid)?.kind ?? '');
  }

  #prepareTable(table: ModelTable, storedTable: CubeTable | undefined): void {
    const action = this.#plan.get(table.oid);
    if (table.kind === 'base') {
      createTable(this.#db, table);
      for (const column of table.columns) {
        this.#columnTypes.set(table.name, column.name, column.type);
      }
      if (action?.kind !== 'copy' || action.shouldRecompute) {
        this.#computer.addPendingColumns(table);
      }
    } else if (action?.kind === 'compute') {
      this.#computer.addPendingTable(table);
    }
    if (action !== undefined && storedTable !== undefined && this.#isCopied(table)) {
      copyTable(this.#db, table, storedTable, action, this.#now);
    }
    if (table.kind === 'custom' && action?.kind === 'copy') {
      for (const column of storedTable?.columns ?? []) {
        this.#columnTypes.set(table.name, column.name, column.type);
      }
    }
  }

  #importTable(table: ModelTable): void {
    const action = this.#plan.get(table.oid)?.kind;
    if (table.kind === 'custom' || action === 'copy' || this.#job.buildType === 'publish') {
      return;
    }
    const filter = action === 'increment' ? createIncrementFilter(this.#db, table, this.#now) : undefined;
    importRows(this.#db, table, getSourceFolder(this.#job.folder), this.#job.rowLimit ?? Infinity, filter);
    if (this.#job.buildType === 'by_table' && table.behavior.type === 'accumulativeSync') {
      dropOldRows(this.#db, table, this.#now);
    }
  }

  #createCubeTable(table: ModelTable): CubeTable {
    const name = quoteIdentifier(table.name);
    const storedTable = this.#previousCube?.tables.find((candidate) => candidate.oid === table.oid);
    const dependencies = new Set(this.#computer.getDependencies(table));
    const action = this.#plan.get(table.oid);
    if (action?.kind === 'copy' && !action.shouldRecompute) {
      for (const dependency of storedTable?.depends ?? []) {
        dependencies.add(dependency);
      }
    }
    return {
      oid: table.oid,
      name: table.name,
      kind: table.kind,
      columns: this.#db
        .prepare(`SELECT * FROM ${name}`)
        .columns()
        .map((column) => ({
          name: column.name,
          type: this.#columnTypes.resolve(this.#db, table.name, column.name),
        })),
      depends: [...dependencies],
      rows: Number(this.#db.prepare(`SELECT count(*) AS rows FROM ${name}`).get()?.['rows'] ?? 0),
    };
  }
}

/** Creates the outcome of a finished build: output columns of custom tables, row counts of all tables. */
function createOutcome(model: BuildModel, meta: CubeMeta): BuildOutcome {
  const columns = Object.fromEntries(
    meta.tables
      .map((table) => {
        const customColumnNames = new Set(
          model.tables
            .find((candidate) => candidate.oid === table.oid)
            ?.columns.filter((column) => column.expression !== undefined)
            .map((column) => column.name),
        );
        return [table, table.columns.filter((column) => !customColumnNames.has(column.name))] as const;
      })
      .filter(([table]) => table.kind === 'custom')
      .map(([table, outputColumns]) => [table.oid, outputColumns]),
  );
  return {
    status: 'done',
    columns,
    rowCounts: Object.fromEntries(meta.tables.map((table) => [table.oid, table.rows])),
  };
}

/**
 * Builds one datamodel in this thread. If the outcome is `done`, the cube is in `environment.temporaryFile`; the caller
 * replaces the previous cube with it, so that a build that is canceled late changes nothing. `publish` writes no data:
 * it only checks the relations and the SQL of custom tables and columns.
 */
export async function runBuild(job: BuildJob, environment: BuildEnvironment): Promise<BuildOutcome> {
  let db: DatabaseSync | undefined;
  try {
    const model = readModel(job.datamodel, job.buildType);
    const cubeFile = getCubeFile(job.folder, model.oid);
    const isPublishing = job.buildType === 'publish';
    const previousCube = isPublishing || job.buildType === 'full' ? undefined : readMetaFromFile(cubeFile);
    db = openCube(isPublishing ? ':memory:' : environment.temporaryFile);
    const meta = await new CubeBuild(job, model, previousCube, db, environment).run((fraction) =>
      environment.pause(fraction),
    );
    db.close();
    db = undefined;
    if (!isPublishing) {
      syncFile(environment.temporaryFile);
    }
    return createOutcome(model, meta);
  } catch (error) {
    return error instanceof BuildError && error.table !== undefined
      ? { status: 'failed', table: error.table, message: error.message }
      : { status: 'failed', message: getErrorMessage(error) };
  } finally {
    db?.close();
  }
}
