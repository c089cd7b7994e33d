import type { Locator } from 'playwright-core';
import type { Studio } from './studio.ts';

/** The box of a table in the diagram. */
export const getTableBox = (studio: Studio, name: string): Locator =>
  studio.getWebview().getByRole('group', { name: new RegExp(`^Table ${name},`) });

/** The row of a column in a table of the diagram. */
export const getColumnRow = (studio: Studio, tableName: string, columnName: string): Locator =>
  getTableBox(studio, tableName)
    .locator('.column')
    .filter({ has: studio.getWebview().getByText(columnName, { exact: true }) });

/** Waits until a table is selected. */
export const waitUntilSelected = (studio: Studio, name: string): Promise<void> =>
  getTableBox(studio, name).and(studio.getWebview().locator('.isSelected')).waitFor();
