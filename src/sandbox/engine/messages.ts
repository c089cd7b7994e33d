import type { ResourceLimits } from './resourceLimits.ts';

/**
 * What the sandbox and a process of its engine say to each other. Jobs and results travel as JSON text, because a raw
 * number survives neither cloning nor Node's own serialization.
 */
export interface JobMessage {
  readonly job: string;
  readonly bounds: ResourceLimits;
}

/** What the thread that works says to the one that watches it. */
export type WorkerMessage =
  | { readonly kind: 'begin'; readonly table?: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'result'; readonly result: string };

/** What a process of the engine reports; it ends itself after every report but a result. */
export type ProcessReport =
  | { readonly kind: 'result'; readonly result: string; readonly memoryBytes: number }
  | { readonly kind: 'bound'; readonly bound: 'time' | 'memory'; readonly table?: string }
  | { readonly kind: 'failed'; readonly message: string };
