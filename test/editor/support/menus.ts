import type { Locator, Page } from 'playwright-core';
import { toExactPattern } from './textPatterns.ts';

const waitMs = 5_000;
const closedMs = 1_000;

/** Walks through the open menu: hovers over submenus and clicks the last label. */
export async function chooseFromMenu(page: Page, labels: readonly string[]): Promise<void> {
  for (const [depth, label] of labels.entries()) {
    const item = getMenuItem(page, label);
    await item.waitFor({ timeout: waitMs });
    await (depth < labels.length - 1 ? item.hover() : clickUntilClosed(item));
  }
}

/** Returns the labels of the open menu. */
export async function getMenuLabels(page: Page): Promise<readonly string[]> {
  const items = page.locator('.monaco-menu .action-menu-item .action-label:not(.separator)');
  await items.first().waitFor({ timeout: waitMs });
  return items.allInnerTexts();
}

function getMenuItem(page: Page, label: string): Locator {
  return page
    .locator('.monaco-menu .action-menu-item')
    .filter({ has: page.locator('.action-label', { hasText: toExactPattern(label) }) })
    .last();
}

/**
 * Clicks until the menu closes: a menu ignores clicks right after it opens, to guard against the click that opened it.
 */
async function clickUntilClosed(item: Locator): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    await item.click({ timeout: waitMs });
    try {
      await item.waitFor({ state: 'hidden', timeout: closedMs });
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
    }
  }
}
