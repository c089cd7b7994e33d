import * as vscode from 'vscode';
import { getUserMessage } from '../../platform/userErrors.ts';
import { describeFinding } from './describeFinding.ts';
import { InterruptedChangeError, requireFinishedChanges } from '../../changes/journal/requireFinished.ts';
import { type ChangeRun, runApproved } from '../../changes/bulkRules/runChange.ts';
import type { Writer } from '../../changes/run/writer.ts';
import type { PlanHash } from '../../changes/run/writeErrors.ts';
import type { Connection } from '../../connections/connection.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import type { FollowUp } from '../../platform/followUp.ts';
import { showModalQuestion } from '../../platform/messages.ts';
import { formatProgress } from '../../platform/runProgressTexts.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { findOpenItems, recordState, writeAppliedLock } from '../../project/apply/finishApply.ts';
import type { PlanTarget, ProjectPlan } from '../../project/apply/loadProjectPlan.ts';
import { formatItemKey } from '../../project/item.ts';
import { describeComparedPart } from '../../project/messages/describeUnmanaged.ts';
import { type ListedEnvironment, listEnvironments } from '../../project/pull/findEnvironments.ts';
import { hashInstance } from '../../project/pull/instanceHash.ts';
import { ProjectWriteError } from '../../project/pull/writeProjectFiles.ts';
import {
  type ApplyResult,
  createChangedResult,
  createHistoryFollowUp,
  createInterruptedSection,
  describeApplyFailure,
  describeInterruption,
  describeStop,
  describeUnverified,
  describeVerified,
  createInvalidResult,
} from './applyResults.ts';
import { type FindingCode, isIgnorableCode } from '../../project/validate/finding.ts';
import type { ProjectDeps } from './deps.ts';
import { getInstanceAddress } from '../../platform/projects/environments.ts';
import {
  createOverwrittenSections,
  createPlanNotes,
  createPlanSections,
  createUncomparedSections,
  getBlockReason,
} from './planSections.ts';
import { getConnectionOrExplain, ensureRoleAllowsApply } from './projectConnection.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';
import type { ProjectSelection } from './projectTargets.ts';
import { withPullErrors } from './pullErrors.ts';
import { type ProjectScope, resolveScope } from './projectScope.ts';
import { createInstanceWatcher, createPlanWatcher, createPlanAgainFollowUp } from './outdatedPlan.ts';
import { readPlan, readPlanTarget } from './readPlan.ts';
import { refreshFromServer } from './readServer.ts';

const t = vscode.l10n.t;

/** Whether a plan is only shown, or can be applied. */
export type PlanMode = 'plan' | 'apply';

/** Shows the changes that would make the instance match a project, or a part of it; on request, applies them. */
export async function planProject(
  deps: ProjectDeps,
  target: ProjectSelection,
  mode: PlanMode,
): Promise<void> {
  const { project } = target;
  const connection = await getConnectionOrExplain(deps, project);
  if (connection === undefined) {
    return;
  }
  // The user may select another environment in the meantime; the role of this one is checked.
  const { environment } = project;
  const isAllowed =
    mode === 'plan' ||
    ((await ensureRoleAllowsApply(project, connection)) && (await ensureWritable(deps, connection.id)));
  if (!isAllowed || !(await saveFiles(project))) {
    return;
  }
  const interruption = await findInterruption(deps, connection);
  if (interruption !== undefined && mode === 'apply') {
    await withPullErrors(project.folder, () => Promise.reject(interruption));
    return;
  }
  const scope = await resolveScope(target, mode);
  if (scope === undefined) {
    return;
  }
  const planAgain = createPlanAgainFollowUp(() => planProject(deps, target, mode));
  const plannedApply = new PlannedApply(deps, { project, connection, environment, scope, planAgain });
  let plan = await withPullErrors(project.folder, () => plannedApply.load());
  if (plan !== undefined && mode === 'apply') {
    const decision = await promptForErrorDecision(plan.findErrors().blocking);
    if (decision === 'cancel') {
      return;
    }
    if (decision === 'ignore') {
      plannedApply.ignore(plan.findErrors().blocking);
      plan = await withPullErrors(project.folder, () => plannedApply.load());
    }
  }
  if (plan === undefined) {
    return;
  }
  const reviewedPlan = plan;
  const { name } = scope;
  const errors = plan.findErrors();
  const blockedReason = getBlockReason(plan, errors);
  await deps.performer.reviewOperations({
    title:
      mode === 'plan'
        ? t('Plan: {0} to {1}', name, connection.name)
        : t('Apply {0} to {1}', name, connection.name),
    applyLabel: t('Apply'),
    operation: plan.operation,
    notes: blockedReason === undefined ? createPlanNotes(plan) : [],
    overwrittenSections: createOverwrittenSections(plan),
    unchangedSections: [
      ...(interruption === undefined ? [] : [createInterruptedSection(interruption)]),
      ...createPlanSections(plan, errors, project.folder),
    ],
    blockedReason,
    isPreview: mode === 'plan',
    followUp:
      interruption !== undefined
        ? createHistoryFollowUp()
        : blockedReason === undefined && plan.operation.writes.length > 0
          ? { label: t('Apply…'), run: () => planProject(deps, target, 'apply') }
          : undefined,
    outdatedHandling: {
      watch: createPlanWatcher(deps, { project, environment, connection, plan: reviewedPlan }),
      watchResult: createInstanceWatcher(deps, connection),
      planAgain,
    },
    run: (planHash) => plannedApply.apply(reviewedPlan, planHash),
  });
}

