import type { QuickPickItem } from 'vscode';
import { describe, expect, test } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { StableQuickPick } from '../../../../src/features/find/stableQuickPick.ts';

interface PickItem extends QuickPickItem {
  readonly key: string;
  readonly target?: { readonly id: string };
}

const createItem = (key: string, alwaysShow = true): PickItem => ({ key, label: key, alwaysShow });
const createItems = (...keys: readonly string[]): readonly PickItem[] => keys.map((key) => createItem(key));

/**
 * A quick pick that behaves like the editor's: a new list is rendered only when it is delivered, and then makes the
 * first item active; the active or accepted item is reported as an index.
 */
class EditorPick {
  value = '';
  setCount = 0;
  selectedItems: readonly PickItem[] = [];
  #items: readonly PickItem[] = [];
  #active: readonly PickItem[] = [];
  #renderedItems: readonly PickItem[] = [];
  #activeIndex = -1;
  #pending: (() => void)[] = [];
  #shownCallbacks: (() => void)[] = [];
  readonly #onDidChangeActive = new Emitter<readonly PickItem[]>();
  readonly onDidChangeActive = this.#onDidChangeActive.event;

  get items(): readonly PickItem[] {
    return this.#items;
  }

  set items(items: readonly PickItem[]) {
    this.setCount += 1;
    this.#items = [...items];
    this.#pending.push(() => {
      this.#renderedItems = items;
      this.#activeIndex = items.length > 0 ? 0 : -1;
    });
  }

  get activeItems(): readonly PickItem[] {
    return this.#active;
  }

  set activeItems(active: readonly PickItem[]) {
    this.#active = active;
    const activeIndex = active[0] === undefined ? -1 : this.#items.indexOf(active[0]);
    this.#pending.push(() => {
      this.#activeIndex = activeIndex < this.#renderedItems.length ? activeIndex : -1;
    });
  }

  whenShown(callback: () => void): void {
    this.#shownCallbacks.push(callback);
  }

  /** Renders what was set, and reports the active item. */
  deliver(): void {
    this.#pending.splice(0).forEach((apply) => apply());
    this.#fireActive();
    this.#shownCallbacks.splice(0).forEach((callback) => callback());
  }

  /** Filters the list on the screen, as the editor does for each letter, and reports the first visible item as active. */
  filter(firstIndex = 0): void {
    this.#activeIndex = firstIndex;
    this.#fireActive();
  }

  pressDown(): void {
    this.#activeIndex += 1;
    this.#fireActive();
  }

  pressEnter(): void {
    const item = this.#items[this.#activeIndex];
    this.selectedItems = item === undefined ? [] : [item];
  }

  get activeKey(): string | undefined {
    return this.#renderedItems[this.#activeIndex]?.key;
  }

  #fireActive(): void {
    const item = this.#items[this.#activeIndex];
    this.#active = item === undefined ? [] : [item];
    this.#onDidChangeActive.fire(this.#active);
  }
}

function createPick(...keys: readonly string[]) {
  const pick = new EditorPick();
  const list = new StableQuickPick<PickItem>(
    pick,
    ({ key }) => key,
    (callback) => pick.whenShown(callback),
  );
  list.setItems(createItems(...keys));
  pick.deliver();
  return { pick, list };
}

test('an equal list is not set again', () => {
  const { pick, list } = createPick('a', 'b');
  list.setItems(createItems('a', 'b'));
  list.setItems(createItems('a', 'b'), { selectFirst: true });
  expect(pick.setCount).toBe(1);
});

test('an item with a new label is set, and stays active', () => {
  const { pick, list } = createPick('a', 'b');
  pick.pressDown();
  list.setItems([createItem('a'), { ...createItem('b'), description: 'now with a description' }]);
  pick.deliver();
  expect([pick.setCount, pick.activeKey]).toEqual([2, 'b']);
});

test.each<readonly [string, Partial<PickItem>]>([
  ['detail', { detail: 'More' }],
  ['visibility', { alwaysShow: false }],
  ['button', { buttons: [{ iconPath: { id: 'list-tree' }, tooltip: 'Reveal' }] }],
  ['target', { target: { id: 'other' } }],
])('an item with another %s is set', (_member, change) => {
  const { pick, list } = createPick('a', 'b');
  const items = createItems('a', 'b').map((item) => ({ ...item, target: { id: item.key } }));
  list.setItems(items);
  list.setItems(items.map((item) => ({ ...item, target: { ...item.target } })));
  expect(pick.setCount).toBe(2);
  list.setItems(items.map((item) => ({ ...item, ...change })));
  expect(pick.setCount).toBe(3);
});

