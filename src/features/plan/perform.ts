import * as vscode from 'vscode';
import type { FieldChange, Plan, PlannedAccess, PlanSubject } from '../../changes/model/plan.ts';
import { runCommand } from '../../platform/commands.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { formatCompletedRequests, formatDeniedAccess } from '../../changes/messages/describeStop.ts';
import { describeBuildsToPostpone } from '../../changes/messages/describeBuildsToPostpone.ts';
import { formatLabeledReason } from '../../changes/messages/stopReason.ts';
import type { Operation } from '../../changes/model/operation.ts';
import {
  ConflictError,
  PlanNeededError,
  type OperationReport,
  SecretsNeededError,
  StoppedError,
} from '../../changes/run/writeErrors.ts';
import type { ApprovalToken, RunOptions } from '../../changes/run/runOptions.ts';
import { DocumentConflictError, IncompleteSaveError } from '../../documents/saveErrors.ts';
import type { ChangedFile, PlanFeatureDeps } from './deps.ts';
import { addDirectoryNames, replaceFieldPartyIds } from './namePlanParties.ts';
import { PlanPanel } from './planPanel.ts';
import { getOperationTitle, describePlan } from './describePlan.ts';
import { promptForOperationSecrets } from './promptForSecrets.ts';
import { getCanceledMessage, isCanceledWithoutChange } from './runCanceledError.ts';

const t = vscode.l10n.t;

const statusMessageMs = 5000;

/**
 * Performs an operation that the user requested: unlocks the connection if it is locked, asks for missing secrets,
 * shows Review Changes if something would be lost or break, and writes. Returns `undefined` if the user canceled;
 * nothing was sent then.
 * @throws ApiError, ConflictError, and an Error that reports how far an operation of several requests got
 */
export async function perform(
  deps: PlanFeatureDeps,
  operation: Operation,
  options: RunOptions = {},
  files: readonly ChangedFile[] = [],
): Promise<OperationReport | undefined> {
  if (!(await ensureWritable(deps, operation.connectionId))) {
    return undefined;
  }
  const { writer } = await deps.changeServices();
  let currentOperation = operation;
  for (;;) {
    try {
      return await writer.run(currentOperation, options);
    } catch (error) {
      if (error instanceof SecretsNeededError) {
        const operationWithSecrets = await promptForOperationSecrets(currentOperation, error);
        if (operationWithSecrets === undefined) {
          return undefined;
        }
        currentOperation = operationWithSecrets;
      } else if (error instanceof PlanNeededError) {
        const reviewedOperation = currentOperation;
        // An earlier confirmation no longer counts: confirming the plan replaces it.
        const { confirmedPlanHash: earlierConfirmation, ...otherOptions } = options;
        return review(
          deps,
          error,
          (approval, runOptions) =>
            writer.run(reviewedOperation, {
              ...otherOptions,
              ...runOptions,
              approval,
              ...(earlierConfirmation && { confirmedPlanHash: approval.planHash }),
            }),
          files,
        );
      } else {
        throw toUserError(error);
      }
    }
  }
}

/**
 * Shows a plan, and runs it when the user confirms. If the documents on the server have changed in the meantime, the
 * updated plan is shown; after an error that changed nothing, the plan stays open and shows the error message. Returns
 * `undefined` if the user canceled.
 * @param run performs the writes with the user's approval, and with options that show its progress and let the user
 *   cancel it
 * @param files the files that the caller changes afterwards
 * @throws ConflictError and DocumentConflictError if the server no longer has what the operation was made from: then no
 *   plan of it can be applied; IncompleteSaveError, and an Error that reports how far the operation got, if it stopped
 *   after it had changed something
 */
