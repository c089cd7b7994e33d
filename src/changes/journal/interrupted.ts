import { isRuleWrite } from '../rules/ruleAction.ts';
import type { Operation } from '../model/operation.ts';
import type { HistoryEntry, WriteState } from './entry.ts';

/** An operation and its progress. */
interface Progress {
  readonly operation: Operation;
  /** One for each write of the operation. */
  readonly writes: readonly WriteState[];
}

/**
 * Returns whether a stopped operation can be resumed: completed writes are not sent again. A single request that was
 * rejected is requested again like any other, unless it left a temporary deny rule.
 */
export const canResume = (entry: HistoryEntry): boolean =>
  entry.end === 'stopped' &&
  entry.writes.some(({ state }) => state !== 'done') &&
  (entry.writes.length > 1 ||
    entry.operation.writes.some(({ batch }) => batch !== undefined) ||
    leavesDenyRules(entry));

/**
 * Returns whether temporary deny rules of the operation are in force: the parties of its rules see nothing until it is
 * finished or undone.
 */
export const leavesDenyRules = ({ writes }: Pick<Progress, 'writes'>): boolean =>
  writes.some((state) => getDenied(state) !== undefined);

/**
 * Returns how a stopped operation is ended automatically: an incomplete rule change is undone, since the server may
 * reject the same request every time; if only temporary deny rules are left, or other documents are part of it, it is
 * finished.
 */
export const getRecovery = ({ operation, writes }: Progress): 'finish' | 'take-back' =>
  operation.writes.every(isRuleWrite) &&
  writes.some(({ state }) => state !== 'done') &&
  writes.every((state) => getDenied(state) !== 'only')
    ? 'take-back'
    : 'finish';

/** Returns whether the write is in effect and only temporary deny rules remain to be deleted. */
export const isInForce = (state: WriteState | undefined): boolean =>
  state !== undefined && (state.state === 'done' || getDenied(state) === 'only');

const getDenied = (state: WriteState): 'open' | 'only' | undefined =>
  'denied' in state ? state.denied : undefined;
