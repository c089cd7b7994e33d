import { type ItemKey, type ItemKind, formatItemKey } from '../item.ts';

/** Collects which items a project may have in files that could not be read. */
export class UnreadFileItems {
  readonly #keys = new Set<string>();
  /**
   * Kinds whose items may be in unread files, by the title of their datamodel; `undefined` stands for an unknown title.
   */
  readonly #kinds = new Map<string | undefined, Set<ItemKind>>();

  /** Kinds whose items may be in any datamodel, known or not. */
  readonly #kindsInAnyDatamodel = new Set<ItemKind>();

  addKey(key: ItemKey): void {
    this.#keys.add(formatItemKey(key));
  }

  /**
   * @param title the title of the datamodel; `undefined` if the title is unknown, and for kinds that don't belong to a
   *   datamodel
   */
  addKinds(kinds: readonly ItemKind[], title: string | undefined): void {
    this.#kinds.set(title, (this.#kinds.get(title) ?? new Set()).union(new Set(kinds)));
  }

  /** Adds kinds whose items may be in any datamodel, known or not. */
  addKindsInAnyDatamodel(kinds: readonly ItemKind[]): void {
    kinds.forEach((kind) => this.#kindsInAnyDatamodel.add(kind));
  }

  /**
   * Returns whether a file that could not be read may contain an item.
   * @param knownTitles the titles of the datamodels whose files were read
   */
  mayContain(key: ItemKey, knownTitles: ReadonlySet<string>): boolean {
    if (
      this.#kindsInAnyDatamodel.has(key.kind) ||
      this.#keys.has(formatItemKey(key)) ||
      this.#isInUnreadTable(key)
    ) {
      return true;
    }
    const title = 'datamodel' in key ? key.datamodel : undefined;
    const mayBeElsewhere = title === undefined || !knownTitles.has(title);
    return (
      (title !== undefined && this.#kinds.get(title)?.has(key.kind) === true) ||
      (mayBeElsewhere && this.#kinds.get(undefined)?.has(key.kind) === true)
    );
  }

  /** If the file of a table was not read, it is unknown which SQL files belong to it. */
  #isInUnreadTable(key: ItemKey): boolean {
    return (
      (key.kind === 'tableExpression' || key.kind === 'columnExpression') &&
      this.#keys.has(formatItemKey({ kind: 'table', datamodel: key.datamodel, table: key.table }))
    );
  }
}