/** Returns the error with which an apply would be refused because a change of the instance was interrupted. */
async function findInterruption(
  deps: ProjectDeps,
  connection: Connection,
): Promise<InterruptedChangeError | undefined> {
  const { history } = await deps.changeServices();
  try {
    await requireFinishedChanges(history, connection.id);
    return undefined;
  } catch (error) {
    if (error instanceof InterruptedChangeError) {
      return error;
    }
    throw error;
  }
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
      ? t('1 project file has unsaved changes.')
      : t('{0} project files have unsaved changes.', unsaved.length);
  const choice = await showModalQuestion(text, t('Only saved files are planned and applied.'), saveLabel);
  if (choice !== saveLabel) {
    return false;
  }
  const saved = await Promise.all(unsaved.map((document) => document.save()));
  return saved.every(Boolean);
}

/** The maximum number of errors that the question lists; the page lists more. */
const maxErrors = 5;

/**
 * Asks what to do about errors that checks of the content have found: they may not know everything that the instance
 * accepts. Asks nothing if there are none, or if some can't be ignored.
 */
async function promptForErrorDecision(
  errors: ReturnType<ProjectPlan['findErrors']>['blocking'],
): Promise<'show' | 'ignore' | 'cancel'> {
  if (errors.length === 0 || !errors.every(({ code }) => isIgnorableCode(code))) {
    return 'show';
  }
  const showLabel = t('Show Plan');
  const ignoreLabel = t('Ignore Errors');
  const text =
    errors.length === 1
      ? t('The files that the plan changes have 1 error.')
      : t('The files that the plan changes have {0} errors.', errors.length);
  const lines = errors
    .slice(0, maxErrors)
    .map((error) => `${error.path}:${error.line}: ${describeFinding(error)}`);
  const more = errors.length > maxErrors ? [t('and {0} more', errors.length - maxErrors)] : [];
  const note = t('Ignore them only if you know that the instance accepts these files.');
  const choice = await showModalQuestion(text, [...lines, ...more, note], showLabel, ignoreLabel);
  return choice === ignoreLabel ? 'ignore' : choice === showLabel ? 'show' : 'cancel';
}

/** What is planned: a project, or a part of it, for the instance of a connection. */
interface PlannedProject {
  readonly project: ProjectSourceControl;
  readonly connection: Connection;
  /** The environment as it was when its role was checked. */
  readonly environment: ListedEnvironment;
  readonly scope: ProjectScope;
  readonly planAgain: FollowUp;
}

/** The plan of a project for an instance, and how it is applied. */
class PlannedApply {
  readonly #deps: ProjectDeps;
  readonly #project: ProjectSourceControl;
  readonly #connection: Connection;
  readonly #environment: ListedEnvironment;
  readonly #scope: ProjectScope;
  readonly #planAgain: FollowUp;
  #ignoredCodes: ReadonlySet<FindingCode> = new Set();

  constructor(deps: ProjectDeps, { project, connection, environment, scope, planAgain }: PlannedProject) {
    this.#planAgain = planAgain;
    this.#deps = deps;
    this.#project = project;
    this.#connection = connection;
    this.#environment = environment;
    this.#scope = scope;
  }

