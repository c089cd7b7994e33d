import type { Operation } from '../model/operation.ts';
import { getDeniedScopes, isRequestInDoubt, type SentRequest } from '../model/sentRequest.ts';
import { isRuleWrite } from '../rules/ruleAction.ts';
import { findRuleWriteGroup, getRuleWriteGroups } from '../rules/ruleWriteGroup.ts';
import { type HistoryEntry, type WriteState, isInDoubt, isUnresolved } from './entry.ts';

/** An operation and the states of its writes. */
interface OperationStates {
  readonly operation: Operation;
  /** The states of the writes, by index. */
  readonly writeStates: readonly WriteState[];
  /** The requests of its rule changes; absent if an earlier version recorded it. */
  readonly requests?: readonly SentRequest[] | undefined;
}

/**
 * Returns whether a stopped operation can be resumed without sending completed writes again. False for an abandoned
 * operation, and if it's known to have written nothing, since there is nothing to roll back, either. Also false for a
 * single request that isn't done: the user can simply repeat it, unless it left a temporary deny rule. True if all
 * writes are done: then it was stopped only to be rolled back, and the rollback has stopped, too.
 */
export const canResume = (entry: OperationStates & Pick<HistoryEntry, 'end' | 'isAbandoned'>): boolean =>
  entry.end === 'stopped' &&
  entry.isAbandoned !== true &&
  !hasWrittenNothing(entry) &&
  (entry.writeStates.length > 1 ||
    entry.writeStates.every(({ state }) => state === 'done') ||
    entry.operation.writes.some(({ batch }) => batch !== undefined) ||
    leavesDenyRules(entry));

/** Returns whether a change of rules stopped after it changed some of them, or may have, and can be resumed. */
export const hasChangedSomeRules = (entry: HistoryEntry): boolean =>
  canResume(entry) && entry.operation.writes.some(isRuleWrite) && mayHaveWritten(entry);

/** Returns whether an operation has written something, or may have. */
export const mayHaveWritten = ({ writeStates }: Pick<OperationStates, 'writeStates'>): boolean =>
  writeStates.some(
    (write) =>
      (write.state !== 'failed' && write.state !== 'waiting') ||
      write.partly === true ||
      write.denied !== undefined,
  );

/** Returns whether an operation is known to have written nothing, and none of its requests can take effect later. */
export const hasWrittenNothing = (entry: OperationStates): boolean =>
  !mayHaveWritten(entry) && entry.writeStates.every((_state, index) => !mayTakeEffectLater(entry, index));

/**
 * Returns whether a write that a check has shown to have had no effect may still have one: the server may be carrying
 * out a request. The state of a change of rules is that of the current rules, so its requests decide.
 */
export function mayTakeEffectLater(
  { operation: { writes }, writeStates: states, requests }: OperationStates,
  index: number,
): boolean {
  const state = states[index];
  if (!isInDoubt(state)) {
    return false;
  }
  const group = findRuleWriteGroup(writes, index);
  return group === undefined
    ? !isUnresolved(state?.state)
    : // Earlier versions recorded no requests.
      requests === undefined ||
        requests.some(
          (request) => isRequestInDoubt(request) && group.writeIndices.includes(request.writeIndex),
        );
}

/**
 * Returns the indices of the writes that have had an effect, or may have: not of those that weren't sent, or that the
 * server has refused. The requests of a change of rules show whether any of it was sent.
 */
export function findEffectiveWrites({
  operation,
  writeStates,
  requests,
}: OperationStates): ReadonlySet<number> {
  const sent = new Set(
    requests?.filter(({ result }) => result?.state !== 'not-sent').map(({ writeIndex }) => writeIndex),
  );
  const unsent = new Set(
    // Earlier versions recorded no requests.
    (requests === undefined ? [] : getRuleWriteGroups(operation.writes))
      .map(({ writeIndices }) => writeIndices)
      .filter((indices) => !indices.some((index) => sent.has(index)))
      .flat(),
  );
  return new Set(
    writeStates.flatMap((state, index) => {
      const leftEffects = state.state === 'done' || state.partly === true || state.denied !== undefined;
      const isRefused = state.state === 'failed' && state.refused === true;
      return leftEffects || !(state.state === 'waiting' || isRefused || unsent.has(index)) ? [index] : [];
    }),
  );
}

/**
 * Counts the steps of an operation that weren't completed (`remaining`), and those that might not have been
 * (`unknown`).
 */
export function countOpenSteps(entry: OperationStates): {
  readonly remaining: number;
  readonly unknown: number;
} {
  const { writeStates } = entry;
  const unknown = writeStates.filter(
    ({ state }, index) => isUnresolved(state) || mayTakeEffectLater(entry, index),
  ).length;
  return { remaining: writeStates.filter(({ state }) => state !== 'done').length - unknown, unknown };
}

/**
 * Returns whether an operation has left temporary deny rules in force: the parties of its rules see nothing until it is
 * finished or undone.
 */
export const leavesDenyRules = ({ writeStates }: Pick<OperationStates, 'writeStates'>): boolean =>
  writeStates.some(({ denied }) => denied !== undefined);

/**
 * Returns whether an operation has left temporary deny rules in force, as far as its journal shows: if its process was
 * killed, nobody has read the rules since, so its requests decide.
 */
export const mayLeaveDenyRules = (entry: HistoryEntry): boolean =>
  leavesDenyRules(entry) ||
  (entry.writeStates.some(({ state }) => state === 'sending') &&
    entry.denyScopes.length > 0 &&
    getDeniedScopes(entry.requests ?? []).length > 0);

/**
 * Returns whether the journal of a stopped operation shows what its rules are now. It doesn't if the process was
 * killed, so that nobody has read them since, or if they couldn't be read.
 */
export const areRulesKnown = ({ operation, writeStates }: OperationStates): boolean =>
  operation.writes.every((write, index) => !(isRuleWrite(write) && isUnresolved(writeStates[index]?.state)));

/**
 * Returns whether the operation stopped with temporary deny rules in force: their parties see nothing until it ends.
 * False for an abandoned one, which nobody will end.
 */
export const isStoppedWithDenyRules = (entry: HistoryEntry): boolean =>
  entry.end === 'stopped' && entry.isAbandoned !== true && leavesDenyRules(entry);

/**
 * Returns how to end a stopped operation automatically. An incomplete rule change is rolled back (`roll-back`), since
 * the server may reject the same request every time. If only temporary deny rules are left to delete, or if it also
 * changes other documents, it is finished.
 */
export const getRecovery = ({ operation, writeStates }: OperationStates): 'finish' | 'roll-back' =>
  operation.writes.every(isRuleWrite) &&
  writeStates.some(({ state }) => state !== 'done') &&
  writeStates.every(({ denied }) => denied !== 'only')
    ? 'roll-back'
    : 'finish';

/** Returns whether a write has taken full effect: it is done, or only temporary deny rules are left to delete. */
export const isInEffect = (state: WriteState | undefined): boolean =>
  state !== undefined && (state.state === 'done' || state.denied === 'only');
