import type * as vscode from 'vscode';
import type { ToPlanPage } from '../../../src/webviews/protocol/planPage.ts';
import { expectSaveRefused, waitForSaved } from './documents.ts';
import type { HostedPage } from './pages.ts';
import type { HostStudio } from './studio.ts';
import { waitFor } from './waiting.ts';

type PlanMessage = Extract<ToPlanPage, { type: 'plan' }>;
type BusyMessage = Extract<ToPlanPage, { type: 'busy' }>;

/** Waits for the page that shows a plan before it is applied. */
export async function waitForPlan(
  studio: HostStudio,
  title = '',
): Promise<{ readonly page: HostedPage; readonly plan: PlanMessage }> {
  const page = await studio.findPage('datamodelStudio.plan', title);
  return { page, plan: await page.waitForMessage<PlanMessage>('plan') };
}

/** Applies the plan that is shown, and waits until its page is closed. */
export async function applyPlan(studio: HostStudio, title = ''): Promise<void> {
  const { page } = await waitForPlan(studio, title);
  page.post({ type: 'apply' });
  await waitForClosed(studio, page);
}

/** Confirms a plan, and returns what its page shows of the result. */
export async function confirmPlan(page: HostedPage): Promise<PlanMessage['view']> {
  page.post({ type: 'apply' });
  const { view } = await page.waitForMessage<PlanMessage>(
    'plan',
    (message) => message.view.isResult === true,
  );
  return view;
}

/** Waits until the plan of a page is being applied, and the user can cancel it. */
export async function waitForRun(page: HostedPage): Promise<void> {
  await page.waitForMessage<BusyMessage>('busy', ({ cancellation }) => cancellation === 'possible');
}

/** Waits until the page of a plan that is being applied shows how far it got, and the user can cancel it. */
export async function waitForProgress(page: HostedPage): Promise<void> {
  await page.waitForMessage<BusyMessage>(
    'busy',
    ({ progress, cancellation }) => progress !== undefined && cancellation === 'possible',
  );
}

/** Cancels a plan, and waits until its page is closed: the next plan may have the same title. */
export async function cancelPlan(studio: HostStudio, page: HostedPage): Promise<void> {
  page.post({ type: 'cancel' });
  await waitForClosed(studio, page);
}

/** Waits until a page is closed. */
export async function waitForClosed(studio: HostStudio, page: HostedPage): Promise<void> {
  await waitFor(
    () => !studio.pages.open.includes(page),
    () => `The plan ${page.title} stays open`,
  );
}

/**
 * Finishes an interrupted change, or rolls it back, from its row in the history: confirms what is shown, and closes the
 * result. Returns what the page shows before and after.
 */
export async function endInterruptedChange(
  studio: HostStudio,
  title: string | RegExp,
  ending: 'Finish' | 'Roll Back',
): Promise<{ readonly review: PlanMessage['view']; readonly result: PlanMessage['view'] }> {
  const ended = studio.chooseFromContextMenu([title], `${ending} Interrupted Change…`);
  const { review, result } = await confirmRecovery(studio, ending);
  await ended;
  return { review, result };
}

/** Confirms the review of an interrupted change that is finished or rolled back, and closes the result. */
export async function confirmRecovery(
  studio: HostStudio,
  ending: 'Finish' | 'Roll Back',
): Promise<{ readonly review: PlanMessage['view']; readonly result: PlanMessage['view'] }> {
  const { page, plan } = await waitForPlan(studio, `${ending}: `);
  const result = await confirmPlan(page);
  await cancelPlan(studio, page);
  return { review: plan.view, result };
}

/** Saves a document whose save needs a review, and applies the plan. */
export async function saveAfterReview(studio: HostStudio, document: vscode.TextDocument): Promise<void> {
  await expectSaveRefused(document);
  await applyPlan(studio, 'Review Changes: ');
  await waitForSaved(document);
}

/** Saves a document whose save needs a review, and applies the plan, which the server stops. */
export async function saveUntilStopped(studio: HostStudio, document: vscode.TextDocument): Promise<void> {
  await expectSaveRefused(document);
  const { page } = await waitForPlan(studio, 'Review Changes: ');
  page.post({ type: 'apply' });
}

/** Runs Undo Last Change from the palette, and applies the plan of the undo. */
export async function undoLastChange(studio: HostStudio, title = 'Undo: '): Promise<void> {
  studio.status.reset();
  await studio.runCommand('Datamodel Studio: Undo Last Change');
  await applyPlan(studio, title);
}

/** The texts of a section of the plan; none if the plan has no such section. */
export const getSectionTexts = ({ view }: PlanMessage, title: string): readonly string[] =>
  (view.sections.find((section) => section.title === title)?.items ?? []).map(({ text }) => text);
