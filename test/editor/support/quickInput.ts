import type { Locator, Page } from 'playwright-core';
import type { TextMatcher } from './textPatterns.ts';
import { toExactPattern, toTitlePattern } from './textPatterns.ts';

const waitMs = 20_000;
const attemptMs = 6_000;
/** After this time, a value that is still in the box was refused. */
const refusedMs = 3_000;
/** The error of a click that timed out contains this text if the click had already started. */
const clickStartedText = 'performing click action';

/** The quick input at the top of the window: command palette, quick picks, input boxes. */
export class QuickInput {
  readonly #page: Page;
  readonly #widget: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#widget = page.locator('.quick-input-widget:visible');
  }

  /**
   * Runs a command from the palette by its title, with or without its category. If something else opens at that moment
   * and steals the focus, the palette closes and is opened again.
   */
  async runCommand(title: string): Promise<void> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      await this.#page.keyboard.press('F1');
      try {
        await this.#getInput().fill(`>${title}`, { timeout: attemptMs });
        await this.#getRow(toTitlePattern(title)).click({ timeout: attemptMs });
        return;
      } catch (error) {
        if (String(error).includes(clickStartedText) && !(await this.#widget.isVisible())) {
          // The window was busy until the click timed out, but the command runs. A second run could do harm.
          return;
        }
        if (performance.now() > deadline) {
          throw error;
        }
      }
    }
  }

  /** Opens the palette by its key and types once it is shown. */
  async typeCommand(text: string): Promise<void> {
    await this.#page.keyboard.press('F1');
    await this.#page.waitForFunction(isPaletteReady, undefined, { timeout: waitMs });
    await this.#page.keyboard.type(text);
  }

  async pick(label: TextMatcher): Promise<void> {
    await this.#filterFor(label);
    await this.#getRow(toExactPattern(label)).click({ timeout: waitMs });
  }

  /** Checks several entries and confirms. */
  async pickMany(labels: readonly TextMatcher[]): Promise<void> {
    for (const label of labels) {
      await this.#filterFor(label);
      await this.#getRow(toExactPattern(label)).getByRole('checkbox').check({ timeout: waitMs });
    }
    // Enter would toggle the checkbox that has the focus.
    await this.#widget
      .locator('.monaco-button', { hasText: toExactPattern('OK') })
      .click({ timeout: waitMs });
  }

  /** The labels of the visible entries. */
  async getLabels(): Promise<readonly string[]> {
    const names = this.#widget.locator('.quick-input-list .monaco-list-row .label-name');
    await names.first().waitFor({ timeout: waitMs });
    return names.allInnerTexts();
  }

  /** Waits for a row that contains the text anywhere: in its label, description or detail. */
  async waitForRow(text: TextMatcher): Promise<Locator> {
    const row = this.#widget.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
    await row.waitFor({ timeout: waitMs });
    return row;
  }

  /** Types into an input box (not the filter of a list) and confirms. */
  async submitText(text: string): Promise<void> {
    const box = this.#widget.filter({ hasNot: this.#page.locator('.quick-input-list:visible') });
    const input = box.locator('.quick-input-box input');
    await input.waitFor({ timeout: waitMs });
    const title = await this.#widget.locator('.quick-input-title').textContent();
    await input.fill(text);
    await this.#page.keyboard.press('Enter');
    // The next prompt appears in the same box a moment later, and text typed before that is lost. A refused value
    // stays.
    await this.#page
      .waitForFunction(isTextProcessed, { text, title }, { timeout: refusedMs })
      .catch(() => undefined);
  }

  /** Waits for a prompt by its title: all boxes look alike. */
  async waitForTitle(text: TextMatcher): Promise<void> {
    await this.#widget.locator('.quick-input-title', { hasText: text }).waitFor({ timeout: waitMs });
  }

  /** Waits for the message below an input box: its prompt, or its validation error. */
  async waitForMessage(text: TextMatcher): Promise<Locator> {
    const message = this.#widget.locator('.quick-input-message', { hasText: text });
    await message.waitFor({ timeout: waitMs });
    return message;
  }

  async cancel(): Promise<void> {
    await this.#page.keyboard.press('Escape');
    await this.#widget.waitFor({ state: 'hidden', timeout: waitMs });
  }

  #getInput(): Locator {
    return this.#widget.locator('.quick-input-box input');
  }

  /** Filters the list if it does not show an entry: long lists render only the visible rows. */
  async #filterFor(label: TextMatcher): Promise<void> {
    await this.#widget.locator('.quick-input-list .monaco-list-row').first().waitFor({ timeout: waitMs });
    if (typeof label === 'string' && (await this.#getRow(toExactPattern(label)).count()) === 0) {
      await this.#getInput().fill(label);
    }
  }

  #getRow(label: RegExp): Locator {
    return this.#widget
      .locator('.quick-input-list .monaco-list-row')
      .filter({ has: this.#page.locator('.label-name', { hasText: label }) })
      .first();
  }
}

/** Runs in the page: returns whether the palette is open and accepts typing. */
function isPaletteReady(): boolean {
  const input = document.querySelector<HTMLInputElement>('.quick-input-widget .quick-input-box input');
  return input?.value === '>' && document.activeElement === input;
}

/** Runs in the page: returns whether the box has closed, shows another prompt, or shows a validation error. */
function isTextProcessed(prompt: { readonly text: string; readonly title: string | null }): boolean {
  const widget = document.querySelector<HTMLElement>('.quick-input-widget');
  const box = widget?.querySelector('.quick-input-box');
  return (
    widget === null ||
    widget.style.display === 'none' ||
    widget.querySelector('.quick-input-title')?.textContent !== prompt.title ||
    box?.querySelector('input')?.value !== prompt.text ||
    box?.querySelector('.monaco-inputbox.error') !== null
  );
}
