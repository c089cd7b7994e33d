import { english } from '../../base/localize.ts';
import { describeBuildsAfterAbandoning } from '../../changes/messages/describeBuildsToPostpone.ts';
import { describeHiddenAfterAbandoning } from '../../changes/messages/describeHidden.ts';
import { describeVisibleAfterStop } from '../../changes/messages/describeVisibleUntilBuild.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { areRulesKnown, countOpenSteps, mayLeaveDenyRules } from '../../changes/journal/stoppedOperation.ts';
import { findOriginalChange, getEntryWithOpenUndos } from '../../changes/journal/undoneEntries.ts';
import { getAffectedDocuments } from '../../changes/journal/writtenDocuments.ts';
import { trackProgress } from '../../changes/run/trackProgress.ts';
import { closeAfterGracePeriod } from '../closeAfterGracePeriod.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { formatProjectCommand } from '../commandHint.ts';
import { getRecoveryExecuteHint, requireRecoveryAllowed } from '../confirmWrite.ts';
import { exitCodes } from '../exitCodes.ts';
import { openInstance } from '../instance.ts';
import { outputVersion, toInstanceOutput } from '../outputParts.ts';
import type { AbandonOutput } from '../recoveryOutputSchemas.ts';
import { formatWrittenDocument, loadJournalNames, toDocumentOutput } from '../writtenDocuments.ts';
import { describeLaterEffects } from '../rollBackReport.ts';
import { createRunControl } from '../runControl.ts';
import { readOptionalProjectTarget } from '../projectTarget.ts';
import {
  type LockUpdateResult,
  readRequestedEntries,
  formatInterrupted,
  isLockOutdated,
  requireExistingStateFolder,
  requireEntry,
  toInterruptedOutput,
  updateLockAfterRecovery,
} from '../recoverableChanges.ts';

/**
 * Shows what an interrupted change has written and, with `--execute`, abandons it: nothing is sent, and what was
 * written stays as it is now, including later changes by other users.
 */
export const abandon: RunCommand = async (context) => {
  const { args, shell, output, clock } = context;
  const { instance: target, project } = await readOptionalProjectTarget(context);
  const instance = openInstance(target, shell, clock);
  const gracePeriod = closeAfterGracePeriod(instance, context.signal, clock);
  try {
    const changes = await instance.openChangeServices(await requireExistingStateFolder(context));
    const entry = requireEntry(
      await readRequestedEntries(changes, target.connection, args.positionals[0], { sendsRequests: false }),
    );
    const original = await findOriginalChange(entry, changes);
    if (args.has('execute')) {
      requireRecoveryAllowed(original, target, args);
    }
    const isExecuted = args.has('execute');
    const names = await loadJournalNames([entry], instance, context.signal);
    const interrupted = toInterruptedOutput(entry, original, names);
    // Abandoning also verifies the writes whose responses were lost, so the documents are listed afterward.
    const entryAfter = isExecuted
      ? await changes.writer.abandon(entry, {
          ...trackProgress(entry.operation, createRunControl(context).onProgress),
          signal: context.signal,
          takesOver: args.has('take-over'),
        })
      : entry;
    const documents = getAffectedDocuments(entryAfter, names).map(toDocumentOutput);
    const isJson = args.getValue('format') === 'json';
    if (!isJson) {
      output.printLine(formatInterrupted(interrupted, target));
      documents.forEach((document) => output.printLine(`    ${formatWrittenDocument(document)}`));
    }
    const entries = await changes.history.readEntries(entry.operation.connectionId);
    printOutcome(
      getEntryWithOpenUndos(entryAfter, entries),
      getRecoveryExecuteHint(original, target, 'abandon the change'),
      context,
    );
    const later = describeLaterEffects(entryAfter, names);
    if (later !== undefined) {
      output.printMessage(later);
    }
    let updated: LockUpdateResult | undefined;
    if (isExecuted && original.operation.cause === 'apply') {
      const applied = original === entry ? entryAfter : original;
      updated = await updateLockAfterRecovery(
        { project, instance, ended: { entry: applied, entries } },
        context,
      );
    }
    if (isExecuted && project !== undefined) {
      output.printMessage(`To see what differs from the project: ${formatProjectCommand(['plan'], args)}`);
    }
    if (isJson) {
      output.printJson({
        version: outputVersion,
        command: 'abandon',
        instance: toInstanceOutput(target.connection),
        interrupted: [interrupted],
        documents,
        deniesAccess: mayLeaveDenyRules(entryAfter),
        abandoned: isExecuted,
      } satisfies AbandonOutput);
    }
    return isLockOutdated(updated, context) ? exitCodes.failed : exitCodes.done;
  } finally {
    gracePeriod.dispose();
    instance.dispose();
  }
};

/**
 * Prints what abandoning does, or would do without `--execute`, and its consequences.
 * @param entry the change, followed by its undos that are abandoned together with it
 * @param executeHint how to abandon the change; printed without `--execute`
 */
function printOutcome(
  [entry, ...undos]: readonly [HistoryEntry, ...(readonly HistoryEntry[])],
  executeHint: string,
  { args, output }: CommandContext,
): void {
  const remainder = describeRemainder(entry);
  if (args.has('execute')) {
    // The editor reads only the default folder of the journals.
    const undoHint = args.has('state')
      ? ''
      : ' The change is still in the History view of the editor, where you can undo it.';
    output.printMessage(
      `Abandoned. Everything written so far stays on the instance; ${remainder}.${undoHint}`,
      'success',
    );
  } else {
    output.printMessage(
      `Everything written so far would stay on the instance; ${remainder}. You could then no longer finish the change or roll it back. Nothing was abandoned. ${executeHint}`,
    );
  }
  [
    ...describeBuildsAfterAbandoning(english, [entry, ...undos]),
    ...describeVisibleAfterStop(english, entry),
    // An undo may have shown some of it again.
    ...(undos.length === 0 ? describeHiddenAfterAbandoning(english, entry) : []),
  ].forEach((text) => output.printMessage(text, 'warning'));
  if (mayLeaveDenyRules(entry)) {
    const left = areRulesKnown(entry)
      ? 'The change has left temporary deny rules in place. The'
      : 'The change might have left temporary deny rules in place. If so, the';
    output.printMessage(
      `${left} affected users and groups see no rows until the rules on their columns are applied again or the temporary rules are deleted.${args.has('execute') ? '' : ' Finish the change or roll it back if you can.'}`,
      'warning',
    );
  }
}

/** Says how many steps of a change were not completed, or may not have been. */
function describeRemainder(entry: HistoryEntry): string {
  const { remaining: remainingCount, unknown: unknownCount } = countOpenSteps(entry);
  if (remainingCount === 0) {
    return unknownCount === 0
      ? 'all steps were completed'
      : `${formatSteps(unknownCount)} might not have been completed`;
  }
  const remaining = `${formatSteps(remainingCount)} ${remainingCount === 1 ? "wasn't" : "weren't"} completed`;
  return unknownCount === 0 ? remaining : `${remaining}, and ${unknownCount} might not have been`;
}

const formatSteps = (count: number): string => (count === 1 ? '1 step' : `${count} steps`);
