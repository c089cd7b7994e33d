import * as vscode from 'vscode';
import type { StoppedDocuments } from '../../changes/journal/stoppedDocuments.ts';
import { formatMessage } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import { InterruptedChangeError } from '../../changes/journal/requireFinished.ts';
import { formatCompletedRequests, formatDeniedAccess } from '../../changes/messages/describeStop.ts';
import { describeBuildsToPostpone } from '../../changes/messages/describeBuildsToPostpone.ts';
import { describeHiddenAfterStop } from '../../changes/messages/describeHidden.ts';
import { canResume } from '../../changes/journal/stoppedOperation.ts';
import { isRejection } from '../../changes/run/isRejection.ts';
import { formatLabeledReason } from '../../changes/messages/stopReason.ts';
import {
  ConflictError,
  MissingRulesError,
  NameTakenError,
  type StoppedError,
} from '../../changes/run/writeErrors.ts';
import type { HistoryTarget } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { getUserMessage, isCancellation } from '../../platform/userErrors.ts';
import { mayShowMoreUntilBuild } from '../../changes/run/visibleUntilBuild.ts';
import type { OpenItems } from '../../project/apply/finishApply.ts';
import { parseItemKey } from '../../project/item.ts';
import { describeMatch, describeNeededBuilds } from '../../project/messages/planTexts.ts';
import type { AlternativePage, FollowUp } from '../../platform/followUp.ts';
import type { PlanView } from '../../webviews/protocol/planPage.ts';
import { createStoppedSections, formatDocuments } from '../../platform/stoppedDocuments.ts';

const t = vscode.l10n.t;

/** The result of an apply, as its page shows it. */
export interface ApplyResult extends Pick<PlanView, 'summary' | 'tone' | 'sections'> {
  /** After an error: whether the apply may already have made data visible that only the next build hides. */
  readonly mayShowMoreUntilBuild?: boolean;
  /** The titles of the datamodels that must not be built before another apply. */
  readonly heldDatamodels?: readonly string[];
  /** What to do next. */
  readonly followUp?: FollowUp;
  /** What can be planned after the apply, if anything. */
  readonly alternative?: AlternativePage | undefined;
}

/** Creates the button that shows a change in the history, where it is finished, rolled back, or abandoned. */
export const createHistoryFollowUp = (target: HistoryTarget): FollowUp => ({
  label: t('Show History'),
  run: async () => {
    await runCommand('datamodelStudio.history.show', target);
  },
});

/** Creates the button that shows a change that was interrupted earlier. */
export const createInterruptedFollowUp = ({ entry }: InterruptedChangeError): FollowUp =>
  createHistoryFollowUp({ connectionId: entry.operation.connectionId, entryId: entry.id });

/** Describes a change that was interrupted before or may still be running, and what the user can do about it. */
export const describeInterruptedChange = ({ entry, state, userMessage }: InterruptedChangeError): string =>
  state !== 'ended'
    ? formatMessage(t, userMessage)
    : entry.hasOtherTenant === true
      ? t(
          'A change made on the command line, with another tenant or without one, was interrupted. Finish it, roll it back, or abandon it there first. ID: {0}',
          entry.id,
        )
      : entry.source === 'command-line'
        ? t(
            'An earlier change to this instance was interrupted on the command line. Finish it, roll it back, or abandon it there first. ID: {0}',
            entry.id,
          )
        : t(
            'An earlier change to this instance was interrupted. Finish it, roll it back, or abandon it in the History view first.',
          );

const createWarningSection = (title: string, items: readonly string[]): PlanView['sections'][number] => ({
  title,
  tone: 'warning',
  count: items.length,
  items: items.map((text) => ({ icon: 'warning', text })),
});

/** Creates the section about an interrupted change, which prevents an apply. */
export const createInterruptedSection = (error: InterruptedChangeError): PlanView['sections'][number] => ({
  title: t('Interrupted change'),
  tone: 'error',
  count: 1,
  items: [{ icon: 'error', text: describeInterruptedChange(error) }],
});

