import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PlatformClient } from '../../../src/client/platformClient.ts';
import { DisposableStore } from '../../../src/base/disposable.ts';
import { Emitter } from '../../../src/base/event.ts';
import { InstanceCatalog } from '../../../src/catalog/instanceCatalog.ts';
import { Version } from '../../../src/documents/version.ts';

/** Objects alive in this process after garbage collection. */
export interface LiveObjects {
  /** Objects by kind; functions stand for listeners and callbacks, which have no class of their own. */
  readonly counts: Readonly<Record<string, number>>;
  readonly heapBytes: number;
}

const timerClass = (): (new () => unknown) => {
  const timer = setTimeout(() => undefined, 0);
  clearTimeout(timer);
  return timer.constructor as new () => unknown;
};

const kinds: Readonly<Record<string, new (...args: never[]) => unknown>> = {
  function: Function,
  promise: Promise,
  map: Map,
  set: Set,
  timer: timerClass(),
  abort: AbortController,
  signal: AbortSignal,
  store: DisposableStore,
  emitter: Emitter,
  client: PlatformClient,
  catalog: InstanceCatalog,
  version: Version,
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Counts live objects after pending work has ended. */
export async function countLiveObjects(): Promise<LiveObjects> {
  await new Promise(setImmediate);
  collect();
  await new Promise(setImmediate);
  collect();
  const counts = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, queryObjects(kind as never, { format: 'count' })]),
  ) as Record<string, number>;
  return { counts, heapBytes: process.memoryUsage().heapUsed };
}
