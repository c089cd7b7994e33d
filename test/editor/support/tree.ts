import type { Locator, Page } from 'playwright-core';
import type { TextMatcher } from './textPatterns.ts';
import { toExactPattern } from './textPatterns.ts';

/** One row by its label, or a row below others: `['Retail', 'Tables', 'Orders']`. */
export type TreeRowPath = TextMatcher | readonly TextMatcher[];

const waitMs = 20_000;
const attemptMs = 2_000;

/** A regular expression in serializable form, to pass into the page. */
interface Pattern {
  readonly source: string;
  readonly flags: string;
}

interface Row {
  readonly id: string;
  readonly index: number;
}

/** A tree of VS Code, with the actions of a user. VS Code renders only the visible rows, so finding a row may scroll. */
export class WorkbenchTree {
  readonly #page: Page;
  readonly #root: string;

  /** @param root the selector of the container; with several trees, the first that has the row is used */
  constructor(page: Page, root: string) {
    this.#page = page;
    this.#root = root;
  }

  /** Returns the row, scrolled into view. Expands the ancestors in the path on the way. */
  async findItem(path: TreeRowPath): Promise<Locator> {
    const labels = isPath(path) ? path : [path];
    for (const depth of labels.keys()) {
      if (depth > 0) {
        await this.expand(labels.slice(0, depth));
      }
    }
    const row = await this.#find(labels);
    return this.#page.locator(`[id="${row.id}"]`);
  }

  /** Waits until a row is no longer visible while the row above it still is. */
  async waitForItemGone(path: readonly TextMatcher[]): Promise<void> {
    await this.findItem(path.slice(0, -1));
    const label = toExactPattern(path.at(-1) ?? '');
    const row = this.#page
      .locator(`${this.#root} .monaco-list-row`)
      .filter({ has: this.#page.locator('.label-name', { hasText: label }) });
    await row.first().waitFor({ state: 'detached', timeout: waitMs });
  }

  /** Expands a row and waits until its children are loaded. */
  async expand(path: TreeRowPath): Promise<void> {
    await this.#setExpanded(path, 'true');
  }

  async collapse(path: TreeRowPath): Promise<void> {
    await this.#setExpanded(path, 'false');
  }

  /** Clicks a row, which runs its command or selects it. */
  async click(path: TreeRowPath, button: 'left' | 'right' = 'left'): Promise<void> {
    await this.#actOnRow(path, async (row) => {
      await row.locator('.monaco-icon-label-container').first().click({ button, timeout: attemptMs });
      if (button === 'right') {
        // If the tree changed under the pointer, the menu belongs to another row; the row of the menu has the focus.
        const { id } = await this.#find(isPath(path) ? path : [path]);
        await this.#page.locator(`[id="${id}"].focused`).waitFor({ timeout: attemptMs });
      }
    });
  }

  /** Clicks one of the icons that a row shows while the pointer is over it. */
  async clickInlineAction(path: TreeRowPath, title: string): Promise<void> {
    await this.#actOnRow(path, async (row) => {
      await row.hover({ timeout: attemptMs });
      await row
        .locator(`.actions .action-label[aria-label^=${JSON.stringify(title)}]`)
        .click({ timeout: attemptMs });
    });
  }

  /** Returns the labels of the visible rows, for messages and rough checks. */
  async getVisibleLabels(): Promise<readonly string[]> {
    return this.#page
      .locator(`${this.#root} .monaco-list-rows > .monaco-list-row .label-name`)
      .allInnerTexts();
  }

  async #setExpanded(path: TreeRowPath, expanded: 'true' | 'false'): Promise<void> {
    await this.#actOnRow(path, async (row) => {
      if ((await row.getAttribute('aria-expanded', { timeout: attemptMs })) !== expanded) {
        await row.locator('.monaco-tl-twistie').click({ timeout: attemptMs });
      }
      // Wait here, before the action ends: when the tree refreshes, the element of the row may be reused for another row.
      const loaded = row
        .and(this.#page.locator(`[aria-expanded="${expanded}"]`))
        .filter({ hasNot: this.#page.locator('.codicon-tree-item-loading') });
      await loaded.waitFor({ timeout: attemptMs });
    });
  }

  /** Repeats an action on a row that may have moved since it was found: trees refresh under the pointer. */
  async #actOnRow(path: TreeRowPath, action: (row: Locator) => Promise<void>): Promise<void> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const row = await this.findItem(path);
      try {
        await action(row);
        return;
      } catch (error) {
        if (performance.now() > deadline) {
          throw error;
        }
        await this.#closeMenu();
      }
    }
  }

  /**
   * On a slow machine, a right-click that timed out may still open its menu later, which blocks all clicks below it.
   */
  async #closeMenu(): Promise<void> {
    if (await this.#page.locator('.context-view-block').isVisible()) {
      await this.#page.keyboard.press('Escape');
    }
  }

  async #find(labels: readonly TextMatcher[]): Promise<Row> {
    const patterns = labels.map((label): Pattern => {
      const { source, flags } = toExactPattern(label);
      return { source, flags };
    });
    try {
      const handle = await this.#page.waitForFunction(
        findRow,
        { root: this.#root, patterns },
        { timeout: waitMs, polling: 50 },
      );
      const row = await handle.jsonValue();
      if (row === undefined) {
        throw new Error('No row');
      }
      return row;
    } catch (cause) {
      const seen = await this.getVisibleLabels();
      throw new Error(`No row ${labels.join(' › ')} in the tree; on the screen: ${seen.join(', ')}`, {
        cause,
      });
    }
  }
}

