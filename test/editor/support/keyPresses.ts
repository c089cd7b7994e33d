import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { vi } from 'vitest';
import type { Studio } from './studio.ts';

const waitMs = 20_000;

/**
 * The keyboard of a user without a mouse; counts the key presses. `press` and `type` don't wait until a key can have an
 * effect: wait for the focus before, or use `find` or `pick`.
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

  /** Waits until a prompt has the focus, types a text that makes the entry the first one, and accepts it. */
  async find(label: string, text: string): Promise<void> {
    await this.waitForFocus('.quick-input-box input');
    await this.type(text);
    // Like a person, read the list before Enter: results that arrive meanwhile change it once more.
    await this.#page.waitForFunction(isListSettled, label, { timeout: waitMs, polling: 250 });
    await this.press('Enter');
  }

  /** Waits until a prompt has the focus, goes down to the first entry with the label, and accepts it. */
  async pick(label: string): Promise<void> {
    await this.waitForFocus('.quick-input-box input');
    await this.#rows.filter({ hasText: label }).first().waitFor({ timeout: waitMs });
    while (!(await this.#focusedRow.filter({ hasText: label }).isVisible())) {
      const index = await this.#focusedRow.getAttribute('data-index', { timeout: waitMs });
      await this.press('ArrowDown');
      await this.#rows
        .and(this.#page.locator(`.focused:not([data-index="${index}"])`))
        .waitFor({ timeout: waitMs });
    }
    await this.press('Enter');
  }

  get #rows(): Locator {
    return this.#page.locator('.quick-input-widget:visible .monaco-list-row');
  }

  get #focusedRow(): Locator {
    return this.#rows.and(this.#page.locator('.focused'));
  }

  /** Waits until the focus is on or in an element of the workbench. */
  async waitForFocus(selector: string): Promise<void> {
    try {
      await this.#page.waitForFunction(isFocusWithin, selector, { timeout: waitMs });
    } catch (error) {
      const focused = await this.#page.evaluate(describeFocus);
      throw new Error(`The focus is not in ${selector}, but on ${focused}`, { cause: error });
    }
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

/** Runs in the page: returns whether the label is in the focused row of a list that has not changed since the last call. */
const isListSettled = (label: string): boolean => {
  const widget = document.querySelector<HTMLElement>('.quick-input-widget');
  const rows = [...(widget?.querySelectorAll('.monaco-list-row') ?? [])];
  const text = rows.map((row) => row.textContent).join('\n');
  const isSettled = widget?.dataset['lastRows'] === text;
  widget?.setAttribute('data-last-rows', text);
  return (
    isSettled && rows.some((row) => row.classList.contains('focused') && row.textContent.includes(label))
  );
};

/** Runs in the page: returns the element with the focus, and the elements that contain it. */
const describeFocus = (): string => {
  const elements: string[] = [];
  for (let element = document.activeElement; element !== null; element = element.parentElement) {
    elements.push([element.localName, ...element.classList].join('.'));
  }
  return elements.join(' < ');
};
