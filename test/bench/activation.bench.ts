import type { Page } from 'playwright-core';
import { launchChromium } from '../../src/launcher/browser.ts';
import { openSession } from '../editor/support/studioSession.ts';
import { compare } from './harness/bench.ts';

/**
 * Activation time of this extension compared with two built-in extensions in the same host, as measured by the editor
 * itself ("Running Extensions").
 */
const ourName = 'Datamodel Studio';
const peers = ['Git', 'JSON Language Features'];

const browser = await launchChromium();

/** Opens a window, and returns the activation times of extensions by name. */
async function readActivationTimes(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  await using session = await openSession(browser, 'activation-bench', {
    workspace: { 'settings.json': '{}' },
  });
  const { studio } = session;
  // The built-in Git extension is inactive in untrusted folders.
  await studio.trustWorkspace();
  await studio.page.getByText('settings.json').first().click();
  await studio.runCommand('Developer: Show Running Extensions');
  const times = new Map<string, number>();
  for (const name of names) {
    times.set(name, await readActivationTime(studio.page, name));
  }
  return times;
}

async function readActivationTime(page: Page, name: string): Promise<number> {
  const row = page
    .locator('.runtime-extensions-editor .extension')
    .filter({ has: page.locator('.name', { hasText: new RegExp(`^${name}$`) }) });
  const text = await row.locator('.activation-time').innerText({ timeout: 30_000 });
  const milliseconds = Number(/(\d+)\s*ms/.exec(text)?.[1]);
  if (Number.isNaN(milliseconds)) {
    throw new Error(`No activation time of ${name} in "${text}"`);
  }
  return milliseconds;
}

/** The times measured in the window of each pair; the side that is measured first opens it. */
const timesByPair = new Map<number, ReadonlyMap<string, number>>();
const readTime = async (pair: number, name: string): Promise<number> => {
  const times = timesByPair.get(pair) ?? (await readActivationTimes([ourName, ...peers]));
  timesByPair.set(pair, times);
  return Math.max(times.get(name) ?? Number.NaN, 1);
};
for (const peer of peers) {
  await compare(
    {
      name: peer === 'Git' ? 'git' : 'json',
      what: 'Activation',
      baseline: peer === 'Git' ? 'the Git extension of the editor' : 'the JSON extension of the editor',
      limit: 1,
      // The comparison with the other peer uses the times of the same windows.
      maxPairs: 10,
      warmups: 0,
    },
    { subject: (pair) => readTime(pair, ourName), base: (pair) => readTime(pair, peer) },
  );
}
await browser.close();
