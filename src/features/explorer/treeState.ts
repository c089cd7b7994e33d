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
  readonly #nodes: Map<string, boolean>;
  /** The stored state of the last window; each node is restored once. */
  readonly #restoredNodes: Map<string, boolean>;
  #selected: string | undefined;
  #restoredSelection: string | undefined;

  constructor(storage: ValueStorage) {
    this.#storage = storage;
    const stored = storedSchema.safeParse(storage.read()).data;
    this.#nodes = new Map(stored?.nodes);
    this.#restoredNodes = new Map(stored?.nodes);
    this.#selected = stored?.selected;
    this.#restoredSelection = stored?.selected;
  }

  /** Records that the user expanded or collapsed a node. */
  setExpanded(id: string, isOpen: boolean): void {
    this.#restoredNodes.delete(id);
    this.#nodes.delete(id);
    this.#nodes.set(id, isOpen);
    for (const oldest of [...this.#nodes.keys()].slice(0, Math.max(0, this.#nodes.size - maxNodes))) {
      this.#nodes.delete(oldest);
    }
    this.#write();
  }

  setSelected(id: string | undefined): void {
    this.#restoredSelection = undefined;
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
    const open = this.#restoredNodes.get(id);
    this.#restoredNodes.delete(id);
    return open;
  }

  /** Returns whether a node was selected in the last window and nothing has been selected since; true only once. */
  takeSelected(id: string): boolean {
    if (id !== this.#restoredSelection) {
      return false;
    }
    this.#restoredSelection = undefined;
    return true;
  }

  #write(): void {
    this.#storage.write({ nodes: [...this.#nodes], selected: this.#selected });
  }
}
