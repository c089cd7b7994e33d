import type { JsonObject } from '../../base/json.ts';
import type { BuildType } from '../../contract/build.ts';

/**
 * One build, as the build service hands it over. The engine never looks at the store: what it needs is here.
 * By convention the implementation is `createBuildEngine({ worker: URL }): BuildEngine` in `engine/engine.ts`.
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
