import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import type { FromMatrix, MatrixCellChange, ToMatrix } from '../../../src/webviews/protocol/ruleMatrix.ts';
import { TestPage, type PageOptions } from './openPage.ts';
import { parties, retail } from './retailRules.ts';

/** The page of the rule matrix, with what a person does in its grid. */
export class TestMatrix {
  readonly opened: TestPage<ToMatrix, FromMatrix>;

  private constructor(opened: TestPage<ToMatrix, FromMatrix>) {
    this.opened = opened;
  }

  /** Opens the page; `messages` are those of its host, the rules of Retail if absent. */
  static async open(
    messages: readonly ToMatrix[] = [retail, { type: 'parties', parties }],
    options: PageOptions = {},
  ): Promise<TestMatrix> {
    const matrix = new TestMatrix(await TestPage.open<ToMatrix, FromMatrix>('ruleMatrix', options));
    for (const message of messages) {
      matrix.opened.post(message);
    }
    await matrix.page.getByRole('heading', { name: 'Rules of' }).waitFor();
    return matrix;
  }

  get page(): TestPage<ToMatrix, FromMatrix>['page'] {
    return this.opened.page;
  }

  get editor(): Locator {
    return this.page.getByLabel('Values of the cell');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The cell in the row and the column with these headings. */
  async cell(party: string, column: string): Promise<Locator> {
    const head = this.page.getByRole('columnheader', { name: column });
    const index = await head.getAttribute('aria-colindex');
    return this.page
      .getByRole('row')
      .filter({
        has: this.page.getByRole('rowheader', { name: new RegExp(`^(?:group |user )?${party}$`, 'i') }),
      })
      .locator(`[role="gridcell"][aria-colindex="${index}"]`);
  }

  /** Waits until the cell has this text, without the marks for screen readers. */
  async shows(party: string, column: string, text: string | RegExp): Promise<void> {
    await (await this.cell(party, column)).filter({ hasText: text }).waitFor();
  }

  /** Selects the cells from one to another. */
  async select(from: readonly [string, string], to?: readonly [string, string]): Promise<void> {
    await (await this.cell(...from)).click();
    if (to !== undefined) {
      await (await this.cell(...to)).click({ modifiers: ['Shift'] });
    }
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  /** Types over a cell and presses a key, Enter if it is absent. */
  async type(party: string, column: string, text: string, key = 'Enter'): Promise<void> {
    await this.select([party, column]);
    await this.press('F2');
    await this.editor.fill(text);
    await this.editor.press(key);
  }

  /** Waits for a sentence below the grid. */
  async says(text: string): Promise<void> {
    await this.page.locator('.said', { hasText: text }).waitFor();
  }

  /** Waits until the focus is on a cell, and returns the headings of its row and column. */
  async focused(party: string, column: string): Promise<void> {
    await (await this.cell(party, column)).and(this.page.locator(':focus')).waitFor();
  }

  /** Waits until the page has asked the host to keep exactly these changes: party, column and value of each. */
  async keeps(...lines: readonly string[]): Promise<void> {
    const { draft } = await this.opened.receives(
      'draft',
      (message) => describeCells(message.draft.cells).join('\n') === lines.join('\n'),
    );
    expect(describeCells(draft.cells)).toEqual(lines);
  }

  /** Applies, and returns the changes that the page posts. */
  async apply(): Promise<readonly string[]> {
    await this.page.getByRole('button', { name: /^Apply .*Changes?…$/ }).click();
    return describeCells((await this.opened.receives('apply')).cells);
  }

  /** Puts a text in the clipboard, and pastes it. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await this.press('Control+v');
  }

  clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }
}

/** One line for each change, sorted: `group:north Regions.Region: only North`. */
const describeCells = (cells: readonly MatrixCellChange[]): readonly string[] =>
  cells
    .map(({ party, column, value }) => {
      const sets = value.map(({ kind, values }) => `${kind} ${values.join('; ')}`.trim());
      const who = party.id === undefined ? party.type : `${party.type}:${party.id}`;
      return `${who} ${column.table}.${column.column}: ${sets.length === 0 ? 'no rule' : sets.join(' | ')}`;
    })
    .toSorted();
