import type { QuickPick, QuickPickItem } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/** A list in the palette that comes anew while it is open. */
type StableQuickPickInput<T extends QuickPickItem> = Pick<
  QuickPick<T>,
  'value' | 'items' | 'activeItems' | 'selectedItems' | 'onDidChangeActive'
>;

/**
 * Keeps a list steady under whoever walks it: an equal list is not set again, since the editor makes its first line
 * the active one whenever lines are set, and whoever went down stays where they are.
 */
export class StableQuickPick<T extends QuickPickItem> implements Disposable {
  readonly #quickPick: StableQuickPickInput<T>;
  readonly #getKey: (item: T) => string;
  readonly #store = new DisposableStore();
  /** The lines that the editor has on the screen, which is behind what was set last. */
  #renderedItems: readonly T[] = [];

  /** @param getKey what a line stands for: the same in a list that comes anew, and no other line's */
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
   * Shows the lines, and keeps the active one. At the top, the best of the new lines is the active one.
   * @param options.top the list answers something else: its first line is the active one
   * @param options.inPlace the place is kept rather than the line: more lines came where one stood for them
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
    // Lines before the active one, and never that one alone: the editor looks it up among the lines that it has.
    this.#quickPick.items = items;
    if (active !== undefined) {
      this.#quickPick.activeItems = [active];
    }
  }

  /**
   * The line that a person accepted. Who presses Enter means what is on the screen, and the editor tells a line by
   * its place alone: where a newer list is on its way, the place is looked up in the one that was seen.
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

  /** False where the editor may have hidden the line, which can then not be active. */
  #isVisible(item: T): boolean {
    return item.alwaysShow === true || this.#quickPick.value === '';
  }
}

/** True where every line looks the same and stands for the same. */
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
