import { readFileSync } from 'node:fs';

/**
 * Returns whether a process exists on this machine, even if it belongs to another user. One that has ended doesn't count,
 * though on Linux it keeps its ID until its parent process has noticed: a parent that never looks keeps it forever.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code !== 'ESRCH';
  }
}

/** Returns whether Linux keeps a process only for its parent ("Z" or "X" in proc_pid_stat(5)). */
function hasEnded(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program is in parentheses, and may contain some.
    return /^ [ZX]/.test(status.slice(status.lastIndexOf(')') + 1));
  } catch {
    // Other systems have no such file.
    return false;
  }
}
