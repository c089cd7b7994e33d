import { isDeepStrictEqual } from 'node:util';
import type { QuickPick, QuickPickItem } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/** The properties of a Quick Pick that `StableQuickPick` uses. */
type StableQuickPickInput<T extends QuickPickItem> = Pick<
  QuickPick<T>,
  'value' | 'items' | 'activeItems' | 'selectedItems' | 'onDidChangeActive'
>;

/** A list or an active item that was set, but whose active item the editor has not reported yet. */
interface PendingUpdate<T> {
  readonly items: readonly T[];
  /** The index that the editor will report as active. */
  readonly activeIndex: number;
  /** Whether the list has the results of another search. */
  readonly isNewSearch?: boolean;
}

/**
 * Keeps the active item of a Quick Pick while its list is updated. The editor makes the first item active whenever
 * items are set, so an equal list is not set again. The editor reports only the index of the active item. If the user
 * selects another item in the rendered list after a newer list was set, the same item is made active in the newer list.
 */
export class StableQuickPick<T extends QuickPickItem> implements Disposable {
  readonly #quickPick: StableQuickPickInput<T>;
  readonly #getKey: (item: T) => string;
  readonly #whenShown: (callback: () => void) => void;
  readonly #store = new DisposableStore();
  /** The items that the user sees: the newest that the editor has certainly shown. */
  #shownItems: readonly T[] = [];
  /** The number of times that items were set. */
  #setCount = 0;
  /** The value that {@link #setCount} had when the shown items were set. */
  #shownNumber = 0;
  /**
   * The items that the editor has certainly rendered, since it has reported an active item for them. Newer items may be
   * pending.
   */
  #renderedItems: readonly T[] = [];
  /** The updates that the editor has not reported yet, oldest first. */
  #pendingUpdates: readonly PendingUpdate<T>[] = [];
  /** The key of the item that the user has made active, or that will be active once the newest list is rendered. */
  #activeKey: string | undefined;

  /**
   * @param getKey identifies an item: the same in an updated list, and different from every other item
   * @param whenShown calls back when the editor has shown the items that were set, before it reports anything about
   *   them
   */
  constructor(
    quickPick: StableQuickPickInput<T>,
    getKey: (item: T) => string,
    whenShown: (callback: () => void) => void,
  ) {
    this.#quickPick = quickPick;
    this.#getKey = getKey;
    this.#whenShown = whenShown;
    this.#store.add(quickPick.onDidChangeActive(([item]) => this.#handleActiveItem(item)));
  }

  /**
   * Shows the items, and keeps the active one. Does nothing if the items are equal to the current ones in all members,
   * including the results behind them.
   * @param options.selectFirst makes the first item active; for the results of another search
   * @param options.keepIndex keeps the active index rather than the active item; for a list in which several items
   *   replace the active one
   */
  setItems(
    items: readonly T[],
    options: { readonly selectFirst?: boolean; readonly keepIndex?: boolean } = {},
  ): void {
    const previousItems = this.#quickPick.items;
    const activeIndex = this.#findActiveIndex(previousItems);
    if (isDeepStrictEqual(previousItems, items) && (activeIndex <= 0 || options.selectFirst !== true)) {
      return;
    }
    const candidates =
      options.selectFirst === true || activeIndex <= 0
        ? []
        : [
            ...(options.keepIndex === true ? [items[activeIndex]] : []),
            items.find((item) => this.#getKey(item) === this.#activeKey),
          ];
    const activeItem = [...candidates, items[0]].find((item) => item !== undefined && this.#isVisible(item));
    // Set `items` first: the editor looks up the active item among its current items.
    this.#quickPick.items = items;
    const { items: setItems } = this.#quickPick;
    this.#setCount += 1;
    const setNumber = this.#setCount;
    this.#whenShown(() => {
      if (setNumber > this.#shownNumber) {
        this.#shownNumber = setNumber;
        this.#shownItems = setItems;
      }
    });
    if (activeItem === undefined || activeItem === items[0]) {
      // The editor makes the first visible item active on its own, and reports it.
      this.#activeKey = items[0] && this.#getKey(items[0]);
      this.#addPendingUpdate(items.length === 0 ? -1 : 0, options.selectFirst);
    } else {
      this.#activate(activeItem);
    }
  }

  /**
   * The item that the user accepted. The user accepts an item of the list on the screen, but the editor reports only
   * its index. While a newer list is not shown yet, the index therefore refers to the older list on the screen.
   */
  get acceptedItem(): T | undefined {
    const selectedItem = this.#quickPick.selectedItems[0];
    const selectedIndex = selectedItem === undefined ? -1 : this.#quickPick.items.indexOf(selectedItem);
    return selectedIndex === -1 ? undefined : this.#shownItems[selectedIndex];
  }

  dispose(): void {
    this.#store.dispose();
  }

  /**
   * Handles a report of the editor about the active item. If the report answers an update of the list, that list counts
   * as rendered. Otherwise, the user has made the item active, in the list that was rendered last.
   */
  #handleActiveItem(item: T | undefined): void {
    const index = item === undefined ? -1 : this.#quickPick.items.indexOf(item);
    const renderedUpdate = this.#pendingUpdates.findLastIndex(({ activeIndex }) => activeIndex === index);
    if (renderedUpdate >= 0) {
      this.#renderedItems = this.#pendingUpdates[renderedUpdate]?.items ?? [];
      this.#pendingUpdates = this.#pendingUpdates.slice(renderedUpdate + 1);
    }
    const activeItem = this.#renderedItems[index];
    const { items } = this.#quickPick;
    if (activeItem === undefined || (renderedUpdate >= 0 && this.#pendingUpdates.length > 0)) {
      return;
    }
    const key = this.#getKey(activeItem);
    if (this.#renderedItems === items || this.#pendingUpdates.length === 0) {
      this.#pendingUpdates = [];
      this.#activeKey = key;
      return;
    }
    if (this.#pendingUpdates.some(({ isNewSearch }) => isNewSearch)) {
      // While the user types, the editor filters the rendered list, and makes the first of the rest active.
      return;
    }
    // The user has made another item active in the rendered list; keep it active in the list that is rendered next.
    const newIndex = items.findIndex((candidate) => this.#getKey(candidate) === key);
    const newItem = items[newIndex];
    const isPending = this.#pendingUpdates.at(-1)?.activeIndex === newIndex;
    if (newItem !== undefined && !isPending && this.#isVisible(newItem)) {
      this.#activate(newItem);
    }
  }

  #activate(item: T): void {
    this.#activeKey = this.#getKey(item);
    this.#addPendingUpdate(this.#quickPick.items.indexOf(item));
    this.#quickPick.activeItems = [item];
  }

  #addPendingUpdate(activeIndex: number, isNewSearch = false): void {
    // The editor keeps a copy of the list that was set.
    const { items } = this.#quickPick;
    this.#pendingUpdates = [...this.#pendingUpdates, { items, activeIndex, isNewSearch }];
  }

  #findActiveIndex(items: readonly T[]): number {
    return items.findIndex((item) => this.#getKey(item) === this.#activeKey);
  }

  /** Returns whether the item is certainly shown; an item that the editor filters out cannot be active. */
  #isVisible(item: T): boolean {
    return item.alwaysShow === true || this.#quickPick.value === '';
  }
}
