import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';

/** The time that one attempt blocks this thread; between attempts signals are handled. */
const attemptMs = 1000;

function tryAcquire(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) {
      return false;
    }
    throw error;
  }
}

/**
 * Runs `body` while no other process runs one under the same file. The lock is SQLite's, so the operating system
 * releases it when its holder dies; it can never become stale.
 */
export async function withInstallLock<T>(
  lockFile: string,
  onWait: () => void,
  body: () => Promise<T>,
): Promise<T> {
  const database = new DatabaseSync(lockFile, { timeout: attemptMs });
  try {
    for (let waiting = false; !tryAcquire(database); waiting = true) {
      if (!waiting) {
        onWait();
      }
      await setImmediate();
    }
    return await body();
  } finally {
    database.close();
  }
}
