import type { Page } from 'playwright-core';

const waitMs = 20_000;
const attemptMs = 2_000;

/** Completes a file dialog, which is an input box in the browser: enters a path, or accepts the proposed one. */
export async function answerFileDialog(page: Page, path?: string): Promise<void> {
  const widget = page.locator('.quick-input-widget:visible');
  const input = widget.locator('.quick-input-box input');
  await input.waitFor({ timeout: waitMs });
  // The dialog fills in its start path some time after it is shown; text typed before that is mixed with it.
  await page.waitForFunction(isStartPathShown, undefined, { timeout: waitMs });
  const deadline = performance.now() + waitMs;
  for (;;) {
    if (path !== undefined) {
      await input.fill(path);
    }
    await input.press('Enter');
    try {
      await widget.waitFor({ state: 'hidden', timeout: attemptMs });
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
    }
  }
}

/** Runs in the page: returns whether the dialog has filled in its start path and lists the files there. */
function isStartPathShown(): boolean {
  const input = document.querySelector<HTMLInputElement>('.quick-input-widget .quick-input-box input');
  const rows = document.querySelectorAll('.quick-input-widget .quick-input-list .monaco-list-row');
  return (input?.value ?? '') !== '' && rows.length > 0;
}