  /**
   * Reads both sides, and shows how the instance differs if all of it was compared.
   * @throws PullRefusedError, SettingsFileError, MissingVariableError, ApiError, and CancellationError
   */
  async load(): Promise<ProjectPlan> {
    const { writeCount } = this.#project;
    const title = t('Comparing with {0}', this.#connection.name);
    const plan = await this.#read(await this.#readTarget(), title, true);
    if (this.#scope.limits === undefined) {
      // Not awaited: the plan is shown meanwhile.
      this.#project.setReading(plan.reading, writeCount).catch((error: unknown) => {
        this.#deps.log.error('projects', 'The status could not be updated', { reason: String(error) });
      });
    }
    return plan;
  }

  /** From now on, ignores errors with the same codes as these. Plans still list them. */
  ignore(errors: readonly { readonly code: FindingCode }[]): void {
    this.#ignoredCodes = new Set(errors.map(({ code }) => code));
  }

  /** Sends the writes of a reviewed plan, and returns the result for its page. */
  async apply(plan: ProjectPlan, planHash: PlanHash): Promise<ApplyResult> {
    const { log } = this.#deps;
    // The writes will make the status outdated.
    const wasServerKnown = this.#project.status?.isServerKnown === true;
    const { history, writer } = await this.#deps.changeServices();
    const reservation = await history.reserve(this.#connection.id);
    let hasBegun = false;
    try {
      await requireFinishedChanges(history, this.#connection.id);
      // While the plan was open, files may have changed, and so may parts of the instance that no write checks.
      const target = await this.#readTarget();
      const currentPlan = await this.#read(target, t('Checking the plan'), true);
      if (currentPlan.hash !== plan.hash || !(await this.#hasSameTarget())) {
        return { ...createChangedResult(), followUp: this.#planAgain };
      }
      if (getBlockReason(currentPlan, currentPlan.findErrors()) !== undefined) {
        return { ...createInvalidResult(), followUp: this.#planAgain };
      }
      const { stopError } = await this.#send({ operation: plan.operation, planHash }, writer, () => {
        hasBegun = true;
      });
      return stopError === undefined
        ? await this.#verify(target, plan, wasServerKnown).catch((error: unknown) =>
            describeUnverified(error, log),
          )
        : describeStop(stopError, log);
    } catch (error) {
      return hasBegun ? describeInterruption(error, log) : describeApplyFailure(error, log);
    } finally {
      await reservation
        .release()
        .catch((error: unknown) =>
          log.error('projects', 'A reservation was not released', { reason: String(error) }),
        );
    }
  }

  #readTarget(): Promise<PlanTarget> {
    return readPlanTarget(this.#project.folder.fsPath, this.#environment, this.#connection);
  }

  /** Returns whether the environment and the connection still have the roles and addresses that were checked. */
  async #hasSameTarget(): Promise<boolean> {
    const { name, role, url, instance } = this.#environment;
    const environments = await listEnvironments(this.#project.folder.fsPath);
    const environment = environments.find((other) => other.name === name);
    const connection = this.#deps.connections.find(this.#connection.id);
    return (
      environment?.role === role &&
      environment?.url === url &&
      environment?.instance === instance &&
      connection?.role === this.#connection.role &&
      hashInstance(getInstanceAddress(connection)) === hashInstance(getInstanceAddress(this.#connection))
    );
  }

  /**
   * Sends the writes, and shows the progress. A cancellation stops before the next write.
   * @param onBegin called before the first write is sent
   */
  #send(
    approved: Parameters<typeof runApproved>[1],
    writer: Writer,
    onBegin: () => void,
  ): Promise<ChangeRun> {
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
          onBegin,
          onProgress: (step) => progress.report({ message: formatProgress(step) }),
        });
      }),
    );
  }

  /**
   * Reads the instance again, updates the lock file, and describes the result: it is done if nothing differs anymore.
   * @param wasServerKnown whether the status of the whole project was known before
   */
  async #verify(target: PlanTarget, plan: ProjectPlan, wasServerKnown: boolean): Promise<ApplyResult> {
    const planAfter = await this.#read(target, t('Checking the result'), false);
    const recorded = recordState(planAfter, { applied: plan });
    const lockProblem = await writeAppliedLock(planAfter, recorded).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof ProjectWriteError)) {
          throw error;
        }
        return t("The lock file couldn't be updated. {0} Pull to update it.", getUserMessage(error));
      },
    );
    await this.#project.reload();
    if (this.#scope.limits === undefined) {
      await this.#project.setReading(planAfter.reading);
    } else if (wasServerKnown) {
      await refreshFromServer(this.#deps, this.#project);
    }
    const open = findOpenItems(plan, planAfter, recorded);
    const result = describeVerified({
      open,
      // The page still lists these items, with the reason.
      explainedItems: new Set(plan.prepared.compiled.deferred.map(({ key }) => formatItemKey(key))),
      uncompared: createUncomparedSections(planAfter, this.#project.folder),
      lockProblem,
      comparedPart: describeComparedPart(t, this.#scope.part, planAfter.unmanaged),
    });
    return open.waiting.length === 0 ? result : { ...result, followUp: this.#planAgain };
  }

  #read(target: PlanTarget, title: string, isCancellable: boolean): Promise<ProjectPlan> {
    return readPlan(this.#deps, {
      target,
      limits: this.#scope.limits ?? {},
      ignoredCodes: this.#ignoredCodes,
      title,
      isCancellable,
    });
  }
}
