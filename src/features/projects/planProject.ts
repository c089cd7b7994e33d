import { basename } from 'node:path';
import * as vscode from 'vscode';
import { InterruptedChangeError, requireFinishedChanges } from '../../changes/journal/requireFinished.ts';
import { type ChangeRun, runApproved } from '../../changes/bulkRules/runChange.ts';
import type { Writer } from '../../changes/run/writer.ts';
import { type PlanHash, PlanNeededError, type StoppedError } from '../../changes/run/writeErrors.ts';
import type { Connection } from '../../connections/connection.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showModalQuestion } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { findOpenItems, writeAppliedLock } from '../../project/apply/finishApply.ts';
import { type PlanTarget, type ProjectPlan, loadProjectPlan } from '../../project/apply/loadProjectPlan.ts';
import { ProjectWriteError } from '../../project/pull/writeProjectFiles.ts';
import {
  type SelectionLimits,
  defaultProjectSettings,
  readEnvironment,
  readProjectSettings,
} from '../../project/settings/projectSettings.ts';
import type { PlanView } from '../../webviews/protocol/planPage.ts';
import type { ProjectDeps } from './deps.ts';
import { getInstanceAddress } from './pickEnvironment.ts';
import { createPlanSections, getBlockReason } from './planSections.ts';
import { requireConnection, requireRole } from './projectConnection.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';
import type { ProjectTarget } from './projectTargets.ts';
import { withPullErrors } from './pullErrors.ts';
import { refreshFromServer } from './readServer.ts';

const t = vscode.l10n.t;

type ApplyResult = Pick<PlanView, 'summary' | 'tone' | 'sections'>;

/** Whether a plan is only shown, or can be applied. */
export type PlanMode = 'plan' | 'apply';

/** Shows what would bring the instance to the state of a project, or of a part of it; on request, applies it. */
export async function planProject(
  deps: ProjectDeps,
  { project, paths }: ProjectTarget,
  mode: PlanMode,
): Promise<void> {
  const connection = await requireConnection(deps, project);
  if (connection === undefined) {
    return;
  }
  const isAllowed =
    mode === 'plan' ||
    ((await requireRole(project, connection)) && (await ensureWritable(deps, connection.id)));
  if (!isAllowed || !(await saveFiles(project))) {
    return;
  }
  const limits = await project.getLimits(paths);
  const run = new PlannedApply(deps, project, connection, limits);
  const plan = await withPullErrors(() => run.load());
  if (plan === undefined) {
    return;
  }
  const name = basename(project.folder.fsPath);
  await deps.performer.reviewOperations({
    title:
      mode === 'plan'
        ? t('Plan: {0} to {1}', name, connection.name)
        : t('Apply {0} to {1}', name, connection.name),
    applyLabel: t('Apply'),
    operation: plan.operation,
    unchangedSections: createPlanSections(plan),
    blocked: getBlockReason(plan),
    isPreview: mode === 'plan',
    run: (planHash) => run.apply(plan, planHash),
  });
}

/** Asks to save files with unsaved changes, since a plan is made from the files on disk. */
async function saveFiles(project: ProjectSourceControl): Promise<boolean> {
  const unsaved = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && project.getPath(uri) !== undefined,
  );
  if (unsaved.length === 0) {
    return true;
  }
  const saveLabel = t('Save All');
  const text =
    unsaved.length === 1
      ? t('1 file of the project has unsaved changes.')
      : t('{0} files of the project have unsaved changes.', unsaved.length);
  const choice = await showModalQuestion(text, t('Only saved files are planned and applied.'), saveLabel);
  if (choice !== saveLabel) {
    return false;
  }
  const saved = await Promise.all(unsaved.map((document) => document.save()));
  return saved.every(Boolean);
}

/** The plan of a project for an instance, and how it is applied. */
class PlannedApply {
  readonly #deps: ProjectDeps;
  readonly #project: ProjectSourceControl;
  readonly #connection: Connection;
  readonly #limits: SelectionLimits | undefined;
  #target: PlanTarget | undefined;

  constructor(
    deps: ProjectDeps,
    project: ProjectSourceControl,
    connection: Connection,
    limits: SelectionLimits | undefined,
  ) {
    this.#deps = deps;
    this.#project = project;
    this.#connection = connection;
    this.#limits = limits;
  }

  /** @throws PullRefusedError, SettingsFileError, MissingVariableError, ApiError, and CancellationError */
  async load(): Promise<ProjectPlan> {
    const { folder, environment } = this.#project;
    const { id } = this.#connection;
    const [settings, described] = await Promise.all([
      readProjectSettings(folder.fsPath),
      environment.url === undefined ? undefined : readEnvironment(folder.fsPath, environment.name),
    ]);
    this.#target = {
      folder: folder.fsPath,
      settings: settings ?? defaultProjectSettings,
      environmentName: environment.name,
      connections: described?.connections ?? {},
      address: getInstanceAddress(this.#connection),
      connectionId: id,
    };
    return this.#read(this.#target, t('Comparing with {0}', this.#connection.name), true);
  }

