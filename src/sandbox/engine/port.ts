import type { JsonObject } from '../../base/json.ts';
import type { BuildType } from '../../contract/build.ts';

/**
 * One build, as the build service requests it. The engine never reads the store: the job contains everything it needs.
 * By convention the implementation is `createBuildEngine({ program: URL }): BuildEngine` in `engine/engine.ts`.
 */
export interface BuildJob {
  /**
   * The full model document to build (platform-facts.md, 2.2); with `schemaOrigin` running, the one of the last build.
   */
  readonly datamodel: JsonObject;
  /** The model document of the last successful build; absent before the first one. */
  readonly previous?: JsonObject;
  /** `publish` is used for live models only, the other types for extract models only. */
  readonly buildType: BuildType;
  /** Rows per source of a sample build (rest-api.md, "POST /builds body"); absent means no limit. Never 0. */
  readonly rowLimit?: number;
  /** The data folder: CSV files under `files/`, built data under `cubes/<datamodel oid>.sqlite`. */
  readonly folder: string;
  /** Extra milliseconds that a build takes, so that it can be observed; 0 for none. */
  readonly delayMs: number;
}

/** A column that a custom table's expression yields; `type` is a code of platform-facts.md, 2.3. */
export interface BuiltColumn {
  readonly name: string;
  readonly type: number;
}

export type BuildOutcome =
  | {
      readonly status: 'done';
      /** The output columns of each custom table, by table oid. */
      readonly columns: Readonly<Record<string, readonly BuiltColumn[]>>;
      /** Number of rows of each built table, by table oid. */
      readonly rows: Readonly<Record<string, number>>;
    }
  | {
      readonly status: 'failed';
      /** Name of the table that failed, if one table caused the failure. */
      readonly table?: string;
      /** The engine's own message. */
      readonly message: string;
    }
  | { readonly status: 'cancelled' };

/**
 * Runs builds. A run that fails or is canceled leaves the data of the previous build in place (platform-facts.md, 1.3).
 */
export interface BuildEngine {
  /**
   * Never rejects because of the model's contents: that is a `failed` outcome. An aborted signal ends it as
   * `cancelled`.
   */
  run(job: BuildJob, signal: AbortSignal): Promise<BuildOutcome>;
}

/** A text to check: the query of a custom table, or the expression of a custom column. */
export interface ExpressionCheckRequest {
  readonly sql: string;
  /** The table of the column; absent for a query. */
  readonly columnOf?: string | undefined;
}

/** The engine's verdict on a text. */
export type ExpressionCheckResult =
  | { readonly ok: true; readonly columns: readonly string[] }
  | {
      readonly ok: false;
      /** The engine's own message. */
      readonly message: string;
      /** The table whose own SQL fails, if it is not the text itself. */
      readonly table?: string;
    };

/** The indexes of the objects that a filter matches, or the reason why it was refused. */
export type MatchResult = { readonly found: readonly number[] } | { readonly refused: string };

/**
 * Work of the engine that a user waits for. Nothing here rejects because of the contents of a text: a text that exceeds
 * a limit of time or memory results in a message.
 */
export interface EngineTasks {
  /** Checks a text against a model document. */
  checkExpression(datamodel: JsonObject, text: ExpressionCheckRequest): Promise<ExpressionCheckResult>;
  /** Returns the columns that a query yields; `undefined` if it cannot be read. */
  getQueryColumns(datamodel: JsonObject, sql: string): Promise<readonly BuiltColumn[] | undefined>;
  /** Finds the objects that a filter matches; the filter and each object are JSON texts. */
  findMatching(filter: string, objects: readonly string[]): Promise<MatchResult>;
}
