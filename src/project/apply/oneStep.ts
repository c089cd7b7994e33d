import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { asObject, getText, omitMembers } from '../../changes/model/jsonMembers.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import { renamedFromMember } from '../item.ts';
import type { Renamer } from '../pull/renames.ts';
import { listDeletedColumns } from './sentColumns.ts';

/** What restricts the rows of a datamodel before an apply. */
export interface Restrictions {
  /** The rules of the datamodel, and those of all cube sets, which may have any of its tables. */
  readonly rules: readonly JsonObject[];
  /** Whether these may not be all rules, or whether rules of cube sets change. */
  readonly isUncertain: boolean;
}

/** Returns whether a table, or a column of it, has rules. */
type RestrictionCheck = (table: string, column?: string) => boolean;

/**
 * Returns whether the changes of a datamodel can be sent in the short form: each table is hidden, shown, and changed in
 * one request. In any other case, everything is hidden first and shown last, which takes more requests.
 *
 * The short form is safe in any order only if the changes certainly leave each restriction of rows as it is, so that
 * only `hidden` decides what is visible in between. So each change must be of a kind that is known to do this:
 * - nothing in the datamodel may have rules, or rules, relations, and existing SQL stay as they are, and no column with
 *   rules is created, deleted, renamed, or changed in anything but its description and whether it's hidden; and
 * - no table is shown or hidden that also loses columns, since these are deleted in a second request.
 *
 * Before any other change, things are hidden (docs/platform-facts.md, "3.5 Safe order of changes").
 * @param changes the changes of the datamodel and of its rules, including rules that only move to a new name
 */
export function canChangeInOneStep(
  changes: readonly ItemChange[],
  { rules, isUncertain }: Restrictions,
  { columnRenames }: Pick<Renamer, 'columnRenames'>,
): boolean {
  // Whether names in rules are compared with their letter case isn't documented.
  const isSame = (name: JsonValue | undefined, other: string): boolean =>
    getText(name).toLowerCase() === other.toLowerCase();
  const isRestricted: RestrictionCheck = (table, column) =>
    rules.some(
      (rule) => isSame(rule['table'], table) && (column === undefined || isSame(rule['column'], column)),
    );
  return (
    !isUncertain &&
    changes.every(
      (change) => !deletesAndShows(change) && keepsRestrictions(change, rules.length === 0, isRestricted),
    ) &&
    !columnRenames.some(({ table, from, to }) => isRestricted(table, from) || isRestricted(table, to))
  );
}

/**
 * Returns whether a change certainly doesn't affect which rows of existing tables are visible.
 * @param isUnrestricted whether nothing in the datamodel has rules
 */
function keepsRestrictions(
  { action, key, from = key, parts }: ItemChange,
  isUnrestricted: boolean,
  isRestricted: RestrictionCheck,
): boolean {
  switch (key.kind) {
    case 'rules':
    case 'cubeSetRules':
      return false;
    case 'relation':
    case 'datamodel':
    case 'dataset':
      return isUnrestricted || (key.kind !== 'relation' && action === 'create');
    case 'tableExpression':
      return isUnrestricted || (action === 'create' && !isRestricted(key.table));
    case 'columnExpression':
      return isUnrestricted || (action === 'create' && !isRestricted(key.table, key.column));
    case 'table': {
      const tables = [key.table, ...(from.kind === 'table' ? [from.table] : [])];
      return action === 'update' && tables.every((table) => table === key.table)
        ? parts.every(
            ({ pointer, before, after }) =>
              !pointer.startsWith('/columns/') ||
              isVisibilityOnly(before, after) ||
              ![before, after].some((column) => isRestricted(key.table, getText(asObject(column)['name']))),
          )
        : !tables.some((table) => isRestricted(table));
    }
    case 'viewpoint':
    case 'customData':
      return true;
  }
}

/** Returns whether a column changes in nothing but its description, and in whether it's hidden. */
const isVisibilityOnly = (before: JsonValue | undefined, after: JsonValue | undefined): boolean =>
  before !== undefined && after !== undefined && jsonEquals(omitVisibility(before), omitVisibility(after));

const omitVisibility = (column: JsonValue): JsonObject =>
  omitMembers(asObject(column), 'hidden', 'description', renamedFromMember);

const deletesAndShows = (change: ItemChange): boolean =>
  change.key.kind === 'table' &&
  listDeletedColumns(change).size > 0 &&
  change.parts.some(({ pointer }) => pointer === '/hidden');
