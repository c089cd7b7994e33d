import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';

/** The time that one attempt may block this thread. Signals are handled between attempts. */
const attemptMs = 1000;

/** SQLite's error code `SQLITE_BUSY`: another process holds the lock. */
const busyErrorCode = 5;

function tryAcquire(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === busyErrorCode) {
      return false;
    }
    throw error;
  }
}

/**
 * Runs an action while holding an exclusive lock on a file. It is a lock of SQLite, so the operating system releases it
 * when the process dies, and it can't become stale.
 */
export async function withInstallLock<T>(
  lockFile: string,
  onWait: () => void,
  action: () => Promise<T>,
): Promise<T> {
  const database = new DatabaseSync(lockFile, { timeout: attemptMs });
  try {
    for (let isWaiting = false; !tryAcquire(database); isWaiting = true) {
      if (!isWaiting) {
        onWait();
      }
      await setImmediate();
    }
    return await action();
  } finally {
    database.close();
  }
}
