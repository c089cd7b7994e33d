import type { ResourceLimits } from './resourceLimits.ts';

/**
 * A message from the sandbox to an engine process. Jobs and results are JSON texts, because neither structured cloning
 * nor Node's own serialization preserves raw numbers.
 */
export interface JobMessage {
  readonly job: string;
  readonly limits: ResourceLimits;
}

/** A message from the worker thread to the thread that watches it. */
export type WorkerMessage =
  // `begin` and `end` enclose work whose time is limited: the build of a table, or a task.
  | { readonly kind: 'begin'; readonly table?: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'result'; readonly result: string };

/** A report of an engine process to the sandbox. After any report except a result, the process ends itself. */
export type ProcessReport =
  | { readonly kind: 'result'; readonly result: string; readonly memoryBytes: number }
  | { readonly kind: 'limit-exceeded'; readonly limit: 'time' | 'memory'; readonly table?: string }
  | { readonly kind: 'failed'; readonly message: string };
