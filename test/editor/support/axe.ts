import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Frame, FrameLocator } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the problems that axe-core finds in a page, one line per element; empty if there are none. */
export async function findAxeViolations(page: Frame | FrameLocator): Promise<readonly string[]> {
  const handle = await page.locator('html').elementHandle();
  const frame = await handle?.ownerFrame();
  if (frame === null || frame === undefined) {
    throw new Error('The webview has no page');
  }
  // Inject the script as text through the debugger: the page's policy blocks all other scripts.
  await frame.evaluate(source);
  const results = (await frame.evaluate(
    "axe.run(document, { resultTypes: ['violations'] })",
  )) as axe.AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) =>
        `${id}: ${html.slice(0, 200)} ${failureSummary.replaceAll('\n', ' ')}`,
    ),
  );
}
