import type { DatabaseSync } from 'node:sqlite';

/** The limits of an engine job. A job that exceeds one of them ends, and reports which one. */
export interface ResourceLimits {
  /** Milliseconds for one expression of a build, and for the whole of a job that is not a build. */
  readonly timeMs: number;
  /** Bytes of the process that the job runs in. */
  readonly memoryBytes: number;
  /** Rows of one custom table. */
  readonly maxRows: number;
}

const megabyte = 1024 * 1024;

/** A million rows are built in seconds; an expression that takes longer than this does not end on its own. */
export const buildLimits: ResourceLimits = {
  timeMs: 30_000,
  memoryBytes: 2048 * megabyte,
  maxRows: 10_000_000,
};

/** For tasks that a user waits for. */
export const taskLimits: ResourceLimits = { timeMs: 5000, memoryBytes: 512 * megabyte, maxRows: 0 };

/** The largest text or blob in bytes. A cell of a source file is far smaller. */
export const maxValueBytes = 16 * megabyte;

/** The longest SQL text; SQLite's own default, which Node raises. */
const maxSqlBytes = 1_000_000;

/** Pages of 4 KiB that one database may have: built data beyond 4 GB is no longer a sample. */
const maxPages = 1_048_576;

const formatCount = (value: number): string => value.toLocaleString('en-US');

/** Messages about an exceeded limit; `what` is e.g. `The expression`. */
export const limitMessages = {
  time: (what: string, { timeMs }: ResourceLimits): string =>
    `${what} took longer than ${formatCount(timeMs / 1000)} seconds, which is the most that the sandbox allows.`,
  memory: (what: string, { memoryBytes }: ResourceLimits): string =>
    `${what} needed more than ${formatCount(memoryBytes / megabyte)} MB of memory, which is the most that the sandbox allows.`,
  rows: (maxRows: number): string =>
    `The query returns more than ${formatCount(maxRows)} rows, which is the most that the sandbox allows.`,
  value: `The expression makes a value larger than ${formatCount(maxValueBytes / megabyte)} MB, which is the most that the sandbox allows.`,
  size: 'The data is larger than 4 GB, which is the most that the sandbox allows.',
} as const;

/** SQLite's codes for a value over its limit, and for a database over its largest number of pages. */
const tooBigCode = 18;
const fullCode = 13;

/** Returns the message for one of SQLite's own errors about a limit; `undefined` for all others. */
export function getLimitMessage(error: unknown): string | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return code === tooBigCode ? limitMessages.value : code === fullCode ? limitMessages.size : undefined;
}

/**
 * Applies the limits that SQLite itself can enforce. Its own memory limit (`hard_heap_limit`) is not one of them: Node
 * compiles it without the statistics that this needs (`DEFAULT_MEMSTATUS=0`), so the process as a whole is watched.
 * Sorting stays in that memory, where it counts, instead of filling the disk.
 */
export function applySqliteLimits(db: DatabaseSync): void {
  db.limits.length = maxValueBytes;
  db.limits.sqlLength = maxSqlBytes;
  db.exec(`PRAGMA temp_store = MEMORY; PRAGMA max_page_count = ${maxPages};`);
}
