/** The properties of a node that the registry needs. */
interface RegisteredNode {
  readonly id: string;
  readonly catalogPart?: unknown;
}

/**
 * The nodes last returned to the editor, which identifies nodes by reference. A node that is no longer among its
 * parent's children is removed with all its descendants, so the registry does not grow without limit.
 */
export class NodeRegistry<Node extends RegisteredNode> {
  readonly #nodes = new Map<string, Node>();
  /** The nodes whose children come from a part of the catalog, by ID. */
  readonly #nodesWithCatalogPart = new Map<string, Node>();
  /** The IDs of the children by the ID of their parent; `undefined` is the parent of the roots. */
  readonly #childIds = new Map<string | undefined, readonly string[]>();
  /** The ID of the parent that each node was last returned for: a viewpoint may move to another group. */
  readonly #parentIds = new Map<string, string | undefined>();

  get size(): number {
    return this.#nodes.size;
  }

  get nodesWithCatalogPart(): readonly Node[] {
    return [...this.#nodesWithCatalogPart.values()];
  }

  find(id: string): Node | undefined {
    return this.#nodes.get(id);
  }

  /** Replaces the children of a node with those just returned to the editor. */
  setChildren(parentId: string | undefined, children: readonly Node[]): void {
    if (parentId !== undefined && !this.#nodes.has(parentId)) {
      // The parent was removed while its children were loading.
      return;
    }
    const previousIds = this.#childIds.get(parentId) ?? [];
    const currentIds = new Set(children.map(({ id }) => id));
    for (const id of previousIds) {
      if (!currentIds.has(id)) {
        this.#removeChild(id, parentId);
      }
    }
    this.#childIds.set(parentId, [...currentIds]);
    for (const child of children) {
      this.#nodes.set(child.id, child);
      this.#parentIds.set(child.id, parentId);
      if (child.catalogPart === undefined) {
        this.#nodesWithCatalogPart.delete(child.id);
      } else {
        this.#nodesWithCatalogPart.set(child.id, child);
      }
    }
  }

  /** Removes a former child of a node with its descendants, unless it has become a child of another node. */
  #removeChild(id: string, parentId: string | undefined): void {
    if (this.#parentIds.get(id) !== parentId) {
      return;
    }
    const childIds = this.#childIds.get(id) ?? [];
    this.#nodes.delete(id);
    this.#nodesWithCatalogPart.delete(id);
    this.#childIds.delete(id);
    this.#parentIds.delete(id);
    for (const childId of childIds) {
      this.#removeChild(childId, id);
    }
  }
}
