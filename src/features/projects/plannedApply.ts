import * as vscode from 'vscode';
import { getUserMessage } from '../../platform/userErrors.ts';
import { requireFinishedChanges } from '../../changes/journal/requireFinished.ts';
import { type RuleChangeResult, runApproved } from '../../changes/bulkRules/runChange.ts';
import type { Writer } from '../../changes/run/writer.ts';
import { PlanNeededError, type PlanHash } from '../../changes/run/writeErrors.ts';
import type { Connection } from '../../connections/connection.ts';
import type { AlternativePage, FollowUp } from '../../platform/followUp.ts';
import { formatProgress } from '../../platform/runProgressTexts.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { PrunedKinds } from '../../project/apply/deletableItems.ts';
import { findOpenItems, computeRecordedState, writeAppliedLock } from '../../project/apply/finishApply.ts';
import type { PlanTarget, ProjectPlan } from '../../project/apply/loadProjectPlan.ts';
import { formatItemKey } from '../../project/item.ts';
import { describeComparedPart } from '../../project/messages/describeUnmanaged.ts';
import { type ListedEnvironment, listEnvironments } from '../../project/pull/findEnvironments.ts';
import { hashInstance } from '../../project/pull/instanceHash.ts';
import { ProjectWriteError } from '../../project/pull/writeProjectFiles.ts';
import { listNeededVariables } from '../../project/apply/connectionSecrets.ts';
import type { FindingCode } from '../../project/validate/finding.ts';
import {
  type ApplyResult,
  createOutdatedPlanResult,
  createInvalidProjectResult,
  describeApplyFailure,
  describeInterruptedApply,
  describeStoppedApply,
  describeUnverifiedApply,
  describeVerifiedApply,
} from './applyResults.ts';
import type { ProjectDeps } from './deps.ts';
import { getInstanceAddress } from '../../platform/projects/environments.ts';
import { createUncomparedSections, getBlockReason } from './planSections.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';
import type { ProjectScope } from './projectScope.ts';
import { readPlan, readPlanTarget } from './readPlan.ts';
import { refreshFromServer } from './refreshFromServer.ts';
import { readStoppedApplyDocuments } from './stoppedDocuments.ts';

const t = vscode.l10n.t;

/** What is planned: a project, or a part of it, for the instance of a connection. */
export interface PlannedProject {
  readonly project: Pick<ProjectSourceControl, 'folder'>;
  /** Returns the project if the workspace still shows its environment. */
  readonly findShownProject: () => ProjectSourceControl | undefined;
  readonly connection: Connection;
  /** The environment as it was when its role was checked. */
  readonly environment: ListedEnvironment;
  readonly scope: ProjectScope;
  /** The kinds of items that are deleted on the instance if the project doesn't have them. */
  readonly prunedKinds: PrunedKinds;
  /** Whether the plan may be applied: otherwise, it needs no secrets from environment variables. */
  readonly isApplied: boolean;
  readonly planAgain: FollowUp;
  /** Returns what can be planned in place of a plan, or after it; `undefined` if there is nothing. */
  readonly getAlternative: (plan: ProjectPlan) => AlternativePage | undefined;
}

/** The plan of a project for an instance, and how it is applied. */
export class PlannedApply {
  readonly #deps: ProjectDeps;
  readonly #project: PlannedProject['project'];
  readonly #findShown: PlannedProject['findShownProject'];
  readonly #connection: Connection;
  readonly #environment: ListedEnvironment;
  readonly #scope: ProjectScope;
  readonly #prunedKinds: PrunedKinds;
  readonly #isApplied: boolean;
  readonly #planAgain: FollowUp;
  readonly #getAlternative: PlannedProject['getAlternative'];
  #ignoredCodes: ReadonlySet<FindingCode> = new Set();

  constructor(deps: ProjectDeps, planned: PlannedProject) {
    this.#deps = deps;
    this.#project = planned.project;
    this.#findShown = planned.findShownProject;
    this.#connection = planned.connection;
    this.#environment = planned.environment;
    this.#scope = planned.scope;
    this.#prunedKinds = planned.prunedKinds;
    this.#isApplied = planned.isApplied;
    this.#planAgain = planned.planAgain;
    this.#getAlternative = planned.getAlternative;
  }

