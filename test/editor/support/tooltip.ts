import type { Locator, Page } from 'playwright-core';
import type { TextMatcher } from './textPatterns.ts';

const attemptMs = 5_000;
const attempts = 4;

/**
 * Hovers over an element until its tooltip contains the text. A tooltip closes when its element is redrawn: then the
 * pointer moves away and back, as a person would do.
 */
export async function waitForTooltip(
  page: Page,
  getElement: () => Promise<Locator> | Locator,
  text: TextMatcher,
): Promise<Locator> {
  const tooltip = page.locator('.monaco-hover:visible', { hasText: text }).first();
  for (let attempt = 1; ; attempt += 1) {
    try {
      await (await getElement()).hover({ timeout: attemptMs });
      await tooltip.waitFor({ timeout: attemptMs });
      return tooltip;
    } catch (error) {
      if (attempt === attempts) {
        throw error;
      }
      await page.mouse.move(0, 0);
    }
  }
}
