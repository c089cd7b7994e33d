import type { DatabaseSync } from 'node:sqlite';
import type { CubeMeta } from './cubeMeta.ts';
import { type JoinNode, createJoinTrees } from './joinTree.ts';
import { toSqlNameKey, quoteName } from './names.ts';

/** Returns the qualified SQL name of a table in the attached cube. */
type StoredNameFormatter = (table: string) => string;

/** The visible rows of each table, as temporary tables of row ids. A table without one is fully visible. */
class VisibleRowSets {
  readonly #db: DatabaseSync;
  readonly #stored: StoredNameFormatter;
  readonly #names = new Map<JoinNode, string>();
  #count = 0;

  constructor(db: DatabaseSync, stored: StoredNameFormatter) {
    this.#db = db;
    this.#stored = stored;
  }

  /** Returns true if the visible rows of the table were restricted. */
  has(node: JoinNode): boolean {
    return this.#names.has(node);
  }

  /** Returns the SQL condition for visible rows; `undefined` if all rows are visible. */
  getCondition(node: JoinNode): string | undefined {
    const name = this.#names.get(node);
    return name === undefined ? undefined : `rowid IN (SELECT id FROM temp.${name})`;
  }

  /** Restricts the visible rows of a table to those that satisfy all conditions. */
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
   * Creates the SQL condition that a row joins a visible row of the other table. The first column of each pair belongs
   * to the row's own table.
   */
  createJoinCondition(other: JoinNode, pairs: JoinNode['pairs']): string {
    const own = pairs.map(([column]) => quoteName(column)).join(', ');
    const theirs = pairs.map(([, column]) => quoteName(column)).join(', ');
    const visible = this.getCondition(other);
    const where = visible === undefined ? '' : ` WHERE ${visible}`;
    return `${pairs.length > 1 ? `(${own})` : own} IN (SELECT ${theirs} FROM ${this.#stored(other.table.name)}${where})`;
  }
}

/**
 * Restricts the visible rows of all tables of a tree with semi-joins: from the leaves to the root, then back.
 * Afterwards each visible row joins visible rows in all restricted tables.
 */
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
    // A restriction that came from this branch itself must not be applied to it: unjoined rows would be hidden.
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
 * Returns the SQL condition for visible rows of each table that rules restrict, by table key. "Results are
 * limited to the allowed values across all linked tables" (rest-api.md, "What the service does"): a restricted table
 * also restricts all tables that relations link to it, and the conditions of several tables are combined with AND
 * (platform-facts.md, 3.3). `directConditions` has the conditions of the rules on each table's own columns.
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
