import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Studio } from './studio.ts';

/** The largest page that the setting allows. */
export const pageSize = 250;
/** How many viewpoints the large seed has. */
export const viewpoints = 5000;

const row = (studio: Studio, text: RegExp): Locator =>
  studio.page.locator('.part.sidebar .monaco-list-row', { hasText: text }).first();

/** A number as the row shows it, whatever stands between its thousands. */
const grouped = (value: number): string => String(value).replace(/(\d)(?=(\d{3})+$)/g, '$1\\D?');

/** Opens a row of the explorer that is on the screen. */
export async function openRow(studio: Studio, text: RegExp): Promise<void> {
  await row(studio, text).locator('.monaco-tl-twistie').click();
}

/** Waits until a row is on the screen. */
export async function rowIsThere(studio: Studio, text: RegExp): Promise<void> {
  await row(studio, text).waitFor();
}

/** Opens Viewpoints and loads page after page until so many are shown. */
export async function pageViewpoints(studio: Studio, upTo: number): Promise<void> {
  await openRow(studio, /^Viewpoints/);
  for (let shown = pageSize; shown < upTo; shown += pageSize) {
    const more = await studio.treeItem(['Sandbox', 'Viewpoints', 'Load more']);
    assert.match((await more.innerText()).replace(/[,.\s]/g, ''), new RegExp(`${shown}of${viewpoints}shown`));
    await more.locator('.monaco-icon-label-container').first().click();
    // The row stays or goes: either way it no longer tells what it told.
    await row(studio, new RegExp(`${grouped(shown)}.of`)).waitFor({ state: 'hidden' });
  }
}
