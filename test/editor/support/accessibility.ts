import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FrameLocator } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly impact?: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe-core finds wrong with the page of a webview, a line for each element; nothing when it is clean. */
export async function accessibilityProblems(webview: FrameLocator): Promise<readonly string[]> {
  const handle = await webview.locator('html').elementHandle();
  const frame = await handle?.ownerFrame();
  if (frame === null || frame === undefined) {
    throw new Error('The webview has no page');
  }
  // As an expression: the page's policy allows no script of a stranger's.
  await frame.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const violations = await frame.evaluate<readonly Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) =>
        `${id}: ${html.slice(0, 200)} ${failureSummary.replaceAll('\n', ' ')}`,
    ),
  );
}
