import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Studio } from './studio.ts';

const waitMs = 20_000;
const retryAfterMs = 5_000;
const attempts = 60;

/** The active text editor, with the actions of a user who types in it. */
export class TextEditor {
  readonly #studio: Studio;
  readonly #page: Page;

  constructor(studio: Studio) {
    this.#studio = studio;
    this.#page = studio.page;
  }

  /** Opens a file of the workspace by its name. */
  async open(name: string): Promise<void> {
    await this.#typeIntoBox('Control+P', name);
    await this.#page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
    await this.#studio.waitForEditor(name);
  }

  /** Moves the caret; line and column are counted from 1. */
  async goTo(line: number, column: number): Promise<void> {
    await this.#typeIntoBox('Control+G', `:${line}:${column}`);
    // Enter does nothing until the box has processed its text.
    const offeredLine = this.#page.locator('.quick-input-list .monaco-list-row', {
      hasText: `line ${line} at`,
    });
    await offeredLine.first().waitFor();
    await this.#page.keyboard.press('Enter');
    await this.#studio.waitForStatusBarItem(`Ln ${line}, Col ${column}`);
  }

  /**
   * Types into the input box that a shortcut opens. Tries twice, because a list that closes at that moment may receive the
   * key instead, or close the box.
   */
  async #typeIntoBox(shortcut: string, text: string): Promise<void> {
    const input = this.#page.locator('.quick-input-widget:visible .quick-input-box input');
    await this.#page.keyboard.press(shortcut);
    await input.fill(text, { timeout: retryAfterMs }).catch(async () => {
      await this.#page.keyboard.press(shortcut);
      await input.fill(text);
    });
  }

  async type(text: string): Promise<void> {
    // A list that was just closed returns the focus to the editor a moment later.
    await this.#page.locator('.part.editor .monaco-editor.focused').first().waitFor({ timeout: waitMs });
    await this.#page.keyboard.type(text, { delay: 20 });
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.#page.keyboard.press(key);
    }
  }

  /** The visible proposals. */
  get proposals(): Locator {
    return this.#page.locator('.suggest-widget.visible .monaco-list-row');
  }

  /** Waits for a proposal, moves to it and accepts it. */
  async acceptProposal(label: string): Promise<void> {
    const proposal = this.proposals.filter({ has: this.#page.getByText(label, { exact: true }) }).first();
    // If fast typing has prevented the list from opening, open it with its shortcut, as a user would.
    await proposal.waitFor({ timeout: retryAfterMs }).catch(() => this.#page.keyboard.press('Control+Space'));
    await proposal.waitFor({ timeout: waitMs });
    const caret = await this.#readCaret();
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (!(await proposal.isVisible())) {
        // The list closed at the moment of the key press, which moved the caret instead.
        if ((await this.#readCaret()) !== caret) {
          await this.#page.keyboard.press('ArrowUp');
          await this.#studio.waitForStatusBarItem(caret);
        }
        await this.#page.keyboard.press('Control+Space');
        await proposal.waitFor({ timeout: waitMs });
      }
      if ((await proposal.getAttribute('class'))?.includes('focused') === true) {
        await this.#page.keyboard.press('Tab');
        await this.#page.locator('.suggest-widget.visible').waitFor({ state: 'hidden', timeout: waitMs });
        return;
      }
      await this.#page.keyboard.press('ArrowDown');
    }
    throw new Error(`${label} is among the proposals, but the keyboard does not get there`);
  }

  /** The position of the caret, as shown in the status bar. */
  async #readCaret(): Promise<string> {
    const item = await this.#studio.waitForStatusBarItem(/^Ln \d+, Col \d+/);
    return ((await item.textContent()) ?? '').trim();
  }

  /** The visible lines. */
  async getText(): Promise<string> {
    const lines = await this.#page
      .locator('.part.editor .editor-group-container.active .view-line')
      .evaluateAll((elements) =>
        elements
          .map((element) => ({
            top: Number.parseFloat((element as HTMLElement).style.top),
            text: (element.textContent ?? '').replaceAll('\u00a0', ' '),
          }))
          .sort((a, b) => a.top - b.top)
          .map(({ text }) => text),
      );
    return lines.join('\n');
  }

  /** Waits until the visible lines equal the expected text. */
  async waitForText(expected: string): Promise<void> {
    let visibleText = '';
    const deadline = performance.now() + waitMs;
    while (performance.now() < deadline) {
      visibleText = await this.getText();
      if (visibleText === expected) {
        return;
      }
      // Check again with the next rendered frame, not after a delay.
      await this.#page.evaluate(() => new Promise(requestAnimationFrame));
    }
    assert.equal(visibleText, expected);
  }

  /** Applies a quick fix at the caret. */
  async applyQuickFix(label: string): Promise<void> {
    const row = this.#page.locator('.action-widget .monaco-list-row', { hasText: label }).first();
    await this.#page.keyboard.press('Control+.');
    // Problems that arrive at that moment make the editor discard the list that it is about to show.
    await row.waitFor({ timeout: retryAfterMs }).catch(() => this.press('Escape', 'Control+.'));
    await row.click({ timeout: waitMs });
  }

  /** Renames the symbol at the caret. */
  async rename(newName: string): Promise<void> {
    await this.#page.keyboard.press('F2');
    const input = this.#page.locator('.rename-box .rename-input, .rename-box input');
    await input.first().waitFor({ timeout: waitMs });
    await input.first().fill(newName);
    await this.#page.keyboard.press('Enter');
    await input.first().waitFor({ state: 'hidden', timeout: waitMs });
  }
}
