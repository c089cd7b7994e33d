import type { RuleChangeResult } from '../changes/bulkRules/runChange.ts';
import { english } from '../base/localize.ts';
import { type StoppedDocuments, omitDocuments } from '../changes/journal/stoppedDocuments.ts';
import { leavesDenyRules } from '../changes/journal/stoppedOperation.ts';
import { getFinishCondition } from '../changes/run/finishCondition.ts';
import { describeBuildsToPostpone } from '../changes/messages/describeBuildsToPostpone.ts';
import { describeHiddenAfterStop } from '../changes/messages/describeHidden.ts';
import { describeVisibleAfterStop } from '../changes/messages/describeVisibleUntilBuild.ts';
import { formatLabeledReason } from '../changes/messages/stopReason.ts';
import {
  ConflictError,
  NameTakenError,
  type StoppedError,
  getSubjectsChangedByOthers,
} from '../changes/run/writeErrors.ts';
import { isRejection } from '../changes/run/isRejection.ts';
import { formatStepCount } from './stepCount.ts';
import type { CommandContext } from './command.ts';
import {
  addAbandonHint,
  type RecoveryHintInput,
  formatRecoveryCommand,
  getRecoveryHints,
  getRollBackHint,
} from './commandHint.ts';
import { formatStopError } from './errorMessages.ts';
import { type ExitCode, exitCodes } from './exitCodes.ts';
import type { ResultOutput } from './outputParts.ts';
import { formatDocumentList } from './writtenDocuments.ts';

/** Converts the result of a change to JSON output. */
export function toResultOutput(
  { report, stopError, startedAt, endedAt }: RuleChangeResult,
  signal: AbortSignal,
): ResultOutput {
  const { entryId, writeStates } = report;
  const stoppedState = writeStates.some(({ state }) => state === 'unknown') ? 'unknown' : 'stopped';
  return {
    state: stopError === undefined ? 'done' : stoppedState,
    journal: entryId,
    steps: { done: writeStates.filter(({ state }) => state === 'done').length, total: writeStates.length },
    ms: Math.round(endedAt - startedAt),
    ...(stopError === undefined || signal.aborted
      ? {}
      : {
          problem: formatLabeledReason(english, stopError, (error) => formatStopError(error, report)),
        }),
  };
}

/** Warns if other rules on the same columns were changed at the same time. */
export function warnOfOtherRuleChanges(
  { report }: RuleChangeResult,
  { output }: Pick<CommandContext, 'output'>,
): void {
  if (getSubjectsChangedByOthers(report).length > 0) {
    output.printMessage(
      'Warning: other rules on the same columns were changed on the server in the meantime and were kept.',
    );
  }
}

/**
 * Reports the result of a change that stopped, and how to continue.
 * @param options the documents that the change has written, and those that it has not. `neededVariables` says which
 *   environment variables finishing it requires. `canRecover` returns whether the change can be finished or rolled
 *   back; it is called only if changes by others may prevent that
 */
export async function reportStoppedChange(
  { state, journal, steps, problem }: ResultOutput,
  { cause, changedNothing, mayTakeEffectLater, report }: StoppedError,
  { args, output, signal }: Pick<CommandContext, 'args' | 'output' | 'signal'>,
  {
    failed,
    unresolved,
    written,
    partial,
    remaining,
    neededVariables,
    canRecover,
    ...options
  }: Omit<RecoveryHintInput, 'args'> &
    StoppedDocuments & {
      readonly neededVariables?: string | undefined;
      readonly canRecover: (ending: 'resume' | 'roll-back') => Promise<boolean>;
    },
): Promise<void> {
  const verb = signal.aborted ? 'Interrupted' : 'Stopped';
  output.printMessage(
    `${verb} after ${formatStepCount(steps)}.${problem === undefined ? '' : ` ${problem}`}`,
  );
  const isConflict = cause instanceof ConflictError && !(cause instanceof NameTakenError);
  // The error of a conflict names the document, which was not written. After an interruption, the next write isn't
  // sent.
  const wasNotSent = isConflict || signal.aborted;
  const lists = [
    ['Failed', wasNotSent ? [] : failed],
    ['Outcome unknown', unresolved],
    ['Already written', written],
    ['Might be written in part', partial],
    ['Not written', wasNotSent ? [...omitDocuments(failed, partial), ...remaining] : remaining],
  ] as const;
  for (const [title, documents] of lists) {
    formatDocumentList(title, documents).forEach((line) => output.printMessage(line));
  }
  if (state === 'unknown' && unresolved.length === 0) {
    output.printMessage("Couldn't verify which writes took effect.");
  }
  const recovery = { args, ...options };
  // The report of a rollback has a journal of its own; `journal` is that of the change.
  const isRollBack = report.entryId !== journal;
  if (changedNothing && mayTakeEffectLater && !isRollBack) {
    output.printMessage(
      'Nothing has changed on the server so far, but a request might still take effect. To undo its effect, roll the change back before you repeat it. To keep its effect, abandon the change:',
    );
    output.printMessage(getRollBackHint(journal, recovery));
    output.printMessage(`Abandon:   ${formatRecoveryCommand('abandon', journal, recovery)}`);
    return;
  }
  if (changedNothing && !mayTakeEffectLater) {
    output.printMessage('Nothing was changed on the server.');
    return;
  }
  const condition = getFinishCondition(cause);
  const isBlocked = condition !== 'none';
  // The error of a rollback doesn't show whether the change can be finished instead.
  const isUnfinishable = condition === 'impossible' && !isRollBack;
  if (isConflict && !isRollBack) {
    output.printMessage(
      condition === 'restored-rules'
        ? 'You can finish the change after you have restored these rules.'
        : "The change can't be finished because it would overwrite changes by others.",
    );
  }
  [...describeBuildsToPostpone(english, report), ...describeVisibleAfterStop(english, report)].forEach(
    (text) => output.printMessage(text, 'warning'),
  );
  describeHiddenAfterStop(english, report).forEach((text) => output.printMessage(text));
  if (report.writeStates.some(({ partly }) => partly === true)) {
    output.printMessage('Some rules were changed.');
  }
  if (leavesDenyRules(report)) {
    output.printMessage(
      'Until the change is finished or rolled back, the affected users and groups see no rows.',
    );
  }
  if (neededVariables !== undefined && !isUnfinishable) {
    output.printMessage(neededVariables);
  }
  // Only finishing a change sends the rejected request again: after a rollback stops, other requests finish the change.
  const isRejected = !isBlocked && !isRollBack && isRejection(cause);
  if (isRejected) {
    output.printMessage(
      `The server rejected the request, and finishing the change would send the same request again. If that can't succeed, roll the change back, ${report.operation.cause === 'apply' ? 'correct the files, and apply again' : 'correct the table, and import it again'}.`,
    );
  }
  const [finishHint, rollBackHint] = getRecoveryHints(journal, recovery);
  const hints = isBlocked
    ? [
        ...((isRollBack ? await canRecover('resume') : !isUnfinishable) ? [finishHint] : []),
        ...((await canRecover('roll-back')) ? [rollBackHint] : []),
      ]
    : isRejected
      ? [rollBackHint, finishHint]
      : [finishHint, rollBackHint];
  (isBlocked || isRejected ? addAbandonHint(hints, journal, recovery) : hints).forEach((hint) =>
    output.printMessage(hint),
  );
}

export const getResultExitCode = ({ state }: ResultOutput): ExitCode =>
  ({
    done: exitCodes.done,
    differs: exitCodes.failed,
    stopped: exitCodes.failed,
    unknown: exitCodes.unknown,
  })[state];
