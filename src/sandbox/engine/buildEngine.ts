import type { JsonObject } from '../../base/json.ts';
import type { BuildType } from '../../contract/build.ts';

/**
 * One build, as the build service requests it. The engine never reads the store: the job contains everything it needs.
 * `createBuildEngine` creates the implementation.
 */
export interface BuildJob {
  /**
   * The full datamodel document to build (platform-facts.md, 2.2): the stored one, or with schema origin `running` that
   * of the last build.
   */
  readonly datamodel: JsonObject;
  /** The datamodel document of the last successful build; absent before the first one. */
  readonly previous?: JsonObject;
  /** `publish` is used for live models only, the other types for extract models only. */
  readonly buildType: BuildType;
  /** Maximum rows per source of a sample build (rest-api.md, "POST /builds body"); absent for no limit. Never 0. */
  readonly rowLimit?: number;
  /** The data folder: CSV files under `files/`, built data under `cubes/<datamodel oid>.sqlite`. */
  readonly folder: string;
  /** Artificial delay of the build in milliseconds, so that it can be observed; 0 for none. */
  readonly delayMs: number;
}

/** A column of built data; `type` is a code of platform-facts.md, 2.3. */
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
      readonly rowCounts: Readonly<Record<string, number>>;
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
   * Runs a build. An error in the datamodel or its data results in a `failed` outcome, not in a rejection; aborting the
   * signal results in `cancelled`.
   */
  run(job: BuildJob, signal: AbortSignal): Promise<BuildOutcome>;
}

/** SQL to check: the query of a custom table, or the expression of a custom column. */
export interface SqlCheckRequest {
  readonly sql: string;
  /** The table of the custom column; absent for a query. */
  readonly columnOf?: string | undefined;
}

/** The result of an expression check: the output columns, or the error. */
export type SqlCheckResult =
  | { readonly ok: true; readonly columns: readonly string[] }
  | {
      readonly ok: false;
      /** The engine's own message. */
      readonly message: string;
      /** The custom table whose SQL fails, if the error is not in the checked SQL itself. */
      readonly table?: string;
    };

/** The indexes of the objects that match a filter, or the error message of an invalid filter. */
export type MatchResult = { readonly matchingIndexes: readonly number[] } | { readonly error: string };

/**
 * Short engine tasks that a user waits for. They do not reject because of invalid SQL or filters, or because of an
 * exceeded time or memory limit: the result then contains a message.
 */
export interface EngineTasks {
  /** Checks SQL against a datamodel document. */
  checkExpression(datamodel: JsonObject, request: SqlCheckRequest): Promise<SqlCheckResult>;
  /** Returns the output columns of a query; `undefined` if it is invalid. */
  getQueryColumns(datamodel: JsonObject, sql: string): Promise<readonly BuiltColumn[] | undefined>;
  /** Finds the objects that match a filter; the filter and the objects are JSON texts. */
  findMatching(filter: string, objects: readonly string[]): Promise<MatchResult>;
}
