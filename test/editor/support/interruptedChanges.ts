import type { Fault } from '../../../src/sandbox/faults.ts';
import type { JourneySandbox } from './journeySandbox.ts';
import type { Studio } from './studio.ts';
import type { TextMatcher } from './text.ts';

const waitMs = 20_000;
const attemptMs = 2_000;

/** Sets the requests that the instance refuses from now on; none to reset. */
export const setRefusals = async (sandbox: JourneySandbox, ...faults: readonly Fault[]): Promise<void> => {
  await sandbox.request('PUT', '/sandbox/faults', { faults });
};

/** Waits until the newest history row with the title shows the outcome. */
export async function waitForHistoryOutcome(
  studio: Studio,
  title: TextMatcher,
  outcome: TextMatcher,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    // Find the row again in each attempt: new entries move the rows.
    const row = await studio.treeItem([title]);
    try {
      await row.filter({ hasText: outcome }).waitFor({ timeout: attemptMs });
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
    }
  }
}

/** Finishes or rolls back an interrupted change from the context menu of its row, and waits for the message. */
export async function resolveFromHistory(
  studio: Studio,
  title: TextMatcher,
  how: 'Finish' | 'Roll Back',
): Promise<void> {
  await studio.contextMenu([title], `${how} Interrupted Change`);
  await studio.statusBar(how === 'Finish' ? /Finished: / : /Undone: /);
}
