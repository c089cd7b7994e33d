import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import type {
  MatrixPageMessage,
  MatrixCellChange,
  MatrixHostMessage,
} from '../../../src/webviews/protocol/ruleMatrix.ts';
import { TestPage, type PageOptions } from './testPage.ts';
import { parties, retailData } from './retailRules.ts';

/** The page of the rule matrix, with the actions of a user in its grid. */
export class TestMatrix {
  readonly testPage: TestPage<MatrixHostMessage, MatrixPageMessage>;

  private constructor(testPage: TestPage<MatrixHostMessage, MatrixPageMessage>) {
    this.testPage = testPage;
  }

  /** Opens the page, and posts messages to it: by default, the rules of Retail. */
  static async open(
    messages: readonly MatrixHostMessage[] = [retailData, { type: 'parties', parties }],
    options: PageOptions = {},
  ): Promise<TestMatrix> {
    const matrix = new TestMatrix(
      await TestPage.open<MatrixHostMessage, MatrixPageMessage>('ruleMatrix', options),
    );
    for (const message of messages) {
      matrix.testPage.post(message);
    }
    await matrix.page.getByRole('heading', { name: 'Rules of' }).waitFor();
    return matrix;
  }

  get page(): TestPage<MatrixHostMessage, MatrixPageMessage>['page'] {
    return this.testPage.page;
  }

  get editor(): Locator {
    return this.page.getByLabel('Cell values');
  }

  getButton(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Returns the cell in the row and the column with these headings. */
  async getCell(party: string, column: string): Promise<Locator> {
    const header = this.page.getByRole('columnheader', { name: column });
    const index = await header.getAttribute('aria-colindex');
    return this.page
      .getByRole('row')
      .filter({
        has: this.page.getByRole('rowheader', { name: new RegExp(`^(?:group |user )?${party}$`, 'i') }),
      })
      .locator(`[role="gridcell"][aria-colindex="${index}"]`);
  }

  /** Waits until the cell has this text, which includes texts for screen readers such as `(changed)`. */
  async waitForCellText(party: string, column: string, text: string | RegExp): Promise<void> {
    await (await this.getCell(party, column)).filter({ hasText: text }).waitFor();
  }

  /** Selects a cell, or all cells from one to another. Cells are given by the headings of their row and column. */
  async select(start: readonly [string, string], end?: readonly [string, string]): Promise<void> {
    await (await this.getCell(...start)).click();
    if (end !== undefined) {
      await (await this.getCell(...end)).click({ modifiers: ['Shift'] });
    }
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  /** Replaces the text of a cell, and presses a key to accept it. */
  async editCell(party: string, column: string, text: string, key = 'Enter'): Promise<void> {
    await this.select([party, column]);
    await this.press('F2');
    await this.editor.fill(text);
    await this.editor.press(key);
  }

  /** Waits until the message below the grid contains the text. */
  async waitForAnnouncement(text: string): Promise<void> {
    await this.page.locator('.announcement', { hasText: text }).waitFor();
  }

  /** Waits until a cell has the focus. */
  async waitForFocus(party: string, column: string): Promise<void> {
    await (await this.getCell(party, column)).and(this.page.locator(':focus')).waitFor();
  }

  /** Waits until the page has posted a draft of exactly these changes, in the format of `describeCells`. */
  async waitForDraft(...lines: readonly string[]): Promise<void> {
    const { draft } = await this.testPage.waitForMessage(
      'draft',
      (message) => describeCells(message.draft.cells).join('\n') === lines.join('\n'),
    );
    expect(describeCells(draft.cells)).toEqual(lines);
  }

  /** Applies the changes, and returns them as the page posts them, in the format of `describeCells`. */
  async apply(): Promise<readonly string[]> {
    await this.page.getByRole('button', { name: /^Apply .*Changes?…$/ }).click();
    return describeCells((await this.testPage.waitForMessage('apply')).cells);
  }

  /** Puts a text in the clipboard, and pastes it. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await this.press('Control+v');
  }

  readClipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }
}

/** Formats changes as sorted lines with party, column and value: `group:north Regions.Region: only North`. */
const describeCells = (cells: readonly MatrixCellChange[]): readonly string[] =>
  cells
    .map(({ party, column, value }) => {
      const valueSets = value.map(({ kind, values }) => `${kind} ${values.join('; ')}`.trim());
      const partyText = party.id === undefined ? party.type : `${party.type}:${party.id}`;
      return `${partyText} ${column.table}.${column.column}: ${valueSets.length === 0 ? 'no rule' : valueSets.join(' | ')}`;
    })
    .toSorted();
