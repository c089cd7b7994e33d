import * as z from 'zod';
import type { ValueStorage } from '../../base/valueStorage.ts';

/** How many nodes are remembered at most; the one that was touched longest ago is forgotten first. */
const maxNodes = 500;

const storedSchema = z.object({
  nodes: z.array(z.tuple([z.string(), z.boolean()])),
  selected: z.string().optional(),
});

/**
 * Which nodes a person opened and closed, and which one was selected last: the editor keeps both by the ids of the
 * nodes while its window lives, and forgets them with it.
 */
export class PersistedTreeState {
  readonly #storage: ValueStorage;
  readonly #nodes: Map<string, boolean>;
  /** What the last window left, for each node once. */
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

  /** A person opened or closed a node. */
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
   * Whether the node was open in the last window, where a person decided so; told once, since from then on the editor
   * keeps it.
   */
  takeExpanded(id: string): boolean | undefined {
    const open = this.#restoredNodes.get(id);
    this.#restoredNodes.delete(id);
    return open;
  }

  /** Whether the node was the selected one in the last window, and nothing else was selected since; told once. */
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
