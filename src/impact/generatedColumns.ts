import { isJsonObject, type JsonValue } from '../base/json.ts';
import { outputNames } from '../sql/language.ts';

/** What tells a column of a custom table: by its name there, or by the one that a person gave it since. */
interface TableColumn {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly isCustom?: unknown;
}

/**
 * Which columns a custom table keeps under another query: they are generated from it (spec, "Table"), custom columns
 * are not. All, where the text does not name all that it gives: a `*` or an expression without a name may be any.
 * @returns whether a column stays
 */
export function staysUnder(expression: JsonValue | undefined): (column: TableColumn) => boolean {
  const text = isJsonObject(expression) ? expression['expression'] : expression;
  const names = typeof text === 'string' ? outputNames(text) : undefined;
  return ({ id, name, isCustom }) =>
    names === undefined ||
    isCustom === true ||
    [id, name].some((known) => typeof known === 'string' && names.has(known));
}
