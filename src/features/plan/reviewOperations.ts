import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { joinNames } from '../../base/joinNames.ts';
import type { Operation, RequiredBuild } from '../../changes/model/operation.ts';
import type { Plan, PlannedAccess } from '../../changes/model/plan.ts';
import { hashEffects } from '../../changes/run/effectsHash.ts';
import type { PlanHash } from '../../changes/run/writeErrors.ts';
import { reportFailure } from '../../platform/commands.ts';
import type { AlternativePage, FollowUp } from '../../platform/followUp.ts';
import type { LocatedSection } from '../../platform/locatedSections.ts';
import { showError, showInformation, showWarning } from '../../platform/messages.ts';
import type { PlanSection, PlanView } from '../../webviews/protocol/planPage.ts';
import type { PlanFeatureDeps } from './deps.ts';
import { type PlanDescription, type PlanLink, describeNextSteps, describePlan } from './describePlan.ts';
import { loadAccess, loadPlanPartyNames, openPlanSubject } from './perform.ts';
import { PlanPanel } from './planPanel.ts';
import { startNextBuild } from './startNextBuild.ts';

const t = vscode.l10n.t;

/** The maximum number of items that a notification names. */
const maxNames = 5;

/** Several operations to review on one page, and how to run them. */
export interface OperationsReviewRequest {
  readonly title: string;
  readonly applyLabel: string;
  /** One operation with the writes of all operations, for the plan; without writes if nothing can be changed. */
  readonly operation: Operation;
  /** The plan of the operation; by default, the one that the writer makes. */
  readonly planned?: { readonly plan: Plan; readonly planHash: PlanHash };
  /** What prevents the operations. Shown first. */
  readonly blockingSections?: readonly LocatedSection[];
  /**
   * Separates who sees what becomes visible from changes of the access to what is already visible. Without this
   * function, the plan shows all access as a change.
   */
  readonly separateNewlyVisible?: (access: PlannedAccess | undefined) => SeparatedAccess;
  /** What else to know, such as what the writes overwrite. Shown before the changes, and left out of the result. */
  readonly leadingSections?: readonly LocatedSection[];
  /** What is not changed, and why. */
  readonly unchangedSections: readonly LocatedSection[];
  /** Sentences that are added to the summary of the plan. */
  readonly notes?: readonly string[];
  /** Like `notes`, but the plan is a warning then. */
  readonly warnings?: readonly string[];
  /** Notes that should not affect the user's decision. Left out of the result. */
  readonly footnotes?: readonly string[];
  /** Why the operations can't be run; absent if they can. */
  readonly blockedReason?: string | undefined;
  /** True to show the plan without a button that applies it. */
  readonly isPreview?: boolean;
  /** What a preview offers to do next. */
  readonly followUp?: FollowUp | undefined;
  /** What can be reviewed in place of this plan. */
  readonly alternative?: AlternativePage | undefined;
  /** Watches whether the plan or the result becomes outdated, and plans again. */
  readonly outdatedHandling?: {
    readonly watch: (onOutdated: () => void) => Disposable;
    readonly watchResult: (onOutdated: () => void) => Disposable;
    readonly planAgain: FollowUp;
  };
  /**
   * Runs the operations, and returns what was done. The hash identifies the plan that the user has reviewed, with its
   * effects.
   */
  readonly run: (planHash: PlanHash) => Promise<OperationsResult>;
}

/** Who sees what becomes visible, and how the access to what is already visible changes. */
export interface SeparatedAccess {
  readonly changedAccess: PlannedAccess | undefined;
  /** Whether the access to more may change, because something that affects access couldn't be compared. */
  readonly isPartlyUnknown: boolean;
  /** Sentences on who sees what becomes visible. */
  readonly newlyVisible: readonly string[];
  /**
   * What becomes visible, first what everyone sees. Shown before the changes in the plan, and left out of the result.
   */
  readonly sections: readonly LocatedSection[];
}

