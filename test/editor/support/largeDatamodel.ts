import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Studio } from './studio.ts';

/** The largest page that the setting allows. */
export const maxPageSize = 250;
/** The number of viewpoints in the large seed. */
export const viewpointCount = 5000;

const getRow = (studio: Studio, text: RegExp): Locator =>
  studio.page.locator('.part.sidebar .monaco-list-row', { hasText: text }).first();

/** A pattern for a number as the row shows it, with any thousands separator. */
const toGroupedNumber = (value: number): string => String(value).replace(/(\d)(?=(\d{3})+$)/g, '$1\\D?');

/** Expands a visible row of the Connections view. */
export async function expandRow(studio: Studio, text: RegExp): Promise<void> {
  await getRow(studio, text).locator('.monaco-tl-twistie').click();
}

/** Waits until a row is visible. */
export async function waitForRow(studio: Studio, text: RegExp): Promise<void> {
  await getRow(studio, text).waitFor();
}

/** Expands Viewpoints and loads pages until the given number is shown. */
export async function loadViewpointPages(studio: Studio, upTo: number): Promise<void> {
  await expandRow(studio, /^Viewpoints/);
  for (let shown = maxPageSize; shown < upTo; shown += maxPageSize) {
    const loadMoreRow = await studio.findTreeItem(['Sandbox', 'Viewpoints', 'Load more']);
    assert.match(
      (await loadMoreRow.innerText()).replace(/[,.\s]/g, ''),
      new RegExp(`${shown}of${viewpointCount}shown`),
    );
    await loadMoreRow.locator('.monaco-icon-label-container').first().click();
    // If there are more pages, the row gets another text; otherwise, it disappears.
    await getRow(studio, new RegExp(`${toGroupedNumber(shown)}.of`)).waitFor({ state: 'hidden' });
  }
}
