import type { DatabaseSync } from 'node:sqlite';
import type { CubeMeta } from './cubeMeta.ts';
import { type JoinNode, createJoinTrees } from './joinTree.ts';
import { toSqlNameKey, quoteIdentifier } from './sqlNames.ts';

/** Returns the qualified SQL name of a table in the attached cube. */
type StoredNameFormatter = (table: string) => string;

/** The visible rows of each table, as temporary tables of row ids. A table without one is fully visible. */
class VisibleRowSets {
  readonly #db: DatabaseSync;
  readonly #formatStoredName: StoredNameFormatter;
  readonly #rowTables = new Map<JoinNode, string>();
  #count = 0;

  constructor(db: DatabaseSync, formatStoredName: StoredNameFormatter) {
    this.#db = db;
    this.#formatStoredName = formatStoredName;
  }

  /** Returns true if the visible rows of the table were restricted. */
  hasHiddenRows(node: JoinNode): boolean {
    return this.#rowTables.has(node);
  }

  /** Returns the SQL condition for visible rows; `undefined` if all rows are visible. */
  getCondition(node: JoinNode): string | undefined {
    const name = this.#rowTables.get(node);
    return name === undefined ? undefined : `rowid IN (SELECT id FROM temp.${name})`;
  }

  /** Restricts the visible rows of a table to those that satisfy all conditions. */
  restrictRows(node: JoinNode, conditions: readonly string[]): void {
    const existing = this.getCondition(node);
    const allConditions = [...(existing === undefined ? [] : [existing]), ...conditions].map(
      (condition) => `(${condition})`,
    );
    this.#count += 1;
    const name = quoteIdentifier(`dm$rows${this.#count}`);
    this.#db.exec(`CREATE TEMP TABLE ${name} (id INTEGER PRIMARY KEY)`);
    this.#db.exec(
      `INSERT INTO temp.${name} SELECT rowid FROM ${this.#formatStoredName(node.table.name)} WHERE ${allConditions.join(' AND ')}`,
    );
    this.#rowTables.set(node, name);
  }

  /**
   * Creates the SQL condition that a row joins a visible row of the other table. The first column of each pair belongs
   * to the row's own table.
   */
  createJoinCondition(other: JoinNode, pairs: JoinNode['pairs']): string {
    const ownColumns = pairs.map(([column]) => quoteIdentifier(column)).join(', ');
    const otherColumns = pairs.map(([, column]) => quoteIdentifier(column)).join(', ');
    const visibleCondition = this.getCondition(other);
    const whereClause = visibleCondition === undefined ? '' : ` WHERE ${visibleCondition}`;
    return `${pairs.length > 1 ? `(${ownColumns})` : ownColumns} IN (SELECT ${otherColumns} FROM ${this.#formatStoredName(other.table.name)}${whereClause})`;
  }
}

/**
 * Restricts the visible rows of all tables of a tree with semi-joins: from the leaves to the root, then back.
 * Afterwards each visible row joins visible rows in all restricted tables.
 */
function restrictTree(
  tree: readonly JoinNode[],
  directConditions: ReadonlyMap<string, string>,
  rowSets: VisibleRowSets,
): void {
  for (const node of tree.toReversed()) {
    const condition = directConditions.get(toSqlNameKey(node.table.name));
    const restrictedChildren = node.children.filter((child) => rowSets.hasHiddenRows(child));
    const conditions = [
      ...(condition === undefined ? [] : [condition]),
      ...restrictedChildren.map((child) =>
        rowSets.createJoinCondition(
          child,
          child.pairs.map(([childColumn, parentColumn]) => [parentColumn, childColumn]),
        ),
      ),
    ];
    if (conditions.length > 0) {
      rowSets.restrictRows(node, conditions);
    }
  }
  const restrictedByChildren = new Set(tree.filter((node) => rowSets.hasHiddenRows(node)));
  const restrictedByParents = new Set<JoinNode>();
  for (const node of tree) {
    const { parent } = node;
    // A restriction that came from this branch itself must not be applied to it: unjoined rows would be hidden.
    const isRestrictedElsewhere =
      parent !== undefined &&
      (directConditions.has(toSqlNameKey(parent.table.name)) ||
        restrictedByParents.has(parent) ||
        parent.children.some((sibling) => sibling !== node && restrictedByChildren.has(sibling)));
    if (parent !== undefined && isRestrictedElsewhere) {
      restrictedByParents.add(node);
      rowSets.restrictRows(node, [rowSets.createJoinCondition(parent, node.pairs)]);
    }
  }
}

/**
 * Returns the SQL condition for visible rows of each table that rules restrict, by table key. A restricted table also
 * restricts all tables that relations link to it (rest-api.md, "What the service does"), and the conditions of several
 * tables are combined with AND (platform-facts.md, 3.3). `directConditions` has the conditions of the rules on each
 * table's own columns.
 */
export function createVisibleRowConditions(
  db: DatabaseSync,
  meta: CubeMeta,
  directConditions: ReadonlyMap<string, string>,
  formatStoredName: StoredNameFormatter,
): ReadonlyMap<string, string> {
  const rowSets = new VisibleRowSets(db, formatStoredName);
  const visibleConditions = new Map<string, string>();
  for (const tree of createJoinTrees(meta, directConditions.keys())) {
    restrictTree(tree, directConditions, rowSets);
    for (const node of tree) {
      const condition = rowSets.getCondition(node);
      if (condition !== undefined) {
        visibleConditions.set(toSqlNameKey(node.table.name), condition);
      }
    }
  }
  return visibleConditions;
}
