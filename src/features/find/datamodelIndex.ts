import type { Clock } from '../../base/clock.ts';
import { KeyedQueue } from '../../base/keyedQueue.ts';
import { HttpError, SchemaError, TooLargeError } from '../../client/errors.ts';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';

/** The maximum number of requests that one search spends on the datamodels of one connection. */
const maxRequests = 40;
/** The maximum age of the list of datamodels before it is checked again, which takes one request. */
const maxAgeMs = 60_000;

/** The result of one pass through the datamodels of an instance. */
export interface IndexResult {
  /** The number of datamodels that could not be indexed within the limit. */
  readonly left: number;
  /** The single datamodels that could not be read; the others were. */
  readonly failed: readonly { readonly title: string; readonly error: unknown }[];
}

/**
 * Loads the datamodels of instances into their catalogs, down to the columns, so that they can be found: one request at
 * a time per instance, a limited number per search, and none for what is known already. Own writes and builds
 * invalidate a catalog on their own; changes by others show in the list, which is requested again once it is old.
 */
export class DatamodelIndex {
  readonly #clock: Clock;
  readonly #lastChecked = new WeakMap<InstanceCatalog, number>();
  readonly #queue = new KeyedQueue<InstanceCatalog>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Loads what is not known, after a load that is in progress for the same instance.
   * @param onProgress called when more is known
   * @throws what the list throws, and what keeps all datamodels from being read
   */
  load(catalog: InstanceCatalog, signal: AbortSignal, onProgress: () => void): Promise<IndexResult> {
    return this.#queue.run(catalog, () => this.#index(catalog, signal, onProgress));
  }

  async #index(catalog: InstanceCatalog, signal: AbortSignal, onProgress: () => void): Promise<IndexResult> {
    const failed: { title: string; error: unknown }[] = [];
    if (signal.aborted) {
      return { left: 0, failed };
    }
    await this.#revalidate(catalog);
    const unknown = (await catalog.readable.datamodels()).value.filter(({ oid }) => !isKnown(catalog, oid));
    let spent = 0;
    for (const [index, { oid, title }] of unknown.entries()) {
      if (signal.aborted || spent >= maxRequests) {
        return { left: unknown.length - index, failed };
      }
      try {
        const { requests, failure } = await loadDatamodel(catalog, oid, signal);
        spent += requests;
        if (failure !== undefined) {
          failed.push({ title, error: failure });
        }
      } catch (error) {
        if (!isDatamodelError(error)) {
          throw error;
        }
        spent += 1;
        failed.push({ title, error });
      }
      onProgress();
    }
    return { left: 0, failed };
  }

  async #revalidate(catalog: InstanceCatalog): Promise<void> {
    const now = this.#clock.now();
    if (now - (this.#lastChecked.get(catalog) ?? Number.NEGATIVE_INFINITY) < maxAgeMs) {
      return;
    }
    await catalog.revalidate();
    this.#lastChecked.set(catalog, now);
  }
}

/** Returns whether everything in the datamodel that can be found is loaded. */
function isKnown(catalog: InstanceCatalog, datamodelId: string): boolean {
  const datasets = catalog.knownDatamodel(datamodelId)?.datasets;
  return datasets?.every(({ schema }) => Array.isArray(schema?.tables)) === true;
}

/** Loads one datamodel, as far as it can be read, in as many requests as its instance needs to return all of it. */
async function loadDatamodel(
  { readable }: InstanceCatalog,
  datamodelId: string,
  signal: AbortSignal,
): Promise<{ readonly requests: number; readonly failure: Error | undefined }> {
  const { value: datasets, failure } = await readable.datasets(datamodelId);
  let failedTables: Error | undefined;
  const without = datasets.filter(({ schema }) => !Array.isArray(schema?.tables));
  for (const { oid } of without) {
    if (signal.aborted) {
      break;
    }
    failedTables ??= (await readable.tables(datamodelId, oid)).failure;
  }
  return { requests: 1 + without.length, failure: failure ?? failedTables };
}

/** True for a failure that does not concern other datamodels: this one may not be read, or is malformed. */
function isDatamodelError(error: unknown): boolean {
  return (
    error instanceof SchemaError ||
    error instanceof TooLargeError ||
    (error instanceof HttpError && (error.status === 403 || error.status === 404 || error.status === 500))
  );
}