/** Returns the result if the project or the instance was changed since the review. */
export const createOutdatedPlanResult = (): ApplyResult => ({
  tone: 'error',
  summary: t('The instance or the project was changed in the meantime. Nothing was written. Apply again.'),
  sections: [],
});

/** Returns the result if the project has errors that it didn't have when it was reviewed. */
export const createInvalidProjectResult = (): ApplyResult => ({
  tone: 'error',
  summary: t('The project now has errors. Nothing was written. Apply again to see them.'),
  sections: [],
});

/** Describes an error that kept the writes from being sent. */
export function describeApplyFailure(error: unknown, log: Log): ApplyResult {
  logError(log, 'An apply did not begin', error);
  const isInterrupted = error instanceof InterruptedChangeError;
  const text = isInterrupted ? describeInterruptedChange(error) : getUserMessage(error);
  return {
    tone: 'error',
    summary: t('Nothing was written. {0}', text),
    sections: [],
    ...(isInterrupted && error.entry.hasOtherTenant !== true
      ? { followUp: createInterruptedFollowUp(error) }
      : {}),
  };
}

/** Describes an error after which it is unknown what was written, for example if the history can't be written. */
export function describeInterruptedApply(
  error: unknown,
  { target, ...documents }: StoppedDocuments & { readonly target: HistoryTarget },
  log: Log,
): ApplyResult {
  logError(log, 'An apply was interrupted', error);
  return {
    tone: 'error',
    summary: [
      t('The apply was interrupted, and some changes might have been written.'),
      getUserMessage(error),
      t('You can finish the change or roll it back in the History view.'),
    ].join(' '),
    mayShowMoreUntilBuild: true,
    sections: createStoppedSections(documents),
    followUp: createHistoryFollowUp(target),
  };
}

/** What was found when the instance was compared with the project again after all writes. */
interface VerifiedApply {
  readonly openItems: OpenItems;
  /** The waiting items that the page explains elsewhere. */
  readonly explainedItems: ReadonlySet<string>;
  /** What could not be compared; empty if everything could. */
  readonly uncomparedSections: ApplyResult['sections'];
  /** Why the lock file could not be updated. */
  readonly lockProblem: string | undefined;
  /** The part of the project that was compared; `undefined` for all of it. */
  readonly comparedPart: string | undefined;
}

/**
 * Describes the result of an apply after all writes. The apply is done if everything was compared, nothing differs, and
 * the lock file was updated.
 */
export function describeVerifiedApply({
  openItems: { waiting, readyRelations, neededBuilds, unexpected, remaining },
  explainedItems,
  uncomparedSections,
  lockProblem,
  comparedPart,
}: VerifiedApply): ApplyResult {
  const differs = waiting.length + unexpected.length > 0;
  const matches = !differs && uncomparedSections.length === 0;
  const isDone = matches && lockProblem === undefined;
  return {
    tone: isDone ? 'info' : 'warning',
    summary: [
      matches
        ? `${isDone ? t('Done.') : t('All changes were sent.')} ${describeMatch(t, remaining, comparedPart)}`
        : differs
          ? t('All changes were sent. Some items still differ from the project.')
          : t('All changes were sent, but not everything could be compared with the project afterward.'),
      ...(readyRelations.length === 0
        ? []
        : [
            t(
              "Apply again before you build: until the new relations exist, rules on one of their tables don't restrict the other.",
            ),
          ]),
      ...(neededBuilds.length === 0 ? [] : [describeNeededBuilds(t, neededBuilds)]),
      ...(lockProblem === undefined ? [] : [lockProblem]),
      t('You can undo the change in the History view.'),
    ].join(' '),
    heldDatamodels: readyRelations
      .map(parseItemKey)
      .flatMap((key) => (key?.kind === 'relation' ? [key.datamodel] : [])),
    sections: [
      ...uncomparedSections,
      createWarningSection(
        t('Needs another apply'),
        waiting.filter((item) => !explainedItems.has(item)),
      ),
      createWarningSection(t('Still different'), unexpected),
    ].filter(({ count }) => count > 0),
  };
}

