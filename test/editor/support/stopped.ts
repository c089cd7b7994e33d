import type { Locator } from 'playwright-core';
import type { Fault } from '../../../src/sandbox/faults.ts';
import type { TestSandbox } from './sandbox.ts';
import type { Studio } from './studio.ts';
import type { Text } from './text.ts';

/** What the instance refuses from now on; nothing where there is none. */
export const refuse = async (sandbox: TestSandbox, ...faults: readonly Fault[]): Promise<void> => {
  await sandbox.request('PUT', '/sandbox/faults', { faults });
};

/** The newest row of the history with a title, once it tells what became of it. */
export async function historyRow(studio: Studio, title: Text, outcome: Text): Promise<Locator> {
  const row = rows(studio, title).first();
  await row.filter({ hasText: outcome }).waitFor();
  return row;
}

/** Ends what stopped half-way from the menu of its row, and waits until that is told. */
export async function endFromHistory(
  studio: Studio,
  title: Text,
  how: 'Finish' | 'Take Back',
): Promise<void> {
  await studio.contextMenu([title], `${how} Interrupted Change`);
  await studio.statusBar(how === 'Finish' ? /Finished: / : /Taken back: /);
}

const rows = ({ page }: Studio, title: Text): Locator =>
  page
    .locator('.part.sidebar .monaco-list-row')
    .filter({ has: page.locator('.label-name', { hasText: title }) });
