import type { Clock } from '../../base/clock.ts';
import { KeyedQueue } from '../../base/keyedQueue.ts';
import { HttpError, SchemaError, TooLargeError } from '../../client/errors.ts';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';

/** How many requests one search spends at most on the datamodels of one connection. */
const maxRequests = 40;
/** How old the list of datamodels may be before it is looked at again, which takes one request. */
const maxAgeMs = 60_000;

/** What became of one look through the datamodels of an instance. */
export interface IndexResult {
  /** How many datamodels could not be looked through within the bound. */
  readonly left: number;
  /** What could not be read of single datamodels; the others were. */
  readonly failed: readonly { readonly title: string; readonly error: unknown }[];
}

/**
 * Has the catalogues of instances know their datamodels down to the columns, so that they can be found: one request
 * at a time and instance, a bounded number at once, and none for what is known already. Own writes and builds make a
 * catalogue forget by itself; what others changed is seen by the list, which is asked for again once it is old.
 */
export class DatamodelIndex {
  readonly #clock: Clock;
  readonly #lastChecked = new WeakMap<InstanceCatalog, number>();
  readonly #queue = new KeyedQueue<InstanceCatalog>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Loads what is not known, after a look that is under way at the same instance.
   * @param onProgress more is known
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

/** True where nothing of the datamodel is missing that could be found. */
function isKnown(catalog: InstanceCatalog, datamodelId: string): boolean {
  const datasets = catalog.knownDatamodel(datamodelId)?.datasets;
  return datasets?.every(({ schema }) => Array.isArray(schema?.tables)) === true;
}

/** Loads one datamodel, as far as it can be read, in as many requests as its instance takes to answer it whole. */
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

/** True for a failure that says nothing of other datamodels: this one may not be read, or is not what it should be. */
function isDatamodelError(error: unknown): boolean {
  return (
    error instanceof SchemaError ||
    error instanceof TooLargeError ||
    (error instanceof HttpError && (error.status === 403 || error.status === 404 || error.status === 500))
  );
}
