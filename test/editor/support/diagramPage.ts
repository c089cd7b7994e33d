import type { Locator } from 'playwright-core';
import type { Studio } from './studio.ts';

/** A table of the picture, by its name. */
export const getTableBox = (studio: Studio, name: string): Locator =>
  studio.webview().getByRole('group', { name: new RegExp(`^Table ${name},`) });

/** A row of a table of the picture. */
export const getColumnRow = (studio: Studio, of: string, name: string): Locator =>
  getTableBox(studio, of)
    .locator('.column')
    .filter({ has: studio.webview().getByText(name, { exact: true }) });

/** Waits until a table is the chosen one. */
export const waitUntilSelected = (studio: Studio, name: string): Promise<void> =>
  getTableBox(studio, name).and(studio.webview().locator('.isChosen')).waitFor();