  /**
   * Reads the project and the instance, and returns the plan. Also updates the status of the project, without waiting
   * for that; if the whole project was compared, the status shows how the instance differs.
   * @throws PullRefusedError, SettingsFileError, MissingVariableError, ApiError, and CancellationError
   */
  async load(): Promise<ProjectPlan> {
    const project = this.#findShown();
    const writeCount = project?.writeCount;
    const title = t('Comparing with {0}', this.#connection.name);
    const plan = await this.#read(await this.#readTarget(), title, { isSent: this.#isApplied });
    // Not awaited: the plan is shown meanwhile.
    void this.#updateStatus(async () => {
      await project?.refreshChangedFiles();
      if (this.#scope.limits === undefined) {
        await project?.setReading(plan.reading, writeCount);
      }
    });
    return plan;
  }

  /** From now on, ignores errors with the codes of the given errors, and no others. Plans still list them. */
  ignore(errors: readonly { readonly code: FindingCode }[]): void {
    this.#ignoredCodes = new Set(errors.map(({ code }) => code));
  }

  /** Sends the writes of a reviewed plan, and returns the result for its page. */
  async apply(plan: ProjectPlan, planHash: PlanHash): Promise<ApplyResult> {
    const { log } = this.#deps;
    // The writes will make the status outdated.
    const wasServerKnown = this.#findShown()?.status?.isServerKnown === true;
    const { id: connectionId } = this.#connection;
    const { history, writer } = await this.#deps.changeServices();
    const reservation = await history.reserve(connectionId);
    let entryId: string | undefined;
    try {
      await requireFinishedChanges(history, connectionId);
      // While the plan was open, files may have changed, and so may parts of the instance that no write checks.
      const target = await this.#readTarget();
      const currentPlan = await this.#read(target, t('Checking the plan'));
      if (currentPlan.hash !== plan.hash || !(await this.#hasSameTarget())) {
        await this.#updateStatus(async () => this.#findShown()?.refreshChangedFiles());
        return { ...createOutdatedPlanResult(), followUp: this.#planAgain };
      }
      if (getBlockReason(currentPlan, currentPlan.findErrors()) !== undefined) {
        return { ...createInvalidProjectResult(), followUp: this.#planAgain };
      }
      const { stopError, report } = await this.#send(
        { operation: plan.operation, planHash },
        writer,
        (begunId) => {
          entryId = begunId;
        },
      );
      return stopError === undefined
        ? await this.#verify(target, plan, wasServerKnown).catch((error: unknown) => ({
            ...describeUnverifiedApply(error, log),
            followUp: this.#planAgain,
          }))
        : describeStoppedApply(
            stopError,
            {
              ...(await readStoppedApplyDocuments(history, { ...report, connectionId }, plan)),
              target: { connectionId, entryId: report.entryId },
              neededVariables: await listNeededVariables(
                report,
                this.#connection.kind === 'remote' ? this.#connection.url : undefined,
              ),
            },
            log,
          );
    } catch (error) {
      if (error instanceof PlanNeededError) {
        return { ...createOutdatedPlanResult(), followUp: this.#planAgain };
      }
      return entryId === undefined
        ? describeApplyFailure(error, log)
        : describeInterruptedApply(
            error,
            {
              ...(await readStoppedApplyDocuments(history, { entryId, connectionId }, plan)),
              target: { connectionId, entryId },
            },
            log,
          );
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
    const { name, role, url, instanceHash: instance } = this.#environment;
    const environments = await listEnvironments(this.#project.folder.fsPath);
    const environment = environments.find((other) => other.name === name);
    const connection = this.#deps.connections.find(this.#connection.id);
    return (
      environment?.role === role &&
      environment?.url === url &&
      environment?.instanceHash === instance &&
      connection?.role === this.#connection.role &&
      hashInstance(getInstanceAddress(connection)) === hashInstance(getInstanceAddress(this.#connection))
    );
  }

  /**
   * Sends the writes, and shows the progress. A cancellation stops before the next write.
   * @param onBegin called with the ID of the change before its first write is sent
   */
  #send(
    approved: Parameters<typeof runApproved>[1],
    writer: Writer,
    onBegin: (entryId: string) => void,
  ): Promise<RuleChangeResult> {
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
   * Reads the instance again, updates the lock file, and describes the result. The apply is done if nothing differs
   * anymore.
   * @param wasServerKnown whether the status of the whole project was known before
   */
  async #verify(target: PlanTarget, plan: ProjectPlan, wasServerKnown: boolean): Promise<ApplyResult> {
    const planAfter = await this.#read(target, t('Checking the result'), {
      // An apply may delete everything that it is limited to.
      mayMatchNothing: true,
    });
    const recorded = computeRecordedState(planAfter, { appliedPlan: plan });
    const lockProblem = await writeAppliedLock(planAfter, recorded).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof ProjectWriteError)) {
          throw error;
        }
        return t("The lock file couldn't be updated. {0} Pull to update it.", getUserMessage(error));
      },
    );
    await this.#updateStatus(async () => {
      const project = this.#findShown();
      await project?.refreshChangedFiles();
      if (this.#scope.limits === undefined) {
        await project?.setReading(planAfter.reading);
      } else if (wasServerKnown && project !== undefined) {
        await refreshFromServer(this.#deps, project);
      }
    });
    const open = findOpenItems(plan, planAfter, recorded);
    const result = describeVerifiedApply({
      openItems: open,
      // The page still lists these items, with the reason.
      explainedItems: new Set(plan.prepared.compiled.deferred.map(({ key }) => formatItemKey(key))),
      uncomparedSections: createUncomparedSections(planAfter, this.#project.folder),
      lockProblem,
      comparedPart: describeComparedPart(t, this.#scope.part, planAfter.unmanaged),
    });
    return open.waiting.length === 0
      ? { ...result, alternative: this.#getAlternative(planAfter) }
      : { ...result, followUp: this.#planAgain };
  }

  /** Updates the status of the project. Nothing else depends on it, so a failure is only logged. */
  async #updateStatus(update: () => Promise<unknown>): Promise<void> {
    try {
      await update();
    } catch (error) {
      this.#deps.log.error('projects', 'The status could not be updated', { reason: String(error) });
    }
  }

  #read(
    target: PlanTarget,
    title: string,
    options: Partial<Pick<Parameters<typeof readPlan>[1], 'mayMatchNothing' | 'isSent'>> = {},
  ): Promise<ProjectPlan> {
    return readPlan(this.#deps, {
      isSent: false,
      ...options,
      target,
      limits: this.#scope.limits ?? {},
      prunedKinds: this.#prunedKinds,
      ignoredCodes: this.#ignoredCodes,
      title,
    });
  }
}
