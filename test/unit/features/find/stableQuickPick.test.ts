import type { QuickPickItem } from 'vscode';
import { expect, test } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { StableQuickPick } from '../../../../src/features/find/stableQuickPick.ts';

interface Line extends QuickPickItem {
  readonly key: string;
}

const line = (key: string, alwaysShow = true): Line => ({ key, label: key, alwaysShow });
const lines = (...keys: readonly string[]): readonly Line[] => keys.map((key) => line(key));

/**
 * A quick pick that behaves like the editor's: items reach the page by index, a new list takes effect there when it
 * arrives and makes the first item active, and the active or accepted item is returned as an index.
 */
class EditorPick {
  value = '';
  sets = 0;
  selectedItems: readonly Line[] = [];
  #items: readonly Line[] = [];
  #active: readonly Line[] = [];
  #page: readonly Line[] = [];
  #at = -1;
  #pending: (() => void)[] = [];
  readonly #onDidChangeActive = new Emitter<readonly Line[]>();
  readonly onDidChangeActive = this.#onDidChangeActive.event;

  get items(): readonly Line[] {
    return this.#items;
  }

  set items(items: readonly Line[]) {
    this.sets += 1;
    this.#items = items;
    this.#pending.push(() => {
      this.#page = items;
      this.#at = items.length > 0 ? 0 : -1;
    });
  }

  get activeItems(): readonly Line[] {
    return this.#active;
  }

  set activeItems(active: readonly Line[]) {
    this.#active = active;
    const at = active[0] === undefined ? -1 : this.#items.indexOf(active[0]);
    this.#pending.push(() => {
      this.#at = at < this.#page.length ? at : -1;
    });
  }

  /** Delivers what was set, and reports the active item. */
  arrive(): void {
    this.#pending.splice(0).forEach((apply) => apply());
    this.#fireActive();
  }

  down(): void {
    this.#at += 1;
    this.#fireActive();
  }

  enter(): void {
    const item = this.#items[this.#at];
    this.selectedItems = item === undefined ? [] : [item];
  }

  get active(): string | undefined {
    return this.#page[this.#at]?.key;
  }

  #fireActive(): void {
    const item = this.#items[this.#at];
    this.#active = item === undefined ? [] : [item];
    this.#onDidChangeActive.fire(this.#active);
  }
}

function steady(...keys: readonly string[]) {
  const pick = new EditorPick();
  const list = new StableQuickPick<Line>(pick, ({ key }) => key);
  list.setItems(lines(...keys));
  pick.arrive();
  return { pick, list };
}

test('an equal list is not set again', () => {
  const { pick, list } = steady('a', 'b');
  list.setItems(lines('a', 'b'));
  list.setItems(lines('a', 'b'), { selectFirst: true });
  expect(pick.sets).toBe(1);
});

test('an item with a new label is set, and stays active', () => {
  const { pick, list } = steady('a', 'b');
  pick.down();
  list.setItems([line('a'), { ...line('b'), description: 'now with words' }]);
  pick.arrive();
  expect([pick.sets, pick.active]).toEqual([2, 'b']);
});

test('a user who moved down the list stays on the item when more items appear above it', () => {
  const { pick, list } = steady('a', 'b', 'c');
  pick.down();
  list.setItems(lines('x', 'a', 'y', 'b', 'c'));
  pick.arrive();
  expect(pick.active).toBe('b');
});

test('at the top, the best new item is active, however fast lists follow each other', () => {
  const { pick, list } = steady('a', 'b');
  list.setItems(lines('x', 'a', 'b'));
  list.setItems(lines('y', 'x', 'a', 'b'));
  pick.arrive();
  expect(pick.active).toBe('y');
});

test('a new query goes to the top, even for an equal list', () => {
  const { pick, list } = steady('a', 'b');
  pick.down();
  list.setItems(lines('a', 'b'), { selectFirst: true });
  pick.arrive();
  expect(pick.active).toBe('a');
});

test('the displayed item is accepted, even if another list is on its way', () => {
  const { pick, list } = steady('a', 'b');
  list.setItems(lines('x', 'a', 'b'));
  pick.enter();
  expect(list.acceptedItem?.key).toBe('a');
  pick.arrive();
  pick.enter();
  expect(list.acceptedItem?.key).toBe('x');
});

test('items that replace a placeholder leave the position unchanged', () => {
  const { pick, list } = steady('a', 'b', 'more');
  pick.down();
  pick.down();
  list.setItems(lines('a', 'b', 'c', 'd', 'more'), { keepIndex: true });
  pick.arrive();
  expect(pick.active).toBe('c');
});

test('an item that the filter may hide is not made active', () => {
  const { pick, list } = steady('a', 'more');
  pick.value = 'a';
  pick.down();
  list.setItems([line('a', false), line('c', false), line('more')], { keepIndex: true });
  pick.arrive();
  expect(pick.active).toBe('more');
});
