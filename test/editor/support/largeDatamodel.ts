import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Studio } from './studio.ts';

/** The largest page that the setting allows. */
export const maxPageSize = 250;
/** How many viewpoints the large seed has. */
export const viewpointCount = 5000;

const row = (studio: Studio, text: RegExp): Locator =>
  studio.page.locator('.part.sidebar .monaco-list-row', { hasText: text }).first();

/** A number as the row shows it, whatever stands between its thousands. */
const toGroupedNumber = (value: number): string => String(value).replace(/(\d)(?=(\d{3})+$)/g, '$1\\D?');

/** Opens a row of the explorer that is on the screen. */
export async function expandRow(studio: Studio, text: RegExp): Promise<void> {
  await row(studio, text).locator('.monaco-tl-twistie').click();
}

/** Waits until a row is on the screen. */
export async function waitForRow(studio: Studio, text: RegExp): Promise<void> {
  await row(studio, text).waitFor();
}

/** Opens Viewpoints and loads page after page until so many are shown. */
export async function loadViewpointPages(studio: Studio, upTo: number): Promise<void> {
  await expandRow(studio, /^Viewpoints/);
  for (let shown = maxPageSize; shown < upTo; shown += maxPageSize) {
    const more = await studio.treeItem(['Sandbox', 'Viewpoints', 'Load more']);
    assert.match(
      (await more.innerText()).replace(/[,.\s]/g, ''),
      new RegExp(`${shown}of${viewpointCount}shown`),
    );
    await more.locator('.monaco-icon-label-container').first().click();
    // The row stays or goes: either way it no longer tells what it told.
    await row(studio, new RegExp(`${toGroupedNumber(shown)}.of`)).waitFor({ state: 'hidden' });
  }
}
