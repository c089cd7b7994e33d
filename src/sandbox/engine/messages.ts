import type { ResourceLimits } from './resourceLimits.ts';

/**
 * The messages between the sandbox and an engine process. Jobs and results travel as JSON text, because a raw number
 * survives neither cloning nor Node's own serialization.
 */
export interface JobMessage {
  readonly job: string;
  readonly bounds: ResourceLimits;
}

/** A message from the worker thread to the thread that watches it. */
export type WorkerMessage =
  | { readonly kind: 'begin'; readonly table?: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'result'; readonly result: string };

/** A report of an engine process; the process ends itself after every report except a result. */
export type ProcessReport =
  | { readonly kind: 'result'; readonly result: string; readonly memoryBytes: number }
  | { readonly kind: 'bound'; readonly bound: 'time' | 'memory'; readonly table?: string }
  | { readonly kind: 'failed'; readonly message: string };
