import * as vscode from 'vscode';
import { describeFinding } from './describeFinding.ts';
import { InterruptedChangeError, requireFinishedChanges } from '../../changes/journal/requireFinished.ts';
import type { Connection } from '../../connections/connection.ts';
import { ensureNotReadOnly } from '../../platform/ensureWritable.ts';
import type { AlternativePage, FollowUp } from '../../platform/followUp.ts';
import { showModalQuestion } from '../../platform/messages.ts';
import {
  type DeletableKind,
  type PrunedKinds,
  type SelectedDeletions,
  findExceededKinds,
  listDeletableKinds,
  listDeletedKinds,
  noDeletions,
} from '../../project/apply/deletableItems.ts';
import type { ProjectPlan } from '../../project/apply/loadProjectPlan.ts';
import { type ListedEnvironment, listEnvironments } from '../../project/pull/findEnvironments.ts';
import { hashInstance } from '../../project/pull/instanceHash.ts';
import { getInstanceAddress } from '../../platform/projects/environments.ts';
import { createInterruptedFollowUp, createInterruptedSection } from './applyResults.ts';
import { isIgnorableCode } from '../../project/validate/finding.ts';
import type { ProjectDeps } from './deps.ts';
import { formatDeletedKinds, pickDeletedKinds } from './pickDeletedKinds.ts';
import { PlannedApply } from './plannedApply.ts';
import {
  createBlockingSections,
  createOverwrittenSections,
  createPlanNotes,
  createUnchangedSections,
  getBlockReason,
} from './planSections.ts';
import { ensureRoleAllowsApply, getConnectionOrExplain } from './projectConnection.ts';
import { separateNewlyVisible } from './newlyVisibleSections.ts';
import { findRoleConflict } from './roleConflict.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';
import type { ProjectSelection } from './projectSelection.ts';
import { runAndExplainErrors } from './projectErrors.ts';
import { type ProjectScope, resolveScope } from './projectScope.ts';
import type { WorkspaceProjects } from './workspaceProjects.ts';
import { createInstanceWatcher, createPlanWatcher, createPlanAgainFollowUp } from './planWatchers.ts';

const t = vscode.l10n.t;

/** Whether a plan is only shown, or can be applied. */
export type PlanMode = 'plan' | 'apply';

/** What is planned. All plans that follow from a page are for the same environment and part of the project. */
interface PlanRequest {
  /** By now, the workspace may show another environment of this project. */
  readonly project: ProjectSourceControl;
  /** Returns the project if the workspace still shows its environment. */
  readonly findShownProject: () => ProjectSourceControl | undefined;
  readonly mode: PlanMode;
  /** Returns the part of the project; `undefined` if the user cancels. */
  readonly getScope: () => Promise<ProjectScope | undefined>;
  /** What the user has selected to delete, and the instance that it was selected for. */
  readonly deletionSelection?: { readonly deletions: SelectedDeletions; readonly instanceHash: string };
  /** The kinds that the plan no longer deletes, because more items would be deleted than the user has seen. */
  readonly exceededKinds?: readonly DeletableKind['kind'][];
}

/**
 * Shows the changes that would make the instance match a project, or a part of it; on request, applies them. Nothing is
 * deleted until the user selects it on the page.
 */
export const planProject = (
  deps: ProjectDeps,
  projects: Pick<WorkspaceProjects, 'findShownProject'>,
  target: ProjectSelection,
  mode: PlanMode,
): Promise<void> =>
  showPlan(deps, {
    project: target.project,
    findShownProject: () =>
      projects.findShownProject(String(target.project.folder), target.project.environment.name),
    mode,
    getScope: () => resolveScope(target, mode),
  });