test('a user who moved down the list stays on the item when more items appear above it', () => {
  const { pick, list } = createPick('a', 'b', 'c');
  pick.pressDown();
  list.setItems(createItems('x', 'a', 'y', 'b', 'c'));
  pick.deliver();
  expect(pick.activeKey).toBe('b');
});

test('while the first item is active, the first item of the newest list becomes active', () => {
  const { pick, list } = createPick('a', 'b');
  list.setItems(createItems('x', 'a', 'b'));
  list.setItems(createItems('y', 'x', 'a', 'b'));
  pick.deliver();
  expect(pick.activeKey).toBe('y');
});

test('a new query makes the first item active, even for an equal list', () => {
  const { pick, list } = createPick('a', 'b');
  pick.pressDown();
  list.setItems(createItems('a', 'b'), { selectFirst: true });
  pick.deliver();
  expect(pick.activeKey).toBe('a');
});

test('a new query makes the first item active, although the editor has filtered the former list meanwhile', () => {
  const { pick, list } = createPick('a', 'b', 'c');
  list.setItems(createItems('b', 'a', 'c'), { selectFirst: true });
  pick.filter(2);
  pick.deliver();
  expect(pick.activeKey).toBe('b');
  // More results arrive.
  list.setItems(createItems('x', 'b', 'a', 'c'));
  pick.deliver();
  expect(pick.activeKey).toBe('x');
});

test('the rendered item is accepted, even if a newer list is not rendered yet', () => {
  const { pick, list } = createPick('a', 'b');
  list.setItems(createItems('x', 'a', 'b'));
  pick.pressEnter();
  expect(list.acceptedItem?.key).toBe('a');
  pick.deliver();
  pick.pressEnter();
  expect(list.acceptedItem?.key).toBe('x');
});

test('the item on the screen is accepted although the editor has filtered the former list meanwhile', () => {
  const { pick, list } = createPick('a', 'b');
  list.setItems(createItems('x', 'a', 'b'), { selectFirst: true });
  pick.filter();
  pick.pressEnter();
  expect(list.acceptedItem?.key).toBe('a');
});

test('if items replace a "more" item, the active index stays the same', () => {
  const { pick, list } = createPick('a', 'b', 'more');
  pick.pressDown();
  pick.pressDown();
  list.setItems(createItems('a', 'b', 'c', 'd', 'more'), { keepIndex: true });
  pick.deliver();
  expect(pick.activeKey).toBe('c');
});

test('an item that the filter may hide is not made active', () => {
  const { pick, list } = createPick('a', 'more');
  pick.value = 'a';
  pick.pressDown();
  list.setItems([createItem('a', false), createItem('c', false), createItem('more')], { keepIndex: true });
  pick.deliver();
  expect(pick.activeKey).toBe('more');
});

describe('a user who moves while a newer list is on its way', () => {
  test('stays on the item when results are appended', () => {
    const { pick, list } = createPick('a', 'b', 'c');
    list.setItems(createItems('a', 'b', 'c', 'd'));
    pick.pressDown();
    pick.deliver();
    expect(pick.activeKey).toBe('b');
    pick.deliver();
    expect(pick.activeKey).toBe('b');
    list.setItems(createItems('x', 'a', 'b', 'c', 'd'));
    pick.deliver();
    expect(pick.activeKey).toBe('b');
  });

  test('stays on the item when results are inserted above it', () => {
    const { pick, list } = createPick('a', 'b', 'c', 'd');
    pick.pressDown();
    list.setItems(createItems('x', 'y', 'a', 'b', 'c', 'd'));
    pick.pressDown();
    pick.deliver();
    pick.deliver();
    expect(pick.activeKey).toBe('c');
    pick.pressEnter();
    expect(list.acceptedItem?.key).toBe('c');
  });

  test('stays on the item over several newer lists', () => {
    const { pick, list } = createPick('a', 'b', 'c', 'd');
    list.setItems(createItems('a', 'b', 'c', 'd', 'e'));
    pick.pressDown();
    list.setItems(createItems('x', 'a', 'b', 'c', 'd', 'e'));
    pick.deliver();
    pick.deliver();
    expect(pick.activeKey).toBe('b');
    pick.pressDown();
    list.setItems(createItems('x', 'a', 'b', 'c', 'd', 'e', 'f'));
    pick.deliver();
    expect(pick.activeKey).toBe('c');
  });

  test('moves to the item that the editor makes active if the previous one is gone', () => {
    const { pick, list } = createPick('a', 'b');
    list.setItems(createItems('x', 'y'));
    pick.pressDown();
    pick.deliver();
    expect(pick.activeKey).toBe('x');
  });
});
