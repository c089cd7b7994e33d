import type { Clock } from '../../base/clock.ts';
import { KeyedQueue } from '../../base/keyedQueue.ts';
import { HttpError, SchemaError, TooLargeError } from '../../client/errors.ts';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';

/** The number of requests after which one search loads no more datamodels of a connection. */
const maxRequests = 40;
/** The time after which the list of datamodels is checked again, which takes one request, in milliseconds. */
const maxAgeMs = 60_000;

/** The result of one pass through the datamodels of an instance. */
export interface PreloadResult {
  /**
   * The number of datamodels that were not loaded because of the request limit or a cancellation; 0 if the search was
   * canceled before the list of datamodels was read.
   */
  readonly remainingCount: number;
  /** The datamodels that could not be read. */
  readonly failedDatamodels: readonly { readonly title: string; readonly error: unknown }[];
}

/**
 * Loads the datamodels of instances into their catalogs, down to the columns, so that search finds them: one request at
 * a time per instance, a limited number per search, and none for what is already loaded. Writes and builds of this
 * extension invalidate the catalog; to detect other changes, the list is requested again after a while.
 */
export class DatamodelPreloader {
  readonly #clock: Clock;
  readonly #lastCheckTimes = new WeakMap<InstanceCatalog, number>();
  readonly #queue = new KeyedQueue<InstanceCatalog>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Loads the datamodels that are not loaded yet; waits for a load in progress on the same instance.
   * @param onProgress called after each datamodel
   * @throws the error of the list request, and errors that affect more than one datamodel
   */
  load(catalog: InstanceCatalog, signal: AbortSignal, onProgress: () => void): Promise<PreloadResult> {
    return this.#queue.run(catalog, () => this.#loadUnloaded(catalog, signal, onProgress));
  }

  async #loadUnloaded(
    catalog: InstanceCatalog,
    signal: AbortSignal,
    onProgress: () => void,
  ): Promise<PreloadResult> {
    const failedDatamodels: { title: string; error: unknown }[] = [];
    if (signal.aborted) {
      return { remainingCount: 0, failedDatamodels };
    }
    await this.#revalidate(catalog);
    const unloadedDatamodels = (await catalog.partial.datamodels()).value.filter(
      ({ oid }) => !isFullyLoaded(catalog, oid),
    );
    let totalRequestCount = 0;
    for (const [index, { oid, title }] of unloadedDatamodels.entries()) {
      if (signal.aborted || totalRequestCount >= maxRequests) {
        return { remainingCount: unloadedDatamodels.length - index, failedDatamodels };
      }
      try {
        const { requestCount, failure } = await loadDatamodel(catalog, oid, signal);
        totalRequestCount += requestCount;
        if (failure !== undefined) {
          failedDatamodels.push({ title, error: failure });
        }
      } catch (error) {
        if (!isDatamodelError(error)) {
          throw error;
        }
        totalRequestCount += 1;
        failedDatamodels.push({ title, error });
      }
      onProgress();
    }
    return { remainingCount: 0, failedDatamodels };
  }

  async #revalidate(catalog: InstanceCatalog): Promise<void> {
    const now = this.#clock.now();
    if (now - (this.#lastCheckTimes.get(catalog) ?? Number.NEGATIVE_INFINITY) < maxAgeMs) {
      return;
    }
    await catalog.revalidate();
    this.#lastCheckTimes.set(catalog, now);
  }
}

/** Returns whether everything searchable in a datamodel is loaded. */
function isFullyLoaded(catalog: InstanceCatalog, datamodelId: string): boolean {
  const datasets = catalog.getKnownDatamodel(datamodelId)?.datasets;
  return datasets?.every(({ schema }) => Array.isArray(schema?.tables)) === true;
}

/**
 * Loads the datasets and tables of one datamodel; unreadable ones are skipped, and the first error is returned. Some
 * instances need one more request per dataset.
 */
async function loadDatamodel(
  { partial }: InstanceCatalog,
  datamodelId: string,
  signal: AbortSignal,
): Promise<{ readonly requestCount: number; readonly failure: Error | undefined }> {
  const { value: datasets, failure } = await partial.datasets(datamodelId);
  let tableFailure: Error | undefined;
  const unloadedDatasets = datasets.filter(({ schema }) => !Array.isArray(schema?.tables));
  for (const { oid } of unloadedDatasets) {
    if (signal.aborted) {
      break;
    }
    tableFailure ??= (await partial.tables(datamodelId, oid)).failure;
  }
  return { requestCount: 1 + unloadedDatasets.length, failure: failure ?? tableFailure };
}

/**
 * Returns whether an error affects only one datamodel: access is denied, the datamodel was deleted, the response is
 * malformed or too large, or the server failed to read it.
 */
function isDatamodelError(error: unknown): boolean {
  return (
    error instanceof SchemaError ||
    error instanceof TooLargeError ||
    (error instanceof HttpError && (error.status === 403 || error.status === 404 || error.status === 500))
  );
}
