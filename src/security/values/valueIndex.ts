import { isObject, isNonEmptyString, readArray, toMemberText, type UnknownObject } from '../readRules.ts';
import type { ColumnName } from '../tableAccess.ts';

/** The values that one document names for a column. */
export interface NamedValues extends ColumnName {
  readonly values: ReadonlySet<string>;
}

/** An index as sent to a page: the values of each column, with the number of documents that name them. */
export type SerializedValues = readonly (ColumnName & {
  readonly values: readonly (readonly [value: string, count: number])[];
})[];

interface IndexedColumn extends ColumnName {
  /** The number of documents that name a value. */
  readonly counts: Map<string, number>;
  /** The spellings of each value, by the value without letter case and surrounding spaces; created on first use. */
  spellings?: ReadonlyMap<string, readonly string[]>;
}

/**
 * The values that some documents name for columns. The time to look up a value does not depend on the number of values.
 */
export class ValueIndex {
  readonly #columns = new Map<string, IndexedColumn>();
  readonly #valuesById = new Map<unknown, NamedValues>();

  /** Indexes the values of rules, including rules that hide their values. */
  static fromRules(rules: readonly unknown[]): ValueIndex {
    const index = new ValueIndex();
    for (const rule of readArray(rules).filter(isObject)) {
      const namedValues = readRuleValues(rule);
      if (namedValues !== undefined) {
        index.#add(namedValues);
        if (isNonEmptyString(rule['_id'])) {
          index.#valuesById.set(rule['_id'], namedValues);
        }
      }
    }
    return index;
  }

  /** Indexes values that were already read. */
  static fromNamedValues(list: readonly NamedValues[]): ValueIndex {
    const index = new ValueIndex();
    list.forEach((namedValues) => index.#add(namedValues));
    return index;
  }

  /**
   * Indexes the values in documents that are not rules, such as viewpoints and custom data: the values next to the
   * names of a table and a column, as in the filter of a viewpoint's column (platform-facts.md, 5.2).
   */
  static fromDocuments(documents: readonly unknown[]): ValueIndex {
    const index = new ValueIndex();
    documents.forEach((document) =>
      findNamedValues(document).forEach((namedValues) => index.#add(namedValues)),
    );
    return index;
  }

  static deserialize(columns: SerializedValues): ValueIndex {
    const index = new ValueIndex();
    for (const { table, column, values } of columns) {
      index.#columns.set(getColumnKey({ table, column }), { table, column, counts: new Map(values) });
    }
    return index;
  }

  serialize(): SerializedValues {
    return [...this.#columns.values()].map(({ table, column, counts }) => ({
      table,
      column,
      values: [...counts],
    }));
  }

  getValues(column: ColumnName): readonly string[] {
    return [...(this.#columns.get(getColumnKey(column))?.counts.keys() ?? [])];
  }

  /** Returns the number of documents that name the value for the column. */
  getCount(column: ColumnName, value: string): number {
    return this.#columns.get(getColumnKey(column))?.counts.get(value) ?? 0;
  }

  /** Returns the values that differ from the given one only in letter case and surrounding spaces. */
  getSpellings(column: ColumnName, value: string): readonly string[] {
    const indexedColumn = this.#columns.get(getColumnKey(column));
    if (indexedColumn === undefined) {
      return [];
    }
    indexedColumn.spellings ??= Map.groupBy(indexedColumn.counts.keys(), foldValue);
    return indexedColumn.spellings.get(foldValue(value)) ?? [];
  }

  /** Returns the values of the indexed rule with this ID. */
  getRuleValues(ruleId: unknown): NamedValues | undefined {
    return this.#valuesById.get(ruleId);
  }

  #add({ table, column, values }: NamedValues): void {
    const key = getColumnKey({ table, column });
    const indexedColumn = this.#columns.get(key) ?? { table, column, counts: new Map<string, number>() };
    this.#columns.set(key, indexedColumn);
    for (const value of values) {
      indexedColumn.counts.set(value, (indexedColumn.counts.get(value) ?? 0) + 1);
    }
  }
}

const getColumnKey = ({ table, column }: ColumnName): string => JSON.stringify([table, column]);

const foldValue = (value: string): string => value.trim().normalize().toLowerCase();

/** Returns the values that a rule lists; `undefined` if it names no column. A rule for all values lists none. */
export function readRuleValues({
  table,
  column,
  members,
  allMembers,
}: UnknownObject): NamedValues | undefined {
  return isNonEmptyString(table) && isNonEmptyString(column)
    ? { table, column, values: toValues(allMembers === true ? [] : members) }
    : undefined;
}

const toValues = (list: unknown): ReadonlySet<string> =>
  new Set(
    readArray(list)
      .map(toMemberText)
      .filter((text) => text !== undefined),
  );

/** The properties that hold values, in the same object as the table and column names, or in its filter. */
const valueProperties = ['members', 'values', 'equals', 'value'] as const;

/** Deeper levels of a document are ignored, to limit the time that it takes. */
const maxDepth = 8;

/** Finds the objects in a document that name a table, a column, and values of it. */
function findNamedValues(node: unknown, depth = 0): readonly NamedValues[] {
  if (depth > maxDepth) {
    return [];
  }
  if (Array.isArray(node)) {
    return node.flatMap((item) => findNamedValues(item, depth + 1));
  }
  if (!isObject(node)) {
    return [];
  }
  const { table, column } = node;
  if (!isNonEmptyString(table) || !isNonEmptyString(column)) {
    return Object.values(node).flatMap((value) => findNamedValues(value, depth + 1));
  }
  const { filter } = node;
  const exclude = isObject(filter) ? filter['exclude'] : undefined;
  const values = new Set(
    [node, filter, exclude].flatMap((part) =>
      isObject(part)
        ? valueProperties.flatMap((key) => [...toValues(Array.isArray(part[key]) ? part[key] : [part[key]])])
        : [],
    ),
  );
  return [{ table, column, values }];
}
