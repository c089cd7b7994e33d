import { sortByText } from '../../base/sortByText.ts';
import type { Catalog } from '../../sql/language.ts';
import type { CatalogNames } from '../catalogNames.ts';
import type { ColumnRuleIndex } from '../columnAccess.ts';
import type { ColumnAccessResult } from '../effectiveAccess.ts';
import { type ColumnName, getTableAccess, type TableAccess } from '../tableAccess.ts';
import { noValues } from '../valueSet.ts';

/** The tables of a datamodel and its effective rules, on one side of a change. */
export interface TablesWithRules {
  readonly catalog: Catalog;
  readonly names: CatalogNames;
  /** The rules on columns that exist. */
  readonly columns: readonly ColumnRuleIndex[];
}

/** Tables that relations link on one side of a change, directly or through others. */
export interface TableComponent {
  readonly id: number;
  /** The columns with rules, which restrict all tables of the component, sorted by name. */
  readonly columns: readonly ColumnRuleIndex[];
}

/** Tables that exist on both sides of the change and are linked with each other on both. */
export interface LinkedTables {
  readonly tables: readonly string[];
  readonly before: TableComponent;
  readonly after: TableComponent;
}

/** The links between tables, before and after a change. */
export class ComparedLinks {
  /** The linked tables that are restricted by other columns after the change than before. */
  readonly affectedTables: readonly LinkedTables[];
  /** The components that the affected tables are part of, before and after the change. */
  readonly affectedComponentsBefore: readonly TableComponent[];
  readonly affectedComponentsAfter: readonly TableComponent[];
  /** The rules that restrict the affected tables before or after the change, by column and in their order. */
  readonly affectedRules: readonly ColumnRuleIndex[];
  readonly #names: readonly CatalogNames[];
  readonly #componentsBefore: ReadonlyMap<string, TableComponent>;
  readonly #componentsAfter: ReadonlyMap<string, TableComponent>;
  readonly #linkedTablesByKey: ReadonlyMap<string, LinkedTables>;
  readonly #linkedTablesByRules: ReadonlyMap<ColumnRuleIndex, LinkedTables | undefined>;
  readonly #counterparts: ReadonlyMap<ColumnRuleIndex, ColumnRuleIndex>;
  /** The number of {@link LinkedTables} that each component is made of. */
  readonly #linkedTablesCounts: ReadonlyMap<TableComponent, number>;

