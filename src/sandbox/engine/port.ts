import type { JsonObject } from '../../base/json.ts';
import type { BuildType } from '../../contract/build.ts';

/**
 * One build, as the build service hands it over. The engine never looks at the store: what it needs is here.
 * By convention the implementation is `createBuildEngine({ program: URL }): BuildEngine` in `engine/engine.ts`.
 */
export interface BuildJob {
  /** The full model document to build (platform-facts 2.2); with `schemaOrigin` running, the remembered one. */
  readonly datamodel: JsonObject;
  /** The model document of the last successful build; absent before the first one. */
  readonly previous?: JsonObject;
  /** `publish` comes for live models only, the other types for extract models only. */
  readonly buildType: BuildType;
  /** Rows per source of a sample build (spec, POST /builds); absent means no limit. Never 0. */
  readonly rowLimit?: number;
  /** The data folder: CSV files under `files/`, built data under `cubes/<datamodel oid>.sqlite`. */
  readonly folder: string;
  /** Milliseconds by which a build is to be stretched, so that it can be watched; 0 for none. */
  readonly delayMs: number;
}

/** A column that a custom table's expression yields; `type` is a code of platform-facts 2.3. */
export interface BuiltColumn {
  readonly name: string;
  readonly type: number;
}

export type BuildOutcome =
  | {
      readonly status: 'done';
      /** The output columns of each custom table, by table oid. */
      readonly columns: Readonly<Record<string, readonly BuiltColumn[]>>;
      /** Rows of each built table, by table oid. */
      readonly rows: Readonly<Record<string, number>>;
    }
  | {
      readonly status: 'failed';
      /** Name of the table that failed, where one can be blamed. */
      readonly table?: string;
      /** The engine's own words. */
      readonly message: string;
    }
  | { readonly status: 'cancelled' };

/** Runs builds. A run that fails or is cancelled leaves the data of the build before in place (platform-facts 1.3). */
export interface BuildEngine {
  /** Never rejects for what the model contains: that is a `failed` outcome. An aborted signal ends it as `cancelled`. */
  run(job: BuildJob, signal: AbortSignal): Promise<BuildOutcome>;
}

/** A text to check: the query of a custom table, or what a custom column of a table is computed by. */
export interface ExpressionCheckRequest {
  readonly sql: string;
  /** The table of the column; absent for a query. */
  readonly columnOf?: string | undefined;
}

/** What the engine says of a text. */
export type ExpressionCheckResult =
  | { readonly ok: true; readonly columns: readonly string[] }
  | {
      readonly ok: false;
      /** The engine's own words. */
      readonly message: string;
      /** The table whose own SQL is what fails, where it is not the text itself. */
      readonly table?: string;
    };

/** The places of the objects that a filter matches, or why it was refused. */
export type MatchResult = { readonly found: readonly number[] } | { readonly refused: string };

/**
 * What the engine does while somebody waits. Nothing here rejects for what a text holds: one that passes a bound of time
 * or memory is answered in words.
 */
export interface EngineTasks {
  /** Checks a text against a model document. */
  checkExpression(datamodel: JsonObject, text: ExpressionCheckRequest): Promise<ExpressionCheckResult>;
  /** The columns that a query yields; `undefined` where it cannot be read. */
  getQueryColumns(datamodel: JsonObject, sql: string): Promise<readonly BuiltColumn[] | undefined>;
  /** Which of the objects, each a JSON text, a filter matches, itself a JSON text. */
  findMatching(filter: string, objects: readonly string[]): Promise<MatchResult>;
}
