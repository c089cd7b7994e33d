import { isRuleWrite } from '../rules/ruleAction.ts';
import type { Operation } from '../model/operation.ts';
import type { HistoryEntry, WriteState } from './entry.ts';

/** An operation and how far it came. */
interface Progress {
  readonly operation: Operation;
  /** As many as the operation has writes. */
  readonly writes: readonly WriteState[];
}

/**
 * Whether an operation stopped that goes on where it was: what was done of it is not sent again. A single request that
 * was refused is asked for again like any other, unless it left a temporary deny rule.
 */
export const canResume = (entry: HistoryEntry): boolean =>
  entry.end === 'stopped' &&
  entry.writes.some(({ state }) => state !== 'done') &&
  (entry.writes.length > 1 ||
    entry.operation.writes.some(({ batch }) => batch !== undefined) ||
    leavesDenyRules(entry));

/**
 * Whether temporary deny rules of the operation are in force: the parties of its rules see nothing until it is finished
 * or undone.
 */
export const leavesDenyRules = ({ writes }: Pick<Progress, 'writes'>): boolean =>
  writes.some((state) => getDenied(state) !== undefined);

/**
 * How an operation that stopped comes to an end by itself: a change of rules that is not complete is undone, since what
 * the server refused once may be refused for ever; where only temporary deny rules are left, and where other documents
 * go along, it is finished.
 */
export const getRecovery = ({ operation, writes }: Progress): 'finish' | 'take-back' =>
  operation.writes.every(isRuleWrite) &&
  writes.some(({ state }) => state !== 'done') &&
  writes.every((state) => getDenied(state) !== 'only')
    ? 'take-back'
    : 'finish';

/** Whether what a write asks for is there, with nothing left to do but to delete temporary deny rules. */
export const isInForce = (state: WriteState | undefined): boolean =>
  state !== undefined && (state.state === 'done' || getDenied(state) === 'only');

const getDenied = (state: WriteState): 'open' | 'only' | undefined =>
  'denied' in state ? state.denied : undefined;
