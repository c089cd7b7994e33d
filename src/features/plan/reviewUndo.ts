import * as vscode from 'vscode';
import type { Operation } from '../../changes/model/operation.ts';
import { getKeptNames, type UndoForReview, type UndoChoices } from '../../changes/run/planUndoForReview.ts';
import type { RunOptions } from '../../changes/run/runOptions.ts';
import {
  ConflictError,
  EndedError,
  type OperationReport,
  PlanNeededError,
  SecretsNeededError,
  StoppedError,
} from '../../changes/run/writeErrors.ts';
import type { FollowUp } from '../../platform/followUp.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { PlanFeatureDeps } from './deps.ts';
import { describeUndo, type UndoAction } from './describeUndo.ts';
import type { PlanDescription } from './describePlan.ts';
import {
  loadAccess,
  loadFieldPartyNames,
  loadPlanPartyNames,
  openPlanSubject,
  toUserError,
} from './perform.ts';
import { type PlanAnswer, PlanPanel } from './planPanel.ts';
import { promptForOperationSecrets } from './promptForSecrets.ts';
import { describeResult, type OperationsResult, showResult, showUntilClosed } from './reviewOperations.ts';
import { getCanceledMessage, isCanceledWithoutChange } from './runCanceledError.ts';
import { startNextBuild } from './startNextBuild.ts';

const t = vscode.l10n.t;

/** An undo, a restore, or a rollback to review. */
export interface UndoReviewRequest {
  readonly connectionId: string;
  readonly entryId: string;
  readonly title: string;
  readonly action: UndoAction;
  /** A sentence that is added to the summary of what is undone. */
  readonly note?: string;
  /** Computes the undo from the server's current state. */
  readonly computeUndo: (choices: UndoChoices) => Promise<UndoForReview>;
  /** Called once, before the undo is sent. */
  readonly prepare?: () => Promise<unknown>;
  /**
   * Called once the undo is done. The page stays busy until this has ended, so that everything is up to date when the
   * page closes.
   */
  readonly complete?: () => Promise<void>;
  /** What to offer while there is nothing to send. */
  readonly followUp?: FollowUp;
  /** Describes the result, which the page then shows. Without it, the page closes. */
  readonly result?: {
    readonly describe: (undone: UndoResult) => Promise<OperationsResult>;
    /** Describes how far the undo got. */
    readonly describeStop: (error: StoppedError) => Promise<OperationsResult>;
  };
}

/** The result of an undo that was sent. */
export interface UndoResult extends Pick<UndoForReview, 'losses'> {
  readonly report: OperationReport;
  /** The names of what was not restored, since the user kept later changes. */
  readonly keptNames: readonly string[];
}

type PlannedUndo = Awaited<ReturnType<typeof planUndo>>;

/**
 * Shows an undo on one page, where the user also decides about later changes and names, and runs it. After an error,
 * the page stays open and shows the error message. If the request describes the result, the page then shows it;
 * otherwise, it closes.
 * @returns `undefined` if the user canceled, or if the undo stopped and the page shows how far it got; `nothing` if
 *   there is nothing to undo and nothing to decide
 * @throws ApiError, EndedError, and an Error that reports how far the undo got
 */
export async function reviewUndo(
  deps: PlanFeatureDeps,
  request: UndoReviewRequest,
): Promise<UndoResult | 'nothing' | undefined> {
  const { connectionId, title, action, note: summaryNote = '', followUp } = request;
  let choices: UndoChoices = { overwrittenIds: new Set(), names: new Map() };
  let plannedUndo = await planUndo(deps, request, choices);
  if (isEmpty(plannedUndo.undo)) {
    return 'nothing';
  }
  const panel = new PlanPanel(
    {
      ...deps,
      connectionId,
      open: (subject) => void openPlanSubject(connectionId, subject),
      onStartBuild: (build) => void startNextBuild(deps, connectionId, build),
    },
    title,
  );
  let note: string | undefined;
  let isPrepared = false;
  let showsResult = false;
  try {
    let report: OperationReport | undefined;
    while (report === undefined) {
      const view = describeUndo(
        plannedUndo,
        { title, action, note: summaryNote },
        deps.connections.find(connectionId),
      );
      const answer = await panel.review(withFollowUp(view, plannedUndo, followUp), note);
      note = undefined;
      if (answer.type === 'followUp') {
        panel.close();
        await followUp?.run();
      }
      if (answer.type === 'cancel' || answer.type === 'followUp') {
        return undefined;
      }
      try {
        if (answer.type !== 'apply') {
          const changedChoices = applyDecision(choices, answer, plannedUndo.undo);
          plannedUndo = await planUndo(deps, request, changedChoices);
          choices = changedChoices;
          continue;
        }
        if (!isPrepared) {
          await request.prepare?.();
          isPrepared = true;
        }
        report = await runUndo(deps, request, plannedUndo, panel);
      } catch (error) {
        if (error instanceof EndedError) {
          throw error;
        }
        if (error instanceof StoppedError && !error.changedNothing) {
          if (request.result === undefined) {
            throw toUserError(error);
          }
          deps.log.error('writes', 'Undoing stopped', { reason: String(error) });
          const stopped = await request.result.describeStop(error);
          showsResult = true;
          showUndoResult(deps, { request, panel, plannedUndo }, stopped);
          return undefined;
        }
        if (error instanceof PlanNeededError || error instanceof ConflictError) {
          note = getChangedMeanwhileMessage();
          plannedUndo = await planUndo(deps, request, choices);
        } else if (isCanceledWithoutChange(toUserError(error))) {
          note = getCanceledMessage();
        } else if (panel.isClosed) {
          // No page is left to show the message.
          throw toUserError(error);
        } else {
          deps.log.error('writes', 'Undoing failed', { reason: String(error) });
          note = getUserMessage(toUserError(error));
        }
      }
    }
    if (!panel.isClosed) {
      panel.endRun();
    }
    await request.complete?.();
    const { undo } = plannedUndo;
    const undone = { report, keptNames: getKeptNames(undo), losses: undo.losses };
    if (request.result !== undefined) {
      const result = await request.result.describe(undone);
      showsResult = true;
      showUndoResult(deps, { request, panel, plannedUndo }, result);
    }
    return undone;
  } finally {
    if (!showsResult) {
      panel.close();
    }
  }
}

