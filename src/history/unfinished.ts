import type { Operation, Write } from '../writes/operation.ts';
import type { HistoryEntry, WriteState } from './entry.ts';

/** An operation and how far it came. */
interface Progress {
  readonly operation: Operation;
  /** As many as the operation has writes. */
  readonly writes: readonly WriteState[];
}

/**
 * Whether an operation stopped that goes on where it was: what was done of it is not sent again. A single request that
 * was refused is asked for again like any other, unless it was a guard's end.
 */
export const canGoOn = (entry: HistoryEntry): boolean =>
  entry.end === 'stopped' &&
  entry.writes.some(({ state }) => state !== 'done') &&
  (entry.writes.length > 1 ||
    entry.operation.writes.some(({ batch }) => batch !== undefined) ||
    leavesGuard(entry));

/**
 * Whether a guard stands that the operation has put up or was to take away: the parties of its rules see nothing until
 * it is finished or taken back.
 */
export const leavesGuard = ({ operation, writes }: Progress): boolean =>
  operation.writes.some((write, index) => {
    if (!isGuardEnd(write) || writes[index]?.state === 'done') {
      return false;
    }
    const makers = [...(write.made ?? []).map((made) => made.write), ...(write.batch?.madeBy ?? [])];
    const isOfOthers = makers.length === 0 || (write.batch?.ids ?? []).length > 0;
    return isOfOthers || makers.some((maker) => mayHaveMade(operation.writes[maker], writes[maker]));
  });

/**
 * How an operation that stopped with its guards standing comes to an end by itself: a change of rules that is not
 * complete is taken back, since what the server refused once may be refused for ever; where only guards are left, and
 * where other documents go along, it is finished.
 */
export const endingOf = ({ operation, writes }: Progress): 'finish' | 'take-back' =>
  operation.writes.every(({ endpoint }) => isOfRules(endpoint)) &&
  leavesGuard({ operation, writes }) &&
  operation.writes.some((write, index) => !isGuardEnd(write) && writes[index]?.state !== 'done')
    ? 'take-back'
    : 'finish';

const isOfRules = (endpoint: Write['endpoint']): boolean =>
  endpoint.startsWith('liveRules.') || endpoint.startsWith('extractRules.');

const isGuardEnd = ({ step, endpoint }: Write): boolean => step === 'guard' && endpoint.endsWith('.delete');

/** One request that was refused made nothing; one of many may have made some. */
const mayHaveMade = (write: Write | undefined, state: WriteState | undefined): boolean =>
  state !== undefined &&
  state.state !== 'waiting' &&
  (state.state !== 'failed' || write?.batch !== undefined);
