import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { type NameSet, getQueryOutputNames } from '../../sql/language.ts';

/** A column of a custom table. `id` is its name in the query; `name` may have been changed by a user since. */
export interface TableColumn {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly isCustom?: unknown;
}

/**
 * Creates a predicate for the columns that a custom table keeps when its query changes: its columns are generated from
 * the query (rest-api.md, "Table"), except custom columns. Keeps all columns if the new query has outputs without a
 * known name (a `*`, or an expression without an alias). A column that the old query doesn't return either is kept:
 * this change doesn't remove it.
 * @returns a function that returns whether a column is kept
 */
export function createKeptColumnPredicate(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): (column: TableColumn) => boolean {
  const [oldNames, newNames] = [getOutputNames(before), getOutputNames(after)];
  return (column) =>
    newNames === undefined ||
    column.isCustom === true ||
    includesColumn(newNames, column) ||
    (oldNames !== undefined && !includesColumn(oldNames, column));
}

function getOutputNames(expression: JsonValue | undefined): NameSet | undefined {
  const text = isJsonObject(expression) ? expression['expression'] : expression;
  return typeof text === 'string' ? getQueryOutputNames(text) : undefined;
}

const includesColumn = (names: NameSet, { id, name }: TableColumn): boolean =>
  [id, name].some((idOrName) => typeof idOrName === 'string' && names.has(idOrName));