/**
 * Describes an error that occurred when the instance was read after all writes, to check the result. The result is also
 * unknown if the user cancels the check.
 */
export function describeUnverifiedApply(error: unknown, log: Log): ApplyResult {
  logError(log, 'The result of an apply could not be read', error);
  return {
    tone: 'warning',
    summary: isCancellation(error)
      ? t(
          "All changes were sent, but whether the instance matches the project is unknown, because you canceled the check. The lock file wasn't updated.",
        )
      : t("All changes were sent, but the instance couldn't be read afterward. {0}", getUserMessage(error)),
    sections: [],
  };
}

/**
 * Describes an error after which the remaining writes were not sent.
 * @param documents how far the apply got, its entry in the history, and the environment variables that must be set to
 *   finish it
 */
export function describeStoppedApply(
  stopError: StoppedError,
  documents: StoppedDocuments & {
    readonly target: HistoryTarget;
    readonly neededVariables: readonly string[];
  },
  log: Log,
): ApplyResult {
  const { cause, changedNothing, mayTakeEffectLater, report } = stopError;
  logError(log, 'An apply stopped', cause);
  const { failed } = documents;
  // With this error, the document of the failed write hasn't changed. Rules are missing, and the error names them.
  const lacksRules = cause instanceof MissingRulesError;
  const isConflict =
    cause instanceof ConflictError && !(cause instanceof NameTakenError) && !lacksRules && failed.length > 0;
  const formatError = (error: unknown): string =>
    isConflict && error === cause
      ? t('Someone else has changed {0} on the server in the meantime.', formatDocuments(failed))
      : isCancellation(error)
        ? t('You canceled the change.')
        : getUserMessage(error);
  // After a cancellation, the next write was not sent.
  const wasNotSent = isConflict || lacksRules || isCancellation(cause);
  return {
    tone: 'error',
    summary: changedNothing
      ? mayTakeEffectLater
        ? [
            formatLabeledReason(t, stopError, formatError),
            t('Nothing has changed on the server so far, but a request might still take effect.'),
          ].join(' ')
        : t('Nothing was written. {0}', formatLabeledReason(t, stopError, formatError))
      : [
          t('Stopped.'),
          formatCompletedRequests(t, report),
          formatLabeledReason(t, stopError, formatError),
          ...formatDeniedAccess(t, report),
          ...describeBuildsToPostpone(t, report),
          ...describeHiddenAfterStop(t, report),
          describeNextStep(stopError),
          ...(documents.neededVariables.length === 0
            ? []
            : [
                t(
                  'Finishing it requires these environment variables, because the history contains no secrets: {0}.',
                  documents.neededVariables.join(', '),
                ),
              ]),
        ].join(' '),
    mayShowMoreUntilBuild: mayShowMoreUntilBuild(report),
    sections: createStoppedSections(
      wasNotSent ? { ...documents, failed: [], remaining: [...failed, ...documents.remaining] } : documents,
    ),
    ...(changedNothing ? {} : { followUp: createHistoryFollowUp(documents.target) }),
  };
}

/** Says how a stopped apply can be ended. */
function describeNextStep({ cause, report }: StoppedError): string {
  if (!canResume({ ...report, end: 'stopped' })) {
    return t(
      'To see whether it took effect, plan again. If it did, you can undo the change in the History view.',
    );
  }
  return isRejection(cause)
    ? t(
        "The server rejected the request, and finishing the change would send the same request again. If that can't succeed, roll the change back in the History view, correct the files, and apply again.",
      )
    : t('You can finish the change or roll it back in the History view.');
}

const logError = (log: Log, message: string, error: unknown): void =>
  log.error('projects', message, { reason: String(error) });
