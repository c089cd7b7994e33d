import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { type NameSet, getQueryOutputNames } from '../../sql/language.ts';

/** Identifies a column of a custom table: by its name in the query, or by the one that a user has given it since. */
export interface TableColumn {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly isCustom?: unknown;
}

/**
 * Determines which columns a custom table keeps when its query changes: they are generated from it
 * (rest-api.md, "Table"), custom columns are not. Keeps all if the new text doesn't name everything it returns: a `*`
 * or an expression without a name may be any column. A column that the old query doesn't return either is not removed
 * by this change.
 * @returns whether a column stays
 */
export function createKeptColumnTest(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): (column: TableColumn) => boolean {
  const [were, are] = [getOutputNames(before), getOutputNames(after)];
  return (column) =>
    are === undefined ||
    column.isCustom === true ||
    isAmong(are, column) ||
    (were !== undefined && !isAmong(were, column));
}

function getOutputNames(expression: JsonValue | undefined): NameSet | undefined {
  const text = isJsonObject(expression) ? expression['expression'] : expression;
  return typeof text === 'string' ? getQueryOutputNames(text) : undefined;
}

const isAmong = (names: NameSet, { id, name }: TableColumn): boolean =>
  [id, name].some((known) => typeof known === 'string' && names.has(known));
