import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { applyViewpointEdit } from '../../../src/viewpoints/form/applyViewpointEdit.ts';
import { rebaseViewpointEdit } from '../../../src/viewpoints/form/rebaseEdit.ts';
import type { ViewpointEdit } from '../../../src/viewpoints/form/viewpointEdit.ts';
import type { ViewpointQuestion } from '../../../src/webviews/protocol/formQuestions.ts';
import { type FormOptions, TestForm } from './testForm.ts';

export type ViewpointForm = TestForm<ViewpointEdit, ViewpointQuestion>;

/** Opens the form of a viewpoint. */
export const openViewpointForm = (text: string, options: FormOptions = {}): Promise<ViewpointForm> =>
  TestForm.open(
    'viewpointForm',
    { emptyValue: {}, apply: applyViewpointEdit, rebase: rebaseViewpointEdit },
    text,
    options,
  );

/** The text of a viewpoint with these columns. */
export const createViewpointText = (...columns: readonly unknown[]): string =>
  JSON.stringify({ name: 'Sales', details: { datasource: { title: 'Retail' }, columns } }, undefined, 2);

/** A column of Orders. */
export const createColumn = (column: string, overrides: object = {}): object => ({
  table: 'Orders',
  column,
  dim: `[Orders.${column}]`,
  datatype: 'text',
  title: column,
  ...overrides,
});

/** The columns in the text of the document. */
export const readColumns = ({ text }: ViewpointForm): readonly Readonly<Record<string, unknown>>[] =>
  JSON.parse(text.replaceAll(/\/\/.*$/gm, '')).details.columns;

/** Waits until the columns of the document are these, in this order. */
export const waitForColumns = (form: ViewpointForm, ...names: readonly string[]): Promise<void> =>
  expect.poll(() => readColumns(form).map(({ column }) => column)).toEqual(names);

/** The row of a column. */
export const getRow = ({ page }: ViewpointForm, name: string | RegExp): Locator =>
  page.getByRole('row', { name });
/** A tab above the columns. */
export const getTab = ({ page }: ViewpointForm, name: RegExp): Locator => page.getByRole('tab', { name });
/** A drop-down list among the properties of the selected columns. */
export const getDropdown = ({ page }: ViewpointForm, name: string): Locator =>
  page.getByRole('combobox', { name, exact: true });

/** Waits until exactly the columns with these titles are selected. */
export const waitForSelection = (form: ViewpointForm, ...titles: readonly string[]): Promise<void> =>
  expect
    .poll(() => form.page.locator('[role=row][aria-selected=true] .cell-title .text').allTextContents())
    .toEqual(titles);
