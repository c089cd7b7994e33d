import type { QuickPick, QuickPickItem } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/** A list in the palette that comes anew while it is open. */
type ListPick<T extends QuickPickItem> = Pick<
  QuickPick<T>,
  'value' | 'items' | 'activeItems' | 'selectedItems' | 'onDidChangeActive'
>;

/**
 * Keeps a list steady under whoever walks it: an equal list is not set again, since the editor makes its first line
 * the active one whenever lines are set, and whoever went down stays where they are.
 */
export class SteadyList<T extends QuickPickItem> implements Disposable {
  readonly #pick: ListPick<T>;
  readonly #keyOf: (item: T) => string;
  readonly #store = new DisposableStore();
  /** The lines that the editor has on the screen, which is behind what was set last. */
  #seen: readonly T[] = [];

  /** @param keyOf what a line stands for: the same in a list that comes anew, and no other line's */
  constructor(pick: ListPick<T>, keyOf: (item: T) => string) {
    this.#pick = pick;
    this.#keyOf = keyOf;
    this.#store.add(
      pick.onDidChangeActive(() => {
        this.#seen = pick.items;
      }),
    );
  }

  /**
   * Shows the lines, and keeps the active one. At the top, the best of the new lines is the active one.
   * @param options.top the list answers something else: its first line is the active one
   * @param options.inPlace the place is kept rather than the line: more lines came where one stood for them
   */
  show(items: readonly T[], options: { readonly top?: boolean; readonly inPlace?: boolean } = {}): void {
    const before = this.#pick.items;
    const key = this.#keyOfActive;
    const at = before.findIndex((item) => this.#keyOf(item) === key);
    if (equalLists(before, items, this.#keyOf) && (at <= 0 || options.top !== true)) {
      return;
    }
    const kept =
      options.top === true || at <= 0
        ? []
        : [...(options.inPlace === true ? [items[at]] : []), items.find((item) => this.#keyOf(item) === key)];
    const active = [...kept, items[0]].find((item) => item !== undefined && this.#isShown(item));
    // Lines before the active one, and never that one alone: the editor looks it up among the lines that it has.
    this.#pick.items = items;
    if (active !== undefined) {
      this.#pick.activeItems = [active];
    }
  }

  /**
   * The line that a person accepted. Who presses Enter means what is on the screen, and the editor tells a line by
   * its place alone: where a newer list is on its way, the place is looked up in the one that was seen.
   */
  get accepted(): T | undefined {
    const selected = this.#pick.selectedItems[0];
    const at = selected === undefined ? -1 : this.#pick.items.indexOf(selected);
    return at === -1 ? undefined : (this.#seen[at] ?? selected);
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #keyOfActive(): string | undefined {
    const [active] = this.#pick.activeItems;
    return active === undefined ? undefined : this.#keyOf(active);
  }

  /** False where the editor may have hidden the line, which can then not be active. */
  #isShown(item: T): boolean {
    return item.alwaysShow === true || this.#pick.value === '';
  }
}

/** True where every line looks the same and stands for the same. */
const equalLists = <T extends QuickPickItem>(
  left: readonly T[],
  right: readonly T[],
  keyOf: (item: T) => string,
): boolean =>
  left.length === right.length &&
  left.every((item, index) => {
    const other = right[index];
    return (
      other !== undefined &&
      keyOf(item) === keyOf(other) &&
      item.label === other.label &&
      item.description === other.description
    );
  });