function isPath(path: TreeRowPath): path is readonly TextMatcher[] {
  return Array.isArray(path);
}

/**
 * Runs in the page, repeatedly: returns the row once it is fully visible, else scrolls a step towards it. A path
 * matches rows whose ancestors match; the ancestors seen so far are stored on the list element, since scrolling removes
 * them from the DOM.
 */
function findRow(query: { readonly root: string; readonly patterns: readonly Pattern[] }): Row | undefined {
  type Seen = Map<number, { readonly label: string; readonly level: number }>;
  const expressions = query.patterns.map(({ source, flags }) => new RegExp(source, flags));
  const key = query.patterns.map(({ source }) => source).join('\n');

  const findInList = (list: HTMLElement & { studioSeen?: { key: string; seen: Seen } }): Row | undefined => {
    if (list.studioSeen?.key !== key) {
      list.studioSeen = { key, seen: new Map() };
    }
    const { seen } = list.studioSeen;
    const box = list.getBoundingClientRect();
    if (box.height === 0) {
      return undefined;
    }
    const rows = [...list.querySelectorAll<HTMLElement>('.monaco-list-rows > .monaco-list-row')]
      .map((element) => ({
        element,
        index: Number(element.dataset['index']),
        level: Number(element.getAttribute('aria-level')),
        label: [...element.querySelectorAll('.label-name, .label-suffix')]
          .map((part) => part.textContent ?? '')
          .join('')
          .replaceAll('\u00a0', ' '),
      }))
      .toSorted((a, b) => a.index - b.index);
    for (const { index, level, label } of rows) {
      seen.set(index, { level, label });
    }
    const scroll = (pixels: number): void => {
      const target = list.querySelector('.monaco-scrollable-element') ?? list;
      const event = new WheelEvent('wheel', { deltaY: pixels, bubbles: true, cancelable: true });
      // VS Code reads the legacy field, which is 0 on a synthetic event: 120 units scroll by 50 pixels.
      Object.defineProperty(event, 'wheelDeltaY', { value: (-pixels / 50) * 120 });
      target.dispatchEvent(event);
    };
    const matches = (index: number): boolean => {
      let row = seen.get(index);
      let ancestorIndex = index;
      for (let depth = expressions.length - 1; depth >= 0; depth -= 1) {
        if (row === undefined || expressions[depth]?.test(row.label) !== true) {
          return false;
        }
        if (depth > 0) {
          const { level } = row;
          do {
            ancestorIndex -= 1;
            row = seen.get(ancestorIndex);
          } while (row !== undefined && row.level >= level);
        }
      }
      return true;
    };
    const found = rows.find(({ index }) => matches(index));
    if (found !== undefined) {
      const { top, bottom } = found.element.getBoundingClientRect();
      if (top < box.top - 1) {
        scroll(top - box.top);
        return undefined;
      }
      if (bottom > box.bottom + 1 && bottom - top < box.height) {
        scroll(bottom - box.bottom);
        return undefined;
      }
      return { id: found.element.id, index: found.index };
    }
    const last = rows.at(-1);
    if (last === undefined) {
      return undefined;
    }
    const isAtEnd =
      last.element.dataset['lastElement'] === 'true' &&
      last.element.getBoundingClientRect().bottom <= box.bottom + 1;
    if (!isAtEnd) {
      scroll(box.height / 2);
      return undefined;
    }
    // The row is not in the part that was searched: start over from the top.
    seen.clear();
    scroll(-1_000_000);
    return undefined;
  };

  const lists = [...document.querySelectorAll<HTMLElement>(`${query.root} .monaco-list[role="tree"]`)];
  for (const list of lists) {
    const row = findInList(list);
    if (row !== undefined) {
      return row;
    }
  }
  return undefined;
}
