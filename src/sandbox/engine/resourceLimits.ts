import type { DatabaseSync } from 'node:sqlite';

/** The limits of an engine job. A job that exceeds one of them is stopped and reports which one. */
export interface ResourceLimits {
  /** Maximum time in milliseconds for one expression of a build, or for a task as a whole. */
  readonly timeMs: number;
  /** Maximum resident memory of the process in bytes. */
  readonly memoryBytes: number;
  /** Maximum number of rows of one custom table. */
  readonly maxRows: number;
}

const megabyte = 1024 * 1024;

/** The limits of a build. A million rows take seconds, so an expression that exceeds 30 seconds is likely endless. */
export const buildLimits: ResourceLimits = {
  timeMs: 30_000,
  memoryBytes: 2048 * megabyte,
  maxRows: 10_000_000,
};

/** The limits of what a user waits for: SQL checks and filters. */
export const interactiveLimits: ResourceLimits = { timeMs: 5000, memoryBytes: 512 * megabyte, maxRows: 0 };

/** The largest text or blob in bytes, far larger than usual cells of source files. */
export const maxValueBytes = 16 * megabyte;

/** The longest SQL text in bytes, far longer than usual expressions. SQLite itself allows a billion. */
const maxSqlBytes = 1_000_000;

/** Maximum number of pages of one database: 4 GB with pages of 4 KiB. */
const maxPages = 1_048_576;

const formatCount = (value: number): string => value.toLocaleString('en-US');

/** Messages about an exceeded limit. `jobName` is the subject of the sentence, e.g. `The expression`. */
export const limitMessages = {
  time: (jobName: string, { timeMs }: ResourceLimits): string =>
    `${jobName} took longer than ${formatCount(timeMs / 1000)} seconds, the limit of the sandbox`,
  memory: (jobName: string, { memoryBytes }: ResourceLimits): string =>
    `${jobName} needed more than ${formatCount(memoryBytes / megabyte)} MB of memory, the limit of the sandbox`,
  rows: (maxRows: number): string =>
    `The query returns more than ${formatCount(maxRows)} rows, the limit of the sandbox`,
  value: `The expression produces a value larger than ${formatCount(maxValueBytes / megabyte)} MB, the limit of the sandbox`,
  size: 'The data is larger than 4 GB, the limit of the sandbox, or the disk is full',
} as const;

/**
 * SQLite's result codes for a value that is too large, and for a database that can't grow: it has too many pages, or
 * the disk is full. It may have been rolled back already, so the number of its pages doesn't show which.
 */
const tooBigCode = 18;
const fullCode = 13;

/** Returns the message for an error of SQLite about an exceeded limit; `undefined` for any other error. */
export function getLimitMessage(error: unknown): string | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return code === tooBigCode ? limitMessages.value : code === fullCode ? limitMessages.size : undefined;
}

/**
 * Applies the limits that SQLite itself can enforce. Its memory limit (`hard_heap_limit`) is not one of them, because
 * Node compiles SQLite with `DEFAULT_MEMSTATUS=0`; the memory of the whole process is checked instead. Temporary data
 * of sorts stays in memory, where the limit applies, instead of filling the disk.
 */
export function applySqliteLimits(db: DatabaseSync): void {
  db.limits.length = maxValueBytes;
  db.limits.sqlLength = maxSqlBytes;
  db.exec(`PRAGMA temp_store = MEMORY; PRAGMA max_page_count = ${maxPages};`);
}
