import type { DatabaseSync } from 'node:sqlite';
import type { CubeMeta } from './cubeMeta.ts';
import { type JoinNode, createJoinTrees } from './joinTree.ts';
import { toSqlNameKey, quoteName } from './names.ts';

/** Writes the name of a stored table in the schema where the cube is attached. */
type StoredNameFormatter = (table: string) => string;

/** Collects the visible rows of tables in temporary tables of row ids. */
class VisibleRowSets {
  readonly #db: DatabaseSync;
  readonly #stored: StoredNameFormatter;
  readonly #names = new Map<JoinNode, string>();
  #count = 0;

  constructor(db: DatabaseSync, stored: StoredNameFormatter) {
    this.#db = db;
    this.#stored = stored;
  }

  /** True if some rows of the table are known to be hidden. */
  has(node: JoinNode): boolean {
    return this.#names.has(node);
  }

  /** The condition of a visible row; `undefined` when all are. */
  getCondition(node: JoinNode): string | undefined {
    const name = this.#names.get(node);
    return name === undefined ? undefined : `rowid IN (SELECT id FROM temp.${name})`;
  }

  /** Keeps only the rows of a table that satisfy all conditions and were kept before. */
  keepRows(node: JoinNode, conditions: readonly string[]): void {
    const known = this.getCondition(node);
    const where = [...(known === undefined ? [] : [known]), ...conditions].map((part) => `(${part})`);
    this.#count += 1;
    const name = quoteName(`dm$rows${this.#count}`);
    this.#db.exec(`CREATE TEMP TABLE ${name} (id INTEGER PRIMARY KEY)`);
    this.#db.exec(
      `INSERT INTO temp.${name} SELECT rowid FROM ${this.#stored(node.table.name)} WHERE ${where.join(' AND ')}`,
    );
    this.#names.set(node, name);
  }

  /**
   * The condition that a row joins a visible row of the other table; the first of each pair is the row's own column.
   */
  createJoinCondition(other: JoinNode, pairs: JoinNode['pairs']): string {
    const own = pairs.map(([column]) => quoteName(column)).join(', ');
    const theirs = pairs.map(([, column]) => quoteName(column)).join(', ');
    const visible = this.getCondition(other);
    const where = visible === undefined ? '' : ` WHERE ${visible}`;
    return `${pairs.length > 1 ? `(${own})` : own} IN (SELECT ${theirs} FROM ${this.#stored(other.table.name)}${where})`;
  }
}

/** From the leaves to the root, then back: afterwards each table holds the rows that join allowed ones everywhere. */
function semiJoinTree(
  tree: readonly JoinNode[],
  own: ReadonlyMap<string, string>,
  sets: VisibleRowSets,
): void {
  for (const node of tree.toReversed()) {
    const condition = own.get(toSqlNameKey(node.table.name));
    const restricted = node.children.filter((child) => sets.has(child));
    const conditions = [
      ...(condition === undefined ? [] : [condition]),
      ...restricted.map((child) =>
        sets.createJoinCondition(
          child,
          child.pairs.map(([mine, theirs]) => [theirs, mine]),
        ),
      ),
    ];
    if (conditions.length > 0) {
      sets.keepRows(node, conditions);
    }
  }
  const fromBelow = new Set(tree.filter((node) => sets.has(node)));
  const fromAbove = new Set<JoinNode>();
  for (const node of tree) {
    const { parent } = node;
    // Restrictions that come only from this branch must not be applied to it: rows that join nothing would vanish.
    const elsewhere =
      parent !== undefined &&
      (own.has(toSqlNameKey(parent.table.name)) ||
        fromAbove.has(parent) ||
        parent.children.some((sibling) => sibling !== node && fromBelow.has(sibling)));
    if (parent !== undefined && elsewhere) {
      fromAbove.add(node);
      sets.keepRows(node, [sets.createJoinCondition(parent, node.pairs)]);
    }
  }
}

/**
 * Returns the condition under which a row is visible, by table key, for each table that rules restrict. "Results are
 * limited to the allowed values across all linked tables" (rest-api.md, "What the service does"): a restricted table
 * restricts every table that relations lead to, and the conditions of several tables hold for the same joined row (AND,
 * platform-facts.md, 3.3). `own` holds the direct conditions of each table.
 */
export function createVisibleRowConditions(
  db: DatabaseSync,
  meta: CubeMeta,
  own: ReadonlyMap<string, string>,
  stored: StoredNameFormatter,
): ReadonlyMap<string, string> {
  const sets = new VisibleRowSets(db, stored);
  const visible = new Map<string, string>();
  for (const tree of createJoinTrees(meta, own.keys())) {
    semiJoinTree(tree, own, sets);
    for (const node of tree) {
      const condition = sets.getCondition(node);
      if (condition !== undefined) {
        visible.set(toSqlNameKey(node.table.name), condition);
      }
    }
  }
  return visible;
}
