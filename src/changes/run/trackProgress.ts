import type { ApiError } from '../../client/errors.ts';
import type { Operation } from '../model/operation.ts';
import { isRuleWrite } from '../rules/ruleAction.ts';
import type { RunOptions } from './runOptions.ts';

/** The progress of a run. */
export interface RunProgress {
  /** The number of rules processed. */
  readonly done: number;
  readonly total: number;
  /** Set if the run waits: the time until the next attempt, in milliseconds, and the failure of the last one. */
  readonly wait?: { readonly ms: number; readonly failure: ApiError };
  /** Set while the run waits for another change of the same connection. */
  readonly isQueued?: true;
}

/** Returns the options of a run that report its progress, counted in rules. */
export function trackProgress(
  operation: Operation,
  report: (progress: RunProgress) => void,
): Pick<RunOptions, 'onProgress' | 'onWait' | 'onQueued'> {
  const sizes = operation.writes.map((_write, index) => countRules(operation, index));
  const getTotal = (): number => sizes.reduce((sum, size) => sum + size, 0);
  // Rules are changed in a safe order, which may differ from the order of the writes.
  const doneByWrite = new Map<number, number>();
  let done = 0;
  return {
    onProgress: (progress) => {
      done += progress.done - (doneByWrite.get(progress.writeIndex) ?? 0);
      doneByWrite.set(progress.writeIndex, progress.done);
      // A rule that replaces another one in place is one rule in two writes.
      progress.totals.forEach((size, index) => {
        sizes[index] = size;
      });
      report({ done, total: getTotal() });
    },
    onQueued: (isQueued) => report({ done, total: getTotal(), ...(isQueued ? { isQueued } : {}) }),
    onWait: (ms, failure) => report({ done, total: getTotal(), wait: { ms, failure } }),
  };
}

/** Returns the number of rules that a write affects; other writes report no progress. */
function countRules({ writes }: Operation, index: number): number {
  const write = writes[index];
  if (write === undefined || !isRuleWrite(write)) {
    return 0;
  }
  const lists = [write.body, write.batch?.ids].filter((list) => Array.isArray(list));
  // A write that updates a rule in place affects one rule.
  return lists.length === 0 ? 1 : lists.reduce((sum, list) => sum + list.length, 0);
}
