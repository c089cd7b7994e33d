/** A node as far as it is remembered: who it is, and whether a part of the catalogue brings its children. */
interface RegisteredNode {
  readonly id: string;
  readonly loads?: unknown;
}

/**
 * The nodes as they were last handed to the editor, which knows them by identity. One that is no longer among its
 * parent's children is forgotten with all that was below it: what is remembered does not grow with what was ever shown.
 */
export class NodeRegistry<Node extends RegisteredNode> {
  readonly #nodes = new Map<string, Node>();
  /** Those of them whose children come from a part of the catalogue. */
  readonly #nodesWithLoad = new Map<string, Node>();
  /** What is below each node by its id; below no node, what is at the top. */
  readonly #childIds = new Map<string | undefined, readonly string[]>();

  get size(): number {
    return this.#nodes.size;
  }

  get nodesWithLoad(): readonly Node[] {
    return [...this.#nodesWithLoad.values()];
  }

  find(id: string): Node | undefined {
    return this.#nodes.get(id);
  }

  /** The editor was handed the children of a node, in place of those before. */
  setChildren(parentId: string | undefined, children: readonly Node[]): void {
    if (parentId !== undefined && !this.#nodes.has(parentId)) {
      // It went while its children were loading.
      return;
    }
    const before = this.#childIds.get(parentId) ?? [];
    const now = new Set(children.map(({ id }) => id));
    for (const id of before) {
      if (!now.has(id)) {
        this.#forget(id);
      }
    }
    this.#childIds.set(parentId, [...now]);
    for (const child of children) {
      this.#nodes.set(child.id, child);
      if (child.loads === undefined) {
        this.#nodesWithLoad.delete(child.id);
      } else {
        this.#nodesWithLoad.set(child.id, child);
      }
    }
  }

  #forget(id: string): void {
    const below = this.#childIds.get(id) ?? [];
    this.#nodes.delete(id);
    this.#nodesWithLoad.delete(id);
    this.#childIds.delete(id);
    for (const child of below) {
      this.#forget(child);
    }
  }
}