export async function review(
  deps: PlanFeatureDeps,
  planNeededError: PlanNeededError,
  run: (approval: ApprovalToken, runOptions: RunOptions) => Promise<OperationReport>,
  files: readonly ChangedFile[] = [],
): Promise<OperationReport | undefined> {
  const { writer } = await deps.changeServices();
  const { connectionId } = planNeededError.plan.operation;
  const connection = deps.connections.find(connectionId);
  const panel = new PlanPanel(
    { ...deps, connectionId, open: (subject) => void openPlanSubject(connectionId, subject) },
    t('Review Changes: {0}', getOperationTitle(planNeededError.plan.operation)),
  );
  let { plan, planHash } = planNeededError;
  let note: string | undefined;
  try {
    for (;;) {
      const access = await loadAccess(deps, plan);
      const description = describePlan(await loadPlanPartyNames(deps, plan), access, connection, { files });
      if ((await panel.review(description, note)).type !== 'apply') {
        return undefined;
      }
      try {
        const report = await run(writer.approve(planHash), panel.startRun(plan.operation));
        const doneMessage = t('Done: {0}', getOperationTitle(planNeededError.plan.operation));
        vscode.window.setStatusBarMessage(`$(check) ${toPlainText(doneMessage)}`, statusMessageMs);
        return report;
      } catch (error) {
        if (error instanceof PlanNeededError) {
          ({ plan, planHash } = error);
          note = t('The content on the server has changed in the meantime. Review the updated changes.');
          continue;
        }
        const userError = toUserError(error);
        if (isConflict(userError) || isIncomplete(error)) {
          throw userError;
        }
        if (isCanceledWithoutChange(userError)) {
          note = getCanceledMessage();
          continue;
        }
        if (panel.isClosed) {
          // No page is left to show the message.
          throw userError;
        }
        deps.log.error('writes', 'Applying failed', { reason: String(error) });
        note = getUserMessage(userError);
      }
    }
  } finally {
    panel.close();
  }
}

/** Returns whether an operation stopped after it had changed something: the reviewed plan then no longer applies. */
const isIncomplete = (error: unknown): boolean =>
  error instanceof IncompleteSaveError || (error instanceof StoppedError && !error.changedNothing);

const isConflict = (error: unknown): boolean =>
  error instanceof ConflictError || error instanceof DocumentConflictError;

/**
 * Returns who gains and who loses access; `undefined` if the plan doesn't affect access. Returns `unknown` if that
 * can't be determined, so that the user still sees the other parts of the plan.
 */
export async function loadAccess(
  { userDirectories, log }: PlanFeatureDeps,
  plan: Plan,
): Promise<PlannedAccess | 'unknown' | undefined> {
  let access: PlannedAccess | undefined;
  try {
    access = await plan.loadAccess();
  } catch (error) {
    log.warn('writes', 'The change of access could not be computed', { reason: String(error) });
    return 'unknown';
  }
  try {
    return (
      access &&
      (await addDirectoryNames(plan, access, () => userDirectories.get(plan.operation.connectionId)))
    );
  } catch (error) {
    log.warn('writes', 'The names of users and groups could not be loaded', { reason: String(error) });
    return access;
  }
}

/** Returns changed items with the names of the users and groups in their fields, or as they are if that fails. */
export async function loadFieldPartyNames<Item extends { readonly fields: readonly FieldChange[] }>(
  { userDirectories, log }: PlanFeatureDeps,
  connectionId: string,
  items: readonly Item[],
): Promise<readonly Item[]> {
  try {
    return await replaceFieldPartyIds(items, () => userDirectories.get(connectionId));
  } catch (error) {
    log.warn('writes', 'The names of users and groups could not be loaded', { reason: String(error) });
    return items;
  }
}

/** Returns a plan with the names of the users and groups in its changed fields. */
export const loadPlanPartyNames = async (deps: PlanFeatureDeps, plan: Plan): Promise<Plan> => ({
  ...plan,
  changed: await loadFieldPartyNames(deps, plan.operation.connectionId, plan.changed),
});

/** Converts a stopped operation to an error that reports how far it got; if nothing was changed, returns its cause. */
export function toUserError(error: unknown): unknown {
  if (!(error instanceof StoppedError)) {
    return error;
  }
  if (error.changedNothing) {
    return error.mayTakeEffectLater && isCanceledWithoutChange(error.cause)
      ? new Error(
          t('Canceled. Nothing has changed on the server so far, but a request might still take effect.'),
          { cause: error },
        )
      : error.cause;
  }
  const { operation } = error.report;
  const sentences = [
    t('Stopped: {0}.', getOperationTitle(operation)),
    formatCompletedRequests(t, error.report),
    formatLabeledReason(t, error, getUserMessage),
    ...formatDeniedAccess(t, error.report),
    ...describeBuildsToPostpone(t, error.report),
    t('For details, see the History view.'),
  ];
  return new Error(sentences.filter((sentence) => sentence !== '').join(' '), { cause: error });
}

export async function openPlanSubject(
  connectionId: string,
  { resource, name, within }: PlanSubject,
): Promise<void> {
  if (resource !== undefined) {
    await runCommand('datamodelStudio.documents.open', { connectionId, resource, name, within });
  }
}
