import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Returns all current descendants of a process. Reads /proc, so Linux only. */
export function findDescendantProcesses(root: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? getParentProcessId(name) : undefined;
    if (parent !== undefined) {
      parents.set(Number(name), parent);
    }
  }
  const found = new Set([root]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const [pid, parent] of parents) {
      if (found.has(parent)) {
        found.add(pid);
      }
    }
  }
  found.delete(root);
  return [...found];
}

function getParentProcessId(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may contain blanks; state and parent follow it.
    const [, state, parent] = /\) (\S) (\d+)/.exec(stat) ?? [];
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  return getParentProcessId(String(pid)) !== undefined;
}

/** Returns the processes that are still running at the deadline; returns as soon as none is left. */
export async function waitForProcessesToExit(
  pids: readonly number[],
  deadlineMs: number,
): Promise<readonly number[]> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const alive = pids.filter(isAlive);
    if (alive.length === 0 || performance.now() > deadline) {
      return alive;
    }
    // The exit of a process that isn't our child can only be polled.
    await setTimeout(20);
  }
}
