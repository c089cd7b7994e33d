import type { Locator, Page } from 'playwright-core';
import { toExactPattern } from './text.ts';

const waitMs = 5_000;
const closedMs = 1_000;

/** Goes through the menu that is open: submenus are hovered, the last label is clicked. */
export async function chooseFromMenu(page: Page, labels: readonly string[]): Promise<void> {
  for (const [depth, label] of labels.entries()) {
    const item = menuItem(page, label);
    await item.waitFor({ timeout: waitMs });
    await (depth < labels.length - 1 ? item.hover() : clickUntilClosed(item));
  }
}

/** The labels of the menu that is open. */
export async function getMenuLabels(page: Page): Promise<readonly string[]> {
  const items = page.locator('.monaco-menu .action-menu-item .action-label:not(.separator)');
  await items.first().waitFor({ timeout: waitMs });
  return items.allInnerTexts();
}

function menuItem(page: Page, label: string): Locator {
  return page
    .locator('.monaco-menu .action-menu-item')
    .filter({ has: page.locator('.action-label', { hasText: toExactPattern(label) }) })
    .last();
}

/** A menu drops clicks that come in the moment it opens, as a guard against the click that opened it. */
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