  constructor(before: TablesWithRules, after: TablesWithRules) {
    this.#names = [before.names, after.names];
    this.#componentsBefore = findComponents(before);
    this.#componentsAfter = findComponents(after);
    const linkedTablesByKey = new Map<string, LinkedTables & { readonly tables: string[] }>();
    for (const [table, componentBefore] of this.#componentsBefore) {
      const componentAfter = this.#componentsAfter.get(table);
      if (componentAfter !== undefined) {
        const key = toLinkedTablesKey(componentBefore, componentAfter);
        const linkedTables = linkedTablesByKey.get(key) ?? {
          tables: [],
          before: componentBefore,
          after: componentAfter,
        };
        linkedTablesByKey.set(key, linkedTables);
        linkedTables.tables.push(table);
      }
    }
    this.#linkedTablesByKey = linkedTablesByKey;
    this.#linkedTablesCounts = countBy(
      [...linkedTablesByKey.values()].flatMap((linkedTables) => [linkedTables.before, linkedTables.after]),
    );
    this.#linkedTablesByRules = new Map(
      [...before.columns, ...after.columns].map((rules) => [rules, this.getLinkedTables(rules)]),
    );
    this.#counterparts = pairColumns(before.columns, after.columns);
    const [ownColumnsBefore, ownColumnsAfter] = [before, after].map(({ columns }) =>
      countBy(columns.map((rules) => this.getLinkedTablesOfRules(rules))),
    );
    // These tables are affected if a column that isn't linked with them on both sides restricts them on one side.
    this.affectedTables = [...linkedTablesByKey.values()].filter(
      (linkedTables) =>
        linkedTables.before.columns.length > (ownColumnsBefore?.get(linkedTables) ?? 0) ||
        linkedTables.after.columns.length > (ownColumnsAfter?.get(linkedTables) ?? 0),
    );
    this.affectedComponentsBefore = [
      ...new Set(this.affectedTables.map((linkedTables) => linkedTables.before)),
    ];
    this.affectedComponentsAfter = [
      ...new Set(this.affectedTables.map((linkedTables) => linkedTables.after)),
    ];
    const affectedRules = new Set(
      [...this.affectedComponentsBefore, ...this.affectedComponentsAfter].flatMap(({ columns }) => columns),
    );
    this.affectedRules = [...before.columns, ...after.columns].filter((rules) => affectedRules.has(rules));
  }

  /** Like {@link getLinkedTables}, for a column with rules on one of the sides. */
  getLinkedTablesOfRules(rules: ColumnRuleIndex): LinkedTables | undefined {
    return this.#linkedTablesByRules.get(rules);
  }

  /** Returns the rules on the same column on the other side of the change; `undefined` if there are none. */
  getCounterpart(rules: ColumnRuleIndex): ColumnRuleIndex | undefined {
    return this.#counterparts.get(rules);
  }

  /**
   * Returns the table of a column with those linked with it; `undefined` if the column does not exist on both sides.
   */
  getLinkedTables({ table, column }: ColumnName): LinkedTables | undefined {
    const [before, after] = [this.#componentsBefore.get(table), this.#componentsAfter.get(table)];
    return before === undefined ||
      after === undefined ||
      this.#names.some((names) => names.isMissing(table, column))
      ? undefined
      : this.#linkedTablesByKey.get(toLinkedTablesKey(before, after));
  }

  /**
   * Returns whether a column restricts different tables after the change than before, of those that exist on both
   * sides.
   */
  restrictsDifferentTables(rules: ColumnRuleIndex): boolean {
    const linkedTables = this.getLinkedTablesOfRules(rules);
    return (
      linkedTables === undefined ||
      [linkedTables.before, linkedTables.after].some(
        (component) => (this.#linkedTablesCounts.get(component) ?? 0) > 1,
      )
    );
  }
}

/** Returns a key for a column, to find and to sort it by. */
export const toColumnKey = ({ table, column }: ColumnName): string => JSON.stringify([table, column]);

const toLinkedTablesKey = (before: TableComponent, after: TableComponent): string =>
  `${before.id}:${after.id}`;

/** Counts how often each key occurs. */
function countBy<Key>(keys: readonly Key[]): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Pairs the rules on each column before and after. */
function pairColumns(
  before: readonly ColumnRuleIndex[],
  after: readonly ColumnRuleIndex[],
): ReadonlyMap<ColumnRuleIndex, ColumnRuleIndex> {
  const rulesAfter = new Map(after.map((rules) => [toColumnKey(rules), rules]));
  return new Map(
    before.flatMap((rules) => {
      const counterpart = rulesAfter.get(toColumnKey(rules));
      return counterpart === undefined
        ? []
        : [
            [rules, counterpart],
            [counterpart, rules],
          ];
    }),
  );
}

/** Returns the connected component of each table. */
function findComponents({ catalog, names, columns }: TablesWithRules): ReadonlyMap<string, TableComponent> {
  // Each column is treated as if its rules hid all values, so that one search finds the columns for all parties.
  const rulesByResult = new Map(
    columns.map((rules): [ColumnAccessResult, ColumnRuleIndex] => [
      {
        table: rules.table,
        column: rules.column,
        access: noValues,
        bounds: { atLeast: noValues, atMost: noValues },
        appliedRules: [],
      },
      rules,
    ]),
  );
  // Linked tables share one list of columns.
  const components = new Map<TableAccess['columns'], TableComponent>();
  return new Map(
    getTableAccess([...rulesByResult.keys()], catalog, names).map((access) => {
      const component = components.get(access.columns) ?? {
        id: components.size,
        columns: sortByText(
          access.columns.flatMap((column) => rulesByResult.get(column) ?? []),
          toColumnKey,
        ),
      };
      components.set(access.columns, component);
      return [access.table, component];
    }),
  );
}
