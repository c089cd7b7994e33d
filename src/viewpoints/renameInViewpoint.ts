import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { calendarSuffix } from '../contract/terms.ts';
import type { RenameTarget } from '../sql/language.ts';

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
  // With dots in names, a dim alone may be that of several tables. Letter case may differ (platform-facts.md, 5.5).
  const belongsToOtherTable = typeof table === 'string' && table.toLowerCase() !== target.table.toLowerCase();
  return {
    ...(isTarget ? (target.column === undefined ? { table: newName } : { column: newName }) : {}),
    ...(typeof dim === 'string' && !belongsToOtherTable ? { dim: renameDim(dim, target, newName) } : {}),
  };
}

/**
 * Renames the target in `[Table.Column]`, or `[Table.Column (Calendar)]` for a date. Brackets in names are written
 * twice (platform-facts.md, 5.1), but not in all dims: the new name is written as the old one was.
 */
function renameDim(dim: string, target: RenameTarget, newName: string): string {
  for (const formatName of dimNameForms) {
    const renamed = tryRenameDim(dim, target, newName, formatName);
    if (renamed !== undefined) {
      return renamed;
    }
  }
  return dim;
}

/** How a name may be written in a dim: as it is, or with closing or all brackets doubled. */
const dimNameForms: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.replaceAll(']', ']]'),
  (name) => name.replaceAll(/[[\]]/g, '$&$&'),
];

/** @returns `undefined` if the dim is not the target's, or its names are not written in the given way */
function tryRenameDim(
  dim: string,
  target: RenameTarget,
  newName: string,
  formatName: (name: string) => string,
): string | undefined {
  const prefix = `[${formatName(target.table)}.`;
  if (target.column === undefined) {
    return dim.startsWith(prefix) ? `[${formatName(newName)}.${dim.slice(prefix.length)}` : undefined;
  }
  const column = formatName(target.column);
  const suffix = dim.startsWith(`${prefix}${column}`) ? dim.slice(prefix.length + column.length) : '';
  return suffix === ']' || suffix === `${calendarSuffix}]`
    ? `${prefix}${formatName(newName)}${suffix}`
    : undefined;
}
