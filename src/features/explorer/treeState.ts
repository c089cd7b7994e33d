import * as z from 'zod';
import type { ValueStorage } from '../../base/valueStorage.ts';

/** The maximum number of nodes that are remembered; the one that was changed longest ago is forgotten first. */
const maxNodes = 500;

const storedSchema = z.object({
  nodes: z.array(z.tuple([z.string(), z.boolean()])),
  selected: z.string().optional(),
});

/**
 * The nodes that the user expanded and collapsed, and the last selected one: the editor keeps both by the ids of the
 * nodes while its window lives, and forgets them with it.
 */
export class PersistedTreeState {
  readonly #storage: ValueStorage;
  readonly #nodes: Map<string, boolean>;
  /** The state of the last window; each node is restored once. */
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
   * Returns whether the node was expanded in the last window, if the user decided so; returned once, since from then on
   * the editor keeps the state.
   */
  takeExpanded(id: string): boolean | undefined {
    const open = this.#restoredNodes.get(id);
    this.#restoredNodes.delete(id);
    return open;
  }

  /** Returns whether the node was selected in the last window, and nothing else was selected since; true only once. */
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