/** Shows the result of an undo until the user closes it: on its page, or in a notification if the page was closed. */
function showUndoResult(
  deps: PlanFeatureDeps,
  {
    request: { connectionId, title, action },
    panel,
    plannedUndo,
  }: {
    readonly request: UndoReviewRequest;
    readonly panel: PlanPanel;
    readonly plannedUndo: PlannedUndo;
  },
  undoResult: OperationsResult,
): void {
  const description = describeUndo(
    plannedUndo,
    { title, action, note: '' },
    deps.connections.find(connectionId),
  );
  const links = [...description.links];
  const result = describeResult(undoResult, { ...plannedUndo, links });
  if (panel.isClosed) {
    // Not awaited: the notification may stay open.
    void showResult(deps, { title, operation: plannedUndo.undo.operation }, result);
    return;
  }
  const { target } = description.view;
  const { followUp, alternative: _none, ...content } = result;
  const view = { ...(target === undefined ? {} : { target }), ...content, title, applyLabel: '' };
  void showUntilClosed(panel, { view, links }, () => followUp, deps.log);
}

/** Adds the button of the follow-up while there is nothing to send. */
const withFollowUp = (
  description: PlanDescription,
  { undo }: PlannedUndo,
  followUp: FollowUp | undefined,
): PlanDescription =>
  followUp === undefined || undo.operation.writes.length > 0
    ? description
    : { ...description, view: { ...description.view, followUp: followUp.label } };

const getChangedMeanwhileMessage = (): string =>
  t('The content on the server has changed in the meantime. Review the updated changes.');

async function planUndo(deps: PlanFeatureDeps, request: UndoReviewRequest, choices: UndoChoices) {
  const { writer } = await deps.changeServices();
  const undo = await request.computeUndo(choices);
  const { plan, planHash } = await writer.plan(undo.operation);
  return {
    undo: { ...undo, laterChanges: await loadFieldPartyNames(deps, request.connectionId, undo.laterChanges) },
    plan: await loadPlanPartyNames(deps, plan),
    planHash,
    access: await loadAccess(deps, plan),
  };
}

const isEmpty = ({ operation, laterChanges, losses }: UndoForReview): boolean =>
  operation.writes.length + laterChanges.length + losses.length === 0;

/** Returns the choices, updated with what the user has decided on the page. */
function applyDecision(
  { overwrittenIds: overwritten, names }: UndoChoices,
  answer: Extract<PlanAnswer, { type: 'overwrite' | 'rename' }>,
  { laterChanges, nameConflicts }: UndoForReview,
): UndoChoices {
  if (answer.type === 'rename') {
    const { id = '' } = nameConflicts[answer.item] ?? {};
    return { overwrittenIds: overwritten, names: new Map([...names, [id, answer.name.trim()]]) };
  }
  const ids = new Set([laterChanges[answer.change]?.id ?? '']);
  return {
    names,
    overwrittenIds: answer.isOverwritten ? overwritten.union(ids) : overwritten.difference(ids),
  };
}

/** Runs an undo that the user has approved; `undefined` if the user did not enter the secrets that it needs. */
async function runUndo(
  deps: PlanFeatureDeps,
  { entryId }: UndoReviewRequest,
  { undo, planHash }: PlannedUndo,
  panel: Pick<PlanPanel, 'startRun'>,
): Promise<OperationReport | undefined> {
  const { writer } = await deps.changeServices();
  const run = (operation: Operation, approvedHash: PlannedUndo['planHash']): Promise<OperationReport> => {
    const options: RunOptions = {
      ...panel.startRun(operation),
      approval: writer.approve(approvedHash),
      alwaysReview: true,
      expectedVersions: undo.expectedVersions,
      undoneEntryId: entryId,
      keptNames: getKeptNames(undo),
      restoredIds: undo.restoredIds,
      undoCountBefore: undo.undoCountBefore,
    };
    return writer.run(operation, options);
  };
  let { operation } = undo;
  let approvedHash = planHash;
  for (;;) {
    try {
      return await run(operation, approvedHash);
    } catch (error) {
      if (!(error instanceof SecretsNeededError)) {
        throw error;
      }
      const operationWithSecrets = await promptForOperationSecrets(operation, error);
      if (operationWithSecrets === undefined) {
        return undefined;
      }
      operation = operationWithSecrets;
      // The user has approved everything but the secrets, which the page doesn't show.
      approvedHash = { ...(await writer.plan(operation)).planHash, base: planHash.base };
    }
  }
}