  /** Sends the writes of a reviewed plan, and says how that ended. */
  async apply(plan: ProjectPlan, planHash: PlanHash): Promise<ApplyResult> {
    const target = this.#target;
    const { history, writer } = await this.#deps.changeServices();
    const reservation = await history.reserve(this.#connection.id);
    try {
      await requireFinishedChanges(history, this.#connection.id);
      // The files, or what no write depends on, may have changed while the plan was open.
      if (
        target === undefined ||
        (await this.#read(target, t('Checking the plan'), true)).hash !== plan.hash
      ) {
        return changedResult();
      }
      const { stopError } = await this.#send({ operation: plan.operation, planHash }, writer);
      return stopError === undefined
        ? await this.#verify(target, plan).catch(describeUnverified)
        : describeStop(stopError);
    } catch (error) {
      return describeFailure(error);
    } finally {
      await reservation.release();
    }
  }

  /** Sends the writes, with their progress. A cancellation stops before the next one. */
  #send(approved: Parameters<typeof runApproved>[1], writer: Writer): Promise<ChangeRun> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: toPlainText(t('Applying to {0}', this.#connection.name)),
      cancellable: true,
    };
    const { clock } = this.#deps;
    return Promise.resolve(
      vscode.window.withProgress(options, async (progress, token) => {
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
        return runApproved({ writer, clock }, approved, {
          signal: abort.signal,
          onProgress: ({ done, total }) => progress.report({ message: t('{0} of {1}', done, total) }),
        });
      }),
    );
  }

  /** Reads the instance again: the apply is done only if nothing differs anymore. */
  async #verify(target: PlanTarget, plan: ProjectPlan): Promise<ApplyResult> {
    const after = await this.#read(target, t('Checking the result'), false);
    const lockProblem = await writeAppliedLock(target, after).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof ProjectWriteError)) {
          throw error;
        }
        return t("The lock file couldn't be updated: {0} Pull to update it.", error.message);
      },
    );
    await this.#project.reload();
    if (this.#limits === undefined) {
      await this.#project.setReading(after.reading);
    } else if (this.#project.status?.isServerKnown === true) {
      await refreshFromServer(this.#deps, this.#project);
    }
    const { waiting, unexpected } = findOpenItems(plan, after);
    const isDone = waiting.length + unexpected.length === 0 && lockProblem === undefined;
    return {
      tone: isDone ? 'info' : 'warning',
      summary: [
        isDone
          ? t('Done. The instance is in the state of the project.')
          : t('All changes were sent. Some items still differ from the project.'),
        ...(lockProblem === undefined ? [] : [lockProblem]),
        t('You can undo the change in the history.'),
      ].join(' '),
      sections: [
        createSection(t('Needs another apply'), waiting),
        createSection(t('Still different'), unexpected),
      ].filter(({ count }) => count > 0),
    };
  }

  #read(target: PlanTarget, title: string, isCancellable: boolean): Promise<ProjectPlan> {
    const { sessions, log } = this.#deps;
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: toPlainText(title),
      cancellable: isCancellable,
    };
    const load = async (
      progress: vscode.Progress<{ message?: string; increment?: number }>,
      token: vscode.CancellationToken,
    ): Promise<ProjectPlan> => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
      return loadProjectPlan(target, {
        openClient: async () => (await sessions.get(this.#connection.id)).client,
        limits: this.#limits ?? {},
        prunedKinds: new Set(),
        variables: process.env,
        signal: abort.signal,
        log,
        onProgress: (readCount, total) =>
          progress.report({
            message: t('{0} of {1} read', readCount, total),
            increment: 100 / Math.max(1, total),
          }),
      });
    };
    return Promise.resolve(vscode.window.withProgress(options, load));
  }
}

const createSection = (title: string, items: readonly string[]): PlanView['sections'][number] => ({
  title,
  tone: 'warning',
  count: items.length,
  items: items.map((text) => ({ icon: 'warning', text })),
});

const changedResult = (): ApplyResult => ({
  tone: 'error',
  summary: t('The instance or the project was changed in the meantime. Nothing was written. Apply again.'),
  sections: [],
});

/** Describes an error that kept the writes from being sent. */
function describeFailure(error: unknown): ApplyResult {
  if (error instanceof PlanNeededError) {
    return changedResult();
  }
  const text =
    error instanceof InterruptedChangeError
      ? t(
          'An earlier change of this instance was interrupted. Finish it or roll it back in the history first.',
        )
      : getUserMessage(error);
  return { tone: 'error', summary: t('Nothing was written. {0}', text), sections: [] };
}

const describeUnverified = (error: unknown): ApplyResult => ({
  tone: 'warning',
  summary: t(
    "All changes were sent, but the instance couldn't be read afterwards. {0}",
    getUserMessage(error),
  ),
  sections: [],
});

function describeStop({ cause, changedNothing, report: { writes } }: StoppedError): ApplyResult {
  const doneCount = writes.filter(({ state }) => state === 'done').length;
  return {
    tone: 'error',
    summary: changedNothing
      ? t('Nothing was written. {0}', getUserMessage(cause))
      : [
          t('Stopped after {0} of {1} requests.', doneCount, writes.length),
          getUserMessage(cause),
          t('You can finish it or roll it back in the history.'),
        ].join(' '),
    sections: [],
  };
}
