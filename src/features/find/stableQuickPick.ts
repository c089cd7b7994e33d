import type { QuickPick, QuickPickItem } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/** A Quick Pick that is updated while it is open. */
type StableQuickPickInput<T extends QuickPickItem> = Pick<
  QuickPick<T>,
  'value' | 'items' | 'activeItems' | 'selectedItems' | 'onDidChangeActive'
>;

/**
 * Keeps a Quick Pick steady while the user navigates it: an equal list is not set again, since the editor makes the
 * first item active whenever items are set, and the user would lose their position.
 */
export class StableQuickPick<T extends QuickPickItem> implements Disposable {
  readonly #quickPick: StableQuickPickInput<T>;
  readonly #getKey: (item: T) => string;
  readonly #store = new DisposableStore();
  /** The items that the editor shows, which may be older than those that were set last. */
  #renderedItems: readonly T[] = [];

  /** @param getKey identifies an item: the same in an updated list, and different from every other item */
  constructor(pick: StableQuickPickInput<T>, getKey: (item: T) => string) {
    this.#quickPick = pick;
    this.#getKey = getKey;
    this.#store.add(
      pick.onDidChangeActive(() => {
        this.#renderedItems = pick.items;
      }),
    );
  }

  /**
   * Shows the items, and keeps the active one. With `top`, the best of the new items becomes active.
   * @param options.top the list has results for something else: its first item becomes active
   * @param options.inPlace keeps the index rather than the item: more items replaced a single one
   */
  setItems(items: readonly T[], options: { readonly top?: boolean; readonly inPlace?: boolean } = {}): void {
    const before = this.#quickPick.items;
    const key = this.#activeKey;
    const at = before.findIndex((item) => this.#getKey(item) === key);
    if (areEqual(before, items, this.#getKey) && (at <= 0 || options.top !== true)) {
      return;
    }
    const kept =
      options.top === true || at <= 0
        ? []
        : [
            ...(options.inPlace === true ? [items[at]] : []),
            items.find((item) => this.#getKey(item) === key),
          ];
    const active = [...kept, items[0]].find((item) => item !== undefined && this.#isVisible(item));
    // Items before the active one, and never that one alone: the editor looks it up among the items that it has.
    this.#quickPick.items = items;
    if (active !== undefined) {
      this.#quickPick.activeItems = [active];
    }
  }

  /**
   * The item that the user accepted. A user who presses Enter means what is on the screen, and the editor identifies an
   * item by its index alone: while a newer list is being shown, the index is looked up in the list that was visible.
   */
  get accepted(): T | undefined {
    const selected = this.#quickPick.selectedItems[0];
    const at = selected === undefined ? -1 : this.#quickPick.items.indexOf(selected);
    return at === -1 ? undefined : (this.#renderedItems[at] ?? selected);
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #activeKey(): string | undefined {
    const [active] = this.#quickPick.activeItems;
    return active === undefined ? undefined : this.#getKey(active);
  }

  /** False where the editor may have hidden the item, which can then not be active. */
  #isVisible(item: T): boolean {
    return item.alwaysShow === true || this.#quickPick.value === '';
  }
}

/** Returns whether all items look the same and have the same keys. */
const areEqual = <T extends QuickPickItem>(
  left: readonly T[],
  right: readonly T[],
  getKey: (item: T) => string,
): boolean =>
  left.length === right.length &&
  left.every((item, index) => {
    const other = right[index];
    return (
      other !== undefined &&
      getKey(item) === getKey(other) &&
      item.label === other.label &&
      item.description === other.description
    );
  });
