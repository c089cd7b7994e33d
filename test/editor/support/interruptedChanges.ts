import type { Fault } from '../../../src/sandbox/faults.ts';
import type { JourneySandbox } from './journeySandbox.ts';
import type { Studio } from './studio.ts';
import type { TextMatcher } from './text.ts';

const waitMs = 20_000;
const attemptMs = 2_000;

/** What the instance refuses from now on; nothing where there is none. */
export const setRefusals = async (sandbox: JourneySandbox, ...faults: readonly Fault[]): Promise<void> => {
  await sandbox.request('PUT', '/sandbox/faults', { faults });
};

/** Waits until the newest row of the history with a title tells what became of it. */
export async function waitForHistoryOutcome(
  studio: Studio,
  title: TextMatcher,
  outcome: TextMatcher,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    // Anew: what is written down meanwhile moves the rows.
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

/** Ends what stopped half-way from the menu of its row, and waits until that is told. */
export async function resolveFromHistory(
  studio: Studio,
  title: TextMatcher,
  how: 'Finish' | 'Take Back',
): Promise<void> {
  await studio.contextMenu([title], `${how} Interrupted Change`);
  await studio.statusBar(how === 'Finish' ? /Finished: / : /Taken back: /);
}
