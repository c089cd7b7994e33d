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
 * A quick pick as the editor has it: lines travel to the page by their place, what is set takes effect there when it
 * arrives, lines that are set make the first one active, and an active or accepted line comes back as a place.
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

  /** What was set arrives, and the page tells who is active. */
  arrive(): void {
    this.#pending.splice(0).forEach((apply) => apply());
    this.#tellActive();
  }

  down(): void {
    this.#at += 1;
    this.#tellActive();
  }

  enter(): void {
    const item = this.#items[this.#at];
    this.selectedItems = item === undefined ? [] : [item];
  }

  get active(): string | undefined {
    return this.#page[this.#at]?.key;
  }

  #tellActive(): void {
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
  list.setItems(lines('a', 'b'), { top: true });
  expect(pick.sets).toBe(1);
});

test('a line that reads otherwise is set, and stays active', () => {
  const { pick, list } = steady('a', 'b');
  pick.down();
  list.setItems([line('a'), { ...line('b'), description: 'now with words' }]);
  pick.arrive();
  expect([pick.sets, pick.active]).toEqual([2, 'b']);
});

test('who went down the list stays on the line while more comes above it', () => {
  const { pick, list } = steady('a', 'b', 'c');
  pick.down();
  list.setItems(lines('x', 'a', 'y', 'b', 'c'));
  pick.arrive();
  expect(pick.active).toBe('b');
});

test('at the top, the best of the new lines is the active one, however fast lists follow', () => {
  const { pick, list } = steady('a', 'b');
  list.setItems(lines('x', 'a', 'b'));
  list.setItems(lines('y', 'x', 'a', 'b'));
  pick.arrive();
  expect(pick.active).toBe('y');
});

test('another text goes to the top, also of an equal list', () => {
  const { pick, list } = steady('a', 'b');
  pick.down();
  list.setItems(lines('a', 'b'), { top: true });
  pick.arrive();
  expect(pick.active).toBe('a');
});

test('what was seen is what is accepted, though another list is on its way', () => {
  const { pick, list } = steady('a', 'b');
  list.setItems(lines('x', 'a', 'b'));
  pick.enter();
  expect(list.accepted?.key).toBe('a');
  pick.arrive();
  pick.enter();
  expect(list.accepted?.key).toBe('x');
});

test('lines that come where one stood for them leave the place', () => {
  const { pick, list } = steady('a', 'b', 'more');
  pick.down();
  pick.down();
  list.setItems(lines('a', 'b', 'c', 'd', 'more'), { inPlace: true });
  pick.arrive();
  expect(pick.active).toBe('c');
});

test('a line that what is typed may hide is not made active', () => {
  const { pick, list } = steady('a', 'more');
  pick.value = 'a';
  pick.down();
  list.setItems([line('a', false), line('c', false), line('more')], { inPlace: true });
  pick.arrive();
  expect(pick.active).toBe('more');
});