async function showPlan(deps: ProjectDeps, request: PlanRequest): Promise<void> {
  const { findShownProject, mode, deletionSelection } = request;
  const project = findShownProject() ?? request.project;
  // The user may have selected another environment in the meantime. The role of the planned one is checked.
  const environment = await readCurrentEnvironment(project);
  const connection = await getConnectionOrExplain(deps, { environment });
  if (connection === undefined) {
    return;
  }
  const isAllowed =
    mode === 'plan' ||
    // A locked connection is unlocked once the user has seen the plan and applies it.
    ((await ensureRoleAllowsApply({ environment }, connection)) && ensureNotReadOnly(deps, connection.id));
  if (!isAllowed || !(await saveFiles(project))) {
    return;
  }
  const interruption = await findInterruption(deps, connection);
  if (interruption !== undefined && mode === 'apply') {
    await runAndExplainErrors(project.folder, () => Promise.reject(interruption));
    return;
  }
  const scope = await request.getScope();
  if (scope === undefined) {
    return;
  }
  // The environment or the connection may have another address by now.
  const instance = hashInstance(getInstanceAddress(connection));
  const deletions = deletionSelection?.instanceHash === instance ? deletionSelection.deletions : noDeletions;
  const replan = (changes: Partial<PlanRequest> = {}): Promise<void> =>
    // The paths may not select the same part again, for example, after an apply has deleted what they belong to.
    showPlan(deps, { ...request, exceededKinds: [], getScope: () => Promise.resolve(scope), ...changes });
  const planAgain = createPlanAgainFollowUp(() => replan());
  const getAlternative = (compared: ProjectPlan): AlternativePage | undefined =>
    createDeletionsAlternative(compared, {
      connection,
      prunedKinds: deletions.kinds,
      replan: (selected) => replan({ deletionSelection: { deletions: selected, instanceHash: instance } }),
    });
  const plannedApply = new PlannedApply(deps, {
    project,
    findShownProject,
    connection,
    environment,
    scope,
    prunedKinds: deletions.kinds,
    isApplied: mode === 'apply',
    planAgain,
    getAlternative,
  });
  let plan = await runAndExplainErrors(project.folder, () => plannedApply.load());
  // A plan that would delete more than the user has seen isn't shown, so its errors don't matter.
  if (plan !== undefined && mode === 'apply' && findExceededKinds(plan, deletions).length === 0) {
    const decision = await promptForErrorDecision(plan.findErrors().blocking);
    if (decision === 'cancel') {
      return;
    }
    if (decision === 'ignore') {
      plannedApply.ignore(plan.findErrors().blocking);
      plan = await runAndExplainErrors(project.folder, () => plannedApply.load());
    }
  }
  if (plan === undefined) {
    return;
  }
  const exceededKinds = findExceededKinds(plan, deletions);
  if (exceededKinds.length > 0) {
    const kinds = deletions.kinds.difference(new Set(exceededKinds));
    await replan({
      deletionSelection: { deletions: { ...deletions, kinds }, instanceHash: instance },
      exceededKinds,
    });
    return;
  }
  const reviewedPlan = plan;
  const { name } = scope;
  const errors = plan.findErrors();
  const blockedReason = getBlockReason(plan, errors);
  const roleConflict =
    plan.operation.writes.length === 0 ? undefined : findRoleConflict(environment, connection);
  await deps.changeReview.reviewOperations({
    title:
      mode === 'plan'
        ? t('Plan: {0} to {1}', name, connection.name)
        : t('Apply {0} to {1}', name, connection.name),
    applyLabel: listDeletedKinds(plan.prepared).length === 0 ? t('Apply') : t('Apply with Deletions'),
    operation: plan.operation,
    notes: [
      ...(interruption === undefined ? [] : [t('Nothing can be applied yet: see "Interrupted change".')]),
      ...(roleConflict === undefined ? [] : [roleConflict.text]),
      ...describeExceededKinds(request.exceededKinds ?? []),
      ...(blockedReason === undefined ? createPlanNotes(plan) : []),
    ],
    blockingSections: createBlockingSections(plan, errors, project.folder),
    separateNewlyVisible: (access) => separateNewlyVisible(reviewedPlan, access),
    leadingSections: createOverwrittenSections(plan),
    unchangedSections: [
      ...(interruption === undefined ? [] : [createInterruptedSection(interruption)]),
      ...createUnchangedSections(plan, errors, project.folder),
    ],
    blockedReason,
    isPreview: mode === 'plan',
    followUp:
      interruption !== undefined
        ? createInterruptedFollowUp(interruption)
        : roleConflict !== undefined
          ? roleConflict.resolution && planAfter(roleConflict.resolution, planAgain)
          : blockedReason === undefined && plan.operation.writes.length > 0
            ? { label: t('Apply…'), loadsPage: true, run: () => replan({ mode: 'apply' }) }
            : undefined,
    alternative: getAlternative(plan),
    outdatedHandling: {
      watch: createPlanWatcher(deps, { project, environment, connection, plan: reviewedPlan }),
      watchResult: createInstanceWatcher(deps, connection),
      planAgain,
    },
    run: (planHash) => plannedApply.apply(reviewedPlan, planHash),
  });
}

/** Lets the user select which items are deleted; `undefined` if there is nothing to delete. */
function createDeletionsAlternative(
  plan: ProjectPlan,
  {
    connection,
    prunedKinds,
    replan,
  }: {
    readonly connection: Connection;
    readonly prunedKinds: PrunedKinds;
    readonly replan: (selected: SelectedDeletions) => Promise<void>;
  },
): AlternativePage | undefined {
  const kinds = listDeletableKinds(plan);
  return kinds.length === 0
    ? undefined
    : {
        label: prunedKinds.size === 0 ? t('Include Deletions…') : t('Change Deletions…'),
        prepare: async () => {
          const selected = await pickDeletedKinds(kinds, { connection, prunedKinds, plan });
          return selected && (() => replan(selected));
        },
      };
}

const describeExceededKinds = (kinds: readonly DeletableKind['kind'][]): readonly string[] =>
  kinds.length === 0
    ? []
    : [
        t(
          'More would be deleted than you have selected, so these are kept for now: {0}.',
          formatDeletedKinds(kinds),
        ),
      ];

/** Returns the environment of a project as its file has it now, whether or not the workspace shows it. */
async function readCurrentEnvironment({
  folder,
  environment,
}: ProjectSourceControl): Promise<ListedEnvironment> {
  const environments = await listEnvironments(folder.fsPath);
  return environments.find(({ name }) => name === environment.name) ?? environment;
}

/** Returns a step after which the page shows a new plan. */
const planAfter = (step: FollowUp, planAgain: FollowUp): FollowUp => ({
  label: step.label,
  run: async () => {
    await step.run();
    await planAgain.run();
  },
});

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
 * Asks what to do about errors in the contents of files: the checks may not know everything that the instance accepts.
 * Returns `show` without asking if there are no errors, or if some can't be ignored.
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
      ? t('The files to be applied have 1 error.')
      : t('The files to be applied have {0} errors.', errors.length);
  const lines = errors
    .slice(0, maxErrors)
    .map((error) => `${error.path}:${error.line}: ${describeFinding(error)}`);
  const more = errors.length > maxErrors ? [t('and {0} more', errors.length - maxErrors)] : [];
  const note = t('Ignore errors only if you know that the instance accepts the files.');
  const choice = await showModalQuestion(text, [...lines, ...more, note], showLabel, ignoreLabel);
  return choice === ignoreLabel ? 'ignore' : choice === showLabel ? 'show' : 'cancel';
}
