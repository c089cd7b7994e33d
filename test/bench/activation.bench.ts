import type { Page } from 'playwright-core';
import { launchChromium } from '../../src/launcher/browser.ts';
import { openSession } from '../editor/support/studioSession.ts';
import { getMedian, printFigure, roundTo } from './report.ts';

/**
 * Activation time of this extension compared with two built-in extensions in the same host, as measured by the editor
 * itself ("Running Extensions").
 */
const runs = 3;
const ourName = 'Datamodel Studio';
const peers = ['Git', 'JSON Language Features'];

const times = new Map<string, number[]>([ourName, ...peers].map((name) => [name, []]));
const browser = await launchChromium();
for (let run = 0; run < runs; run += 1) {
  await using session = await openSession(browser, 'activation-bench', {
    workspace: { 'settings.json': '{}' },
  });
  const { studio } = session;
  // The built-in Git extension is inactive in untrusted folders.
  await studio.trustWorkspace();
  await studio.page.getByText('settings.json').first().click();
  await studio.runCommand('Developer: Show Running Extensions');
  for (const [name, values] of times) {
    values.push(await readActivationTime(studio.page, name));
  }
}
await browser.close();

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

const ourTime = getMedian(times.get(ourName) ?? []);
for (const peer of peers) {
  const peerTime = getMedian(times.get(peer) ?? []);
  printFigure({
    bench: 'activation',
    baseline: peer,
    ratio: roundTo(ourTime / Math.max(peerTime, 1)),
    ms: ourTime,
    baselineMs: peerTime,
    runs,
  });
}
