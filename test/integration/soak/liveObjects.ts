import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PlatformClient } from '../../../src/client/platformClient.ts';
import { DisposableStore } from '../../../src/base/disposable.ts';
import { Emitter } from '../../../src/base/event.ts';
import { InstanceCatalog } from '../../../src/catalog/instanceCatalog.ts';
import { Version } from '../../../src/documents/version.ts';

/** The number of objects in this process that are still referenced after a garbage collection. */
export interface LiveObjects {
  /** The number of objects of each kind. Listeners and callbacks are counted as functions. */
  readonly counts: Readonly<Record<string, number>>;
  readonly heapBytes: number;
}

const getTimerClass = (): (new () => unknown) => {
  const timer = setTimeout(() => undefined, 0);
  clearTimeout(timer);
  return timer.constructor as new () => unknown;
};

const kinds: Readonly<Record<string, new (...args: never[]) => unknown>> = {
  function: Function,
  promise: Promise,
  map: Map,
  set: Set,
  timer: getTimerClass(),
  abort: AbortController,
  signal: AbortSignal,
  store: DisposableStore,
  emitter: Emitter,
  client: PlatformClient,
  catalog: InstanceCatalog,
  version: Version,
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Waits for pending work, collects garbage, and counts the objects that are left. */
export async function countLiveObjects(): Promise<LiveObjects> {
  await new Promise(setImmediate);
  collectGarbage();
  await new Promise(setImmediate);
  collectGarbage();
  const counts = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, queryObjects(kind as never, { format: 'count' })]),
  ) as Record<string, number>;
  return { counts, heapBytes: process.memoryUsage().heapUsed };
}
