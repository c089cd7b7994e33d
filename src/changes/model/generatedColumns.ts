import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { type NameSet, getQueryOutputNames } from '../../sql/language.ts';

/** What tells a column of a custom table: by its name there, or by the one that a person gave it since. */
export interface TableColumn {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly isCustom?: unknown;
}

/**
 * Which columns a custom table keeps when its query changes: they are generated from it (spec, "Table"), custom columns
 * are not. All, where the new text does not name all that it gives: a `*` or an expression without a name may be any.
 * What the old query does not give either is not taken away by this change.
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
