import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { RenameTarget } from '../../../sql/language.ts';

/**
 * Returns a viewpoint after a rename: updates `table`, `column` and `dim` in its columns, in their filters and in the
 * contexts of formulas (platform-facts.md, 5). Titles are chosen by the author and stay unchanged.
 */
export const renameInViewpoint = (viewpoint: JsonObject, target: RenameTarget, to: string): JsonObject => {
  const { details } = viewpoint;
  return isJsonObject(details) && details['columns'] !== undefined
    ? { ...viewpoint, details: { ...details, columns: renameValue(details['columns'], target, to) } }
    : viewpoint;
};

function renameValue(value: JsonValue, target: RenameTarget, to: string): JsonValue {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => renameValue(item, target, to));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members = Object.entries(value).map(
    ([name, member]) => [name, renameValue(member, target, to)] as const,
  );
  return { ...Object.fromEntries(members), ...renameOwnNames(value, target, to) };
}

/** Returns the object's own members that change: `table` or `column`, and `dim`. */
function renameOwnNames(object: JsonObject, target: RenameTarget, to: string): JsonObject {
  const { table, column, dim } = object;
  const isTarget = table === target.table && (target.column === undefined || column === target.column);
  return {
    ...(isTarget ? (target.column === undefined ? { table: to } : { column: to }) : {}),
    ...(typeof dim === 'string' ? { dim: renameDim(dim, target, to) } : {}),
  };
}

/** Renames the target in `[Table.Column]`, or `[Table.Column (Calendar)]` for a date (platform-facts.md, 5.1). */
function renameDim(dim: string, target: RenameTarget, to: string): string {
  const start = `[${target.table}.`;
  if (target.column === undefined) {
    return dim.startsWith(start) ? `[${to}.${dim.slice(start.length)}` : dim;
  }
  const rest = dim.startsWith(`${start}${target.column}`)
    ? dim.slice(start.length + target.column.length)
    : '';
  return rest === ']' || rest === ' (Calendar)]' ? `${start}${to}${rest}` : dim;
}
