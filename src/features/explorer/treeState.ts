import * as z from 'zod';
import type { ValueStorage } from '../../base/valueStorage.ts';

/** The maximum number of stored nodes; the least recently changed one is dropped first. */
const maxNodes = 500;

const storedSchema = z.object({
  nodes: z.array(z.tuple([z.string(), z.boolean()])),
  selected: z.string().optional(),
});

/**
 * Stores which nodes the user expanded or collapsed and which node was selected last: the editor forgets both when its
 * window closes.
 */
export class PersistedTreeState {
  readonly #storage: ValueStorage;
  readonly #expansion: Map<string, boolean>;
  /** The stored state of the last window; each node is restored once. */
  readonly #expansionToRestore: Map<string, boolean>;
  #selected: string | undefined;
  #selectionToRestore: string | undefined;

  constructor(storage: ValueStorage) {
    this.#storage = storage;
    const storedState = storedSchema.safeParse(storage.read()).data;
    this.#expansion = new Map(storedState?.nodes);
    this.#expansionToRestore = new Map(storedState?.nodes);
    this.#selected = storedState?.selected;
    this.#selectionToRestore = storedState?.selected;
  }

  /** Records that the user expanded or collapsed a node. */
  setExpanded(id: string, isExpanded: boolean): void {
    this.#expansionToRestore.delete(id);
    this.#expansion.delete(id);
    this.#expansion.set(id, isExpanded);
    for (const oldestId of [...this.#expansion.keys()].slice(
      0,
      Math.max(0, this.#expansion.size - maxNodes),
    )) {
      this.#expansion.delete(oldestId);
    }
    this.#write();
  }

  /** Returns whether the user left a node collapsed, in this window or the last one. */
  isCollapsed(id: string): boolean {
    return this.#expansion.get(id) === false;
  }

  setSelected(id: string | undefined): void {
    this.#selectionToRestore = undefined;
    if (id !== this.#selected) {
      this.#selected = id;
      this.#write();
    }
  }

  /**
   * Returns whether the user left a node expanded in the last window; `undefined` if the user never changed it. Returns
   * a value only once per node: from then on, the editor keeps the state.
   */
  takeExpanded(id: string): boolean | undefined {
    const isExpanded = this.#expansionToRestore.get(id);
    this.#expansionToRestore.delete(id);
    return isExpanded;
  }

  /** Returns whether a node was selected in the last window and nothing has been selected since; true only once. */
  takeSelected(id: string): boolean {
    if (id !== this.#selectionToRestore) {
      return false;
    }
    this.#selectionToRestore = undefined;
    return true;
  }

  #write(): void {
    this.#storage.write({ nodes: [...this.#expansion], selected: this.#selected });
  }
}
