import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { RenameTarget } from '../../../sql/language.ts';

/**
 * Returns a viewpoint after a rename: updates `table`, `column` and `dim` in its columns, in their filters and in the
 * contexts of formulas (platform-facts.md, 5). Titles are chosen by the author and stay unchanged.
 */
export const renameInViewpoint = (
  viewpoint: JsonObject,
  target: RenameTarget,
  newName: string,
): JsonObject => {
  const { details } = viewpoint;
  return isJsonObject(details) && details['columns'] !== undefined
    ? { ...viewpoint, details: { ...details, columns: renameValue(details['columns'], target, newName) } }
    : viewpoint;
};

function renameValue(value: JsonValue, target: RenameTarget, newName: string): JsonValue {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => renameValue(item, target, newName));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members = Object.entries(value).map(
    ([name, member]) => [name, renameValue(member, target, newName)] as const,
  );
  return { ...Object.fromEntries(members), ...renameOwnNames(value, target, newName) };
}

/** Returns the object's own members that change: `table` or `column`, and `dim`. */
function renameOwnNames(object: JsonObject, target: RenameTarget, newName: string): JsonObject {
  const { table, column, dim } = object;
  const isTarget = table === target.table && (target.column === undefined || column === target.column);
  return {
    ...(isTarget ? (target.column === undefined ? { table: newName } : { column: newName }) : {}),
    ...(typeof dim === 'string' ? { dim: renameDim(dim, target, newName) } : {}),
  };
}

/** Renames the target in `[Table.Column]`, or `[Table.Column (Calendar)]` for a date (platform-facts.md, 5.1). */
function renameDim(dim: string, target: RenameTarget, newName: string): string {
  const prefix = `[${target.table}.`;
  if (target.column === undefined) {
    return dim.startsWith(prefix) ? `[${newName}.${dim.slice(prefix.length)}` : dim;
  }
  const suffix = dim.startsWith(`${prefix}${target.column}`)
    ? dim.slice(prefix.length + target.column.length)
    : '';
  return suffix === ']' || suffix === ' (Calendar)]' ? `${prefix}${newName}${suffix}` : dim;
}