/** What was done, and what to do next. */
export interface OperationsResult extends Pick<PlanView, 'summary' | 'tone' | 'sections'> {
  /** After an error: whether the operations may already have made data visible that only the next build hides. */
  readonly mayShowMoreUntilBuild?: boolean;
  /** Whether the summary says what might be visible until the next build. */
  readonly namesVisibleData?: boolean;
  /** The titles of the datamodels that must not be built before another apply. */
  readonly heldDatamodels?: readonly string[];
  /** Builds that are needed in addition to those of the plan. */
  readonly builds?: readonly RequiredBuild[];
  readonly followUp?: FollowUp | undefined;
  /** What can be reviewed next, in place of the result. */
  readonly alternative?: AlternativePage | undefined;
}

/**
 * Shows the plan of several operations on one page, runs them once the user confirms, and shows the result on the same
 * page. Resolves when the result is shown, or when the user cancels.
 * @throws ApiError
 */
export async function reviewOperations(
  deps: PlanFeatureDeps,
  request: OperationsReviewRequest,
): Promise<void> {
  const { operation, title, applyLabel, warnings = [] } = request;
  const { connectionId } = operation;
  const { writer } = await deps.changeServices();
  const { plan, planHash } = request.planned ?? (await writer.plan(operation));
  const access = await loadAccess(deps, plan);
  const separatedAccess = request.separateNewlyVisible?.(access === 'unknown' ? undefined : access);
  const { view, links: subjects } = describePlan(
    await loadPlanPartyNames(deps, plan),
    access === 'unknown' || separatedAccess === undefined ? access : separatedAccess.changedAccess,
    deps.connections.find(connectionId),
    separatedAccess,
  );
  const links: PlanLink[] = [...subjects];
  const link = (section: LocatedSection): PlanSection => linkItems(section, links);
  const leadingSections = [
    ...(request.blockingSections ?? []),
    ...(separatedAccess?.sections ?? []),
    ...(request.leadingSections ?? []),
  ].map(link);
  const unchangedSections = request.unchangedSections.map(link);
  const isEmpty = operation.writes.length === 0;
  const reviewView: PlanView = {
    ...view,
    title,
    summary: [
      ...(isEmpty ? (request.blockedReason === undefined ? [t('No changes.')] : []) : [view.summary]),
      // The reason is beside the Apply button, which a preview lacks. Items that can't be read may differ.
      ...(request.blockedReason !== undefined && (isEmpty || request.isPreview === true)
        ? [request.blockedReason]
        : []),
      ...(request.notes ?? []),
      ...warnings,
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    tone:
      view.tone === 'info' &&
      (warnings.length > 0 || [...leadingSections, ...unchangedSections].some(({ tone }) => tone !== 'plain'))
        ? 'warning'
        : view.tone,
    sections: [...leadingSections, ...view.sections, ...unchangedSections],
    footnotes: [...(request.footnotes ?? []), ...(view.footnotes ?? [])],
    applyLabel,
    ...(request.alternative === undefined ? {} : { alternative: request.alternative.label }),
    ...(request.blockedReason === undefined ? {} : { blockedReason: request.blockedReason }),
    ...(isEmpty && request.blockedReason === undefined ? { blockedReason: t('Nothing to change.') } : {}),
  };
  let { alternative } = request;
  const panel = new PlanPanel(
    {
      ...deps,
      connectionId,
      open: (subject) => void openPlanSubject(connectionId, subject),
      onStartBuild: (build) => void startNextBuild(deps, connectionId, build),
      onAlternative: () => void showAlternative(panel, alternative, deps.log),
    },
    title,
  );
  let isOutdated = false;
  const showOutdated = (): void =>
    panel.showOutdated(
      request.outdatedHandling?.planAgain.label ?? '',
      t(
        'This plan is out of date: the files, the environment, or the instance has changed since it was made.',
      ),
    );
  const watcher = request.outdatedHandling?.watch(() => {
    if (!isOutdated) {
      isOutdated = true;
      showOutdated();
    }
  });
  if (request.isPreview === true) {
    const { confirmation: _confirmation, blockedReason: _blockedReason, ...preview } = reviewView;
    const getFollowUp = (): FollowUp | undefined =>
      isOutdated ? request.outdatedHandling?.planAgain : request.followUp;
    void showUntilClosed(panel, { view: preview, links }, getFollowUp, deps.log).finally(() =>
      watcher?.dispose(),
    );
    return;
  }
  let isDone = false;
  try {
    const answerPromise = panel.review({ view: reviewView, links });
    if (isOutdated) {
      showOutdated();
    }
    const answer = await answerPromise;
    if (answer.type === 'followUp') {
      // The next plan has a watcher of its own, and its review ends before this call returns.
      watcher?.dispose();
      await panel.loadNext(async () => request.outdatedHandling?.planAgain.run());
    }
    if (answer.type !== 'apply') {
      return;
    }
    watcher?.dispose();
    const runResult = await request.run({ ...planHash, effects: hashEffects(plan, access) });
    isDone = true;
    const result = describeResult(runResult, { plan, access, links });
    if (panel.isClosed) {
      // Not awaited: the notification may stay open.
      void showResult(deps, request, result);
      return;
    }
    const { confirmation: _confirmation, ...unconfirmedView } = view;
    const { followUp, alternative: nextAlternative, ...content } = result;
    alternative = nextAlternative;
    const resultView = {
      ...unconfirmedView,
      ...content,
      ...(alternative === undefined ? {} : { alternative: alternative.label }),
      sections: [...result.sections, ...unchangedSections],
    };
    showWatchedResult(deps, request, panel, {
      description: { view: { ...resultView, title }, links },
      followUp,
    });
  } finally {
    watcher?.dispose();
    if (!isDone) {
      panel.close();
    }
  }
}

/**
 * Adds to a result what to do next: what to build, and what might be visible until then.
 * @param planned the plan that was applied; its links get those that start the builds
 */
export function describeResult(
  {
    heldDatamodels = [],
    mayShowMoreUntilBuild = false,
    namesVisibleData = false,
    builds = [],
    ...content
  }: OperationsResult,
  {
    plan,
    access,
    links,
  }: {
    readonly plan: Pick<Plan, 'builds'>;
    readonly access: PlannedAccess | 'unknown' | undefined;
    readonly links: PlanLink[];
  },
): Pick<OperationsResult, 'summary' | 'tone' | 'sections' | 'followUp' | 'alternative'> {
  const hasStopped = content.tone === 'error';
  const plannedTitles = new Set(plan.builds.map(({ title }) => title));
  const allBuilds = [...plan.builds, ...builds.filter(({ title }) => !plannedTitles.has(title))];
  const nextSteps = describeNextSteps(
    // After an error, it isn't known what to build.
    hasStopped ? [] : allBuilds.filter(({ title }) => !heldDatamodels.includes(title)),
    hasStopped && !mayShowMoreUntilBuild ? undefined : access,
    links,
  );
  // Who might see more comes before the lists of how far the run got.
  const sections = hasStopped ? [...nextSteps, ...content.sections] : [...content.sections, ...nextSteps];
  return nextSteps.some(({ tone }) => tone === 'warning')
    ? {
        ...content,
        sections,
        tone: hasStopped ? 'error' : 'warning',
        summary: namesVisibleData
          ? content.summary
          : `${content.summary} ${t('Until the next build, more data might be visible.')}`,
      }
    : { ...content, sections };
}

/** Shows a result until the user closes it, and when it's outdated. Doesn't wait. */
function showWatchedResult(
  { log }: PlanFeatureDeps,
  { outdatedHandling }: Pick<OperationsReviewRequest, 'outdatedHandling'>,
  panel: PlanPanel,
  { description, followUp }: { readonly description: PlanDescription } & Pick<OperationsResult, 'followUp'>,
): void {
  let isOutdated = false;
  const watcher = outdatedHandling?.watchResult(() => {
    if (!isOutdated) {
      isOutdated = true;
      panel.showOutdated(
        outdatedHandling.planAgain.label,
        t('This result is out of date: something has been written to the instance since the apply.'),
      );
    }
  });
  const getFollowUp = (): FollowUp | undefined => (isOutdated ? outdatedHandling?.planAgain : followUp);
  void showUntilClosed(panel, description, getFollowUp, log).finally(() => watcher?.dispose());
}

/** Shows a page with nothing to apply until the user closes it or selects the next step that it offers. */
export async function showUntilClosed(
  panel: PlanPanel,
  { view, links }: PlanDescription,
  getFollowUp: () => FollowUp | undefined,
  log: PlanFeatureDeps['log'],
): Promise<void> {
  const firstFollowUp = getFollowUp();
  const shown = {
    ...view,
    applyLabel: '',
    isResult: true,
    ...(firstFollowUp === undefined ? {} : { followUp: firstFollowUp.label }),
  };
  let { type } = await panel.review({ view: shown, links });
  while (type === 'followUp' && getFollowUp()?.loadsPage === true) {
    await panel
      .loadNext(async () => getFollowUp()?.run())
      .catch((error: unknown) => reportFailure(error, log));
    // If the user has canceled while the next page was being loaded, this page is still open.
    ({ type } = await panel.waitForAnswer());
  }
  panel.close();
  if (type === 'followUp') {
    await getFollowUp()
      ?.run()
      .catch((error: unknown) => reportFailure(error, log));
  }
}

/**
 * Asks the user for the options of the page that replaces a page, and shows it. If the user cancels, the page stays as
 * it is.
 */
export async function showAlternative(
  panel: PlanPanel,
  alternative: AlternativePage | undefined,
  log: PlanFeatureDeps['log'],
): Promise<void> {
  try {
    const show = await alternative?.prepare();
    // In the meantime, the page may have been closed, or its plan confirmed.
    if (show !== undefined && !panel.isClosed && !panel.isBusy) {
      try {
        await panel.loadNext(show);
      } finally {
        panel.close();
      }
    }
  } catch (error) {
    await reportFailure(error, log);
  }
}

/** Replaces the locations and subjects of items by links, which are added to those of the page. */
export const linkItems = (section: LocatedSection, links: PlanLink[]): PlanSection => ({
  ...section,
  items: section.items.map(({ location, subject, ...item }) => {
    const target = location ?? (subject?.resource === undefined ? undefined : subject);
    return target === undefined ? item : { ...item, link: links.push(target) - 1 };
  }),
});

/** Shows a result whose page the user has closed, and what can be reviewed next, in a notification. */
export async function showResult(
  { log }: Pick<PlanFeatureDeps, 'log'>,
  { title, operation }: Pick<OperationsReviewRequest, 'title' | 'operation'>,
  { tone, summary, sections, alternative }: OperationsResult,
): Promise<void> {
  log.info('writes', 'The page of a result was closed before', { cause: operation.cause, tone });
  const show = tone === 'error' ? showError : tone === 'warning' ? showWarning : showInformation;
  const labels = alternative === undefined ? [] : [alternative.label];
  // Nothing else shows what failed.
  const failures = sections.flatMap((section) =>
    section.tone === 'error'
      ? [
          t(
            '{0}: {1}',
            section.title,
            joinNames(
              section.items.map(({ text }) => text),
              t,
              maxNames,
            ),
          ),
        ]
      : [],
  );
  const text = [t('{0}: {1}', title, summary), ...failures].join(' ');
  if ((await show(text, ...labels)) === undefined) {
    return;
  }
  try {
    await (await alternative?.prepare())?.();
  } catch (error) {
    await reportFailure(error, log);
  }
}
