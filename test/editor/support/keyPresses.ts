import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import type { Studio } from './studio.ts';

const waitMs = 20_000;

/**
 * The keyboard of a user without a mouse; counts the key presses. `press` and `type` don't wait until a key can have an
 * effect: wait for the focus before, or use `pick`.
 */
export class KeyPresses {
  readonly #studio: Studio;
  #count = 0;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  get count(): number {
    return this.#count;
  }

  /** Presses keys one after another; keys that are held together, such as `Control+s`, are one press. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.#page.keyboard.press(key);
      this.#count += 1;
    }
  }

  /** Types a text; each character is a press. */
  async type(text: string): Promise<void> {
    await this.press(...text.split(''));
  }

  /** Presses a keybinding of the extension: the prefix that all of its keybindings share, and a second key. */
  async pressCommandChord(key: string): Promise<void> {
    await this.press('Control+Alt+j', key);
  }

  /** Waits until a prompt has the focus, types the filter, goes down to the first entry with the label, and accepts it. */
  async pick(label: string, filter = ''): Promise<void> {
    const rows = this.#page.locator('.quick-input-widget:visible .monaco-list-row');
    const focusedRow = rows.and(this.#page.locator('.focused'));
    await this.waitForFocus('.quick-input-box input');
    await this.type(filter);
    // The list is filtered after the text was typed: until then, matches of a shorter text are highlighted.
    await this.#page.waitForFunction(isHighlighted, { label, filter }, { timeout: waitMs });
    while (!(await focusedRow.filter({ hasText: label }).isVisible())) {
      const index = await focusedRow.getAttribute('data-index', { timeout: waitMs });
      await this.press('ArrowDown');
      await rows
        .and(this.#page.locator(`.focused:not([data-index="${index}"])`))
        .waitFor({ timeout: waitMs });
    }
    await this.press('Enter');
  }

  /** Waits until the focus is on or in an element of the workbench. */
  async waitForFocus(selector: string): Promise<void> {
    await this.#page.waitForFunction(isFocusWithin, selector, { timeout: waitMs });
  }

  /** Waits until the focus is on an element of the visible page of the extension. */
  async waitForFocusInPage(selector: string): Promise<void> {
    await this.#studio.getWebview().locator(`${selector}:focus`).first().waitFor({ timeout: waitMs });
    // The page may have a focused element while the editor, or a frame around the page, has the focus.
    await this.waitForFocus('iframe.webview');
    const body = this.#studio.getWebview().locator('body');
    await vi.waitFor(async () => assert.ok(await body.evaluate(() => document.hasFocus())), waitMs);
  }

  get #page(): Page {
    return this.#studio.page;
  }
}

/** Runs in the page: returns whether the focus is on a matching element or in it. */
const isFocusWithin = (selector: string): boolean => Boolean(document.activeElement?.closest(selector));

/** Runs in the page: returns whether a row of the quick pick with the label has the filter highlighted. */
const isHighlighted = ({ label, filter }: { readonly label: string; readonly filter: string }): boolean =>
  [...document.querySelectorAll('.quick-input-widget .monaco-list-row')].some((row) => {
    const highlighted = [...row.querySelectorAll('.highlight')]
      .map(({ textContent }) => textContent)
      .join('');
    const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '').toLowerCase();
    return row.textContent.includes(label) && withoutSpaces(highlighted) === withoutSpaces(filter);
  });
