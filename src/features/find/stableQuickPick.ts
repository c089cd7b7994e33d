import type { QuickPick, QuickPickItem } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/** The properties of a Quick Pick that `StableQuickPick` uses. */
type StableQuickPickInput<T extends QuickPickItem> = Pick<
  QuickPick<T>,
  'value' | 'items' | 'activeItems' | 'selectedItems' | 'onDidChangeActive'
>;

/**
 * Keeps the active item of a Quick Pick while its list is updated. The editor makes the first item active whenever
 * items are set, so an equal list is not set again.
 */
export class StableQuickPick<T extends QuickPickItem> implements Disposable {
  readonly #quickPick: StableQuickPickInput<T>;
  readonly #getKey: (item: T) => string;
  readonly #store = new DisposableStore();
  /** The items that the editor has rendered, which may be older than the items set last. */
  #renderedItems: readonly T[] = [];

  /** @param getKey identifies an item: the same in an updated list, and different from every other item */
  constructor(quickPick: StableQuickPickInput<T>, getKey: (item: T) => string) {
    this.#quickPick = quickPick;
    this.#getKey = getKey;
    this.#store.add(
      quickPick.onDidChangeActive(() => {
        this.#renderedItems = quickPick.items;
      }),
    );
  }

  /**
   * Shows the items, and keeps the active one.
   * @param options.selectFirst makes the first item active, since the list has results for another search
   * @param options.keepIndex keeps the active index rather than the active item, since several items replaced a single
   * one
   */
  setItems(
    items: readonly T[],
    options: { readonly selectFirst?: boolean; readonly keepIndex?: boolean } = {},
  ): void {
    const previousItems = this.#quickPick.items;
    const activeKey = this.#activeKey;
    const activeIndex = previousItems.findIndex((item) => this.#getKey(item) === activeKey);
    if (areEqual(previousItems, items, this.#getKey) && (activeIndex <= 0 || options.selectFirst !== true)) {
      return;
    }
    const candidates =
      options.selectFirst === true || activeIndex <= 0
        ? []
        : [
            ...(options.keepIndex === true ? [items[activeIndex]] : []),
            items.find((item) => this.#getKey(item) === activeKey),
          ];
    const activeItem = [...candidates, items[0]].find((item) => item !== undefined && this.#isVisible(item));
    // Set `items` first: the editor looks up the active item among its current items.
    this.#quickPick.items = items;
    if (activeItem !== undefined) {
      this.#quickPick.activeItems = [activeItem];
    }
  }

  /**
   * The item that the user accepted. Pressing Enter refers to the rendered list, and the editor reports an item by its
   * index alone: while a newer list is being rendered, the index is looked up in the rendered one.
   */
  get acceptedItem(): T | undefined {
    const selectedItem = this.#quickPick.selectedItems[0];
    const selectedIndex = selectedItem === undefined ? -1 : this.#quickPick.items.indexOf(selectedItem);
    return selectedIndex === -1 ? undefined : (this.#renderedItems[selectedIndex] ?? selectedItem);
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #activeKey(): string | undefined {
    const [activeItem] = this.#quickPick.activeItems;
    return activeItem === undefined ? undefined : this.#getKey(activeItem);
  }

  /** Returns whether the item is certainly shown; an item that the editor filters out cannot be active. */
  #isVisible(item: T): boolean {
    return item.alwaysShow === true || this.#quickPick.value === '';
  }
}

/** Returns whether two lists have the same keys, labels and descriptions. */
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
