import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { calendarSuffix } from '../contract/terms.ts';
import type { RenameTarget } from '../sql/language.ts';

/** The rename of a table or column. */
export interface NameChange {
  readonly target: RenameTarget;
  readonly newName: string;
}

/**
 * Returns a viewpoint after renames, all at once: a former name may be the new name of something else. Updates `table`,
 * `column` and `dim` in its columns, in their filters and in the contexts of formulas (platform-facts.md, 5). Titles
 * are chosen by the author and stay unchanged.
 * @param changes the renames; each contains the names from before all of the renames
 */
export const renameInViewpoint = (viewpoint: JsonObject, changes: readonly NameChange[]): JsonObject => {
  const { details } = viewpoint;
  return isJsonObject(details) && details['columns'] !== undefined
    ? { ...viewpoint, details: { ...details, columns: renameValue(details['columns'], changes) } }
    : viewpoint;
};

function renameValue(value: JsonValue, changes: readonly NameChange[]): JsonValue {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => renameValue(item, changes));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members = Object.entries(value).map(
    ([name, member]) => [name, renameValue(member, changes)] as const,
  );
  return { ...Object.fromEntries(members), ...renameOwnNames(value, changes) };
}

/** Returns the object's own members that change: `table`, `column`, and `dim`. */
function renameOwnNames(object: JsonObject, changes: readonly NameChange[]): JsonObject {
  const { table, column, dim } = object;
  const [columnChanges, tableChanges] = [
    changes.filter(({ target }) => target.column !== undefined),
    changes.filter(({ target }) => target.column === undefined),
  ];
  const newTable = tableChanges.find(({ target }) => target.table === table)?.newName;
  const newColumn = columnChanges.find(
    ({ target }) => target.table === table && target.column === column,
  )?.newName;
  // With dots in names, a dim alone may be that of several tables. Letter case may differ (platform-facts.md, 5.5).
  const mayNameTarget = ({ target }: NameChange): boolean =>
    typeof table !== 'string' || table.toLowerCase() === target.table.toLowerCase();
  // Rename the column before the table, because the change of the column contains the old name of the table.
  const renamedDim = [columnChanges, tableChanges].reduce(
    (current, candidates) =>
      typeof current === 'string' ? renameDim(current, candidates.filter(mayNameTarget)) : current,
    dim,
  );
  return {
    ...(newTable === undefined ? {} : { table: newTable }),
    ...(newColumn === undefined ? {} : { column: newColumn }),
    ...(renamedDim === undefined ? {} : { dim: renamedDim }),
  };
}

/**
 * Returns a dim, which is `[Table.Column]`, or `[Table.Column (Calendar)]` for a date, with the first change that
 * applies to it. Brackets in names are written twice (platform-facts.md, 5.1), but not in all dims: the new name is
 * written as the old one was.
 */
function renameDim(dim: string, changes: readonly NameChange[]): string {
  for (const { target, newName } of changes) {
    for (const formatName of dimNameForms) {
      const renamed = tryRenameDim(dim, target, newName, formatName);
      if (renamed !== undefined) {
        return renamed;
      }
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
