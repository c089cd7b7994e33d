import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Frame } from 'playwright-core';
import type { Studio } from './studio.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with the page of the webview that is on the screen, one line each. */
export async function axeViolations(studio: Studio): Promise<readonly string[]> {
  const frame = await webviewFrame(studio);
  // As text, through the debugger: the page's policy lets no other script in.
  await frame.evaluate(source);
  const results = (await frame.evaluate('axe.run()')) as axe.AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html}: ${failureSummary.replaceAll('\n', ' ')}`),
  );
}

/** The page inside of the two frames that the editor puts around it. */
export async function webviewFrame(studio: Studio): Promise<Frame> {
  const element = await studio.page.locator('iframe.webview.ready:visible').elementHandle();
  const outer = await element?.contentFrame();
  const inner = outer?.childFrames()[0];
  if (inner === undefined) {
    throw new Error('No webview is on the screen');
  }
  return inner;
}
