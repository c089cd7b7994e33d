import type { Localize } from '../../base/localize.ts';
import { compareTexts } from '../../base/sortByText.ts';
import type { ConversionNote } from '../instance/conversionResult.ts';
import type { ItemKey } from '../item.ts';
import type { ConflictReason } from '../pull/decideUnit.ts';
import type { LeftOutItem } from '../pull/leftOutItem.ts';
import type { OrphanedRules } from '../pull/orphanedRules.ts';
import type { InstancePart } from '../source/readInstance.ts';

/** Describes why an item is in conflict, and what happened to its file. */
export function describePullConflict(t: Localize, reason: ConflictReason): string {
  switch (reason) {
    case 'both-changed':
      return t('changed in the file and on the instance. Your file was kept.');
    case 'never-seen':
      return t('different from the instance, and neither version comes from a pull. Your file was kept.');
    case 'deleted-here':
      return t("deleted in the project and changed on the instance. The file wasn't restored.");
    case 'renamed-here':
      return t('renamed in the project and changed on the instance. Your file was kept.');
    case 'deleted-there':
      return t('changed in the project and deleted on the instance. Your file was kept.');
    case 'unreadable':
      return t("its file couldn't be read again. Nothing was changed.");
    case 'path-taken':
      return t('another file has this path. Nothing was changed.');
  }
}

/** Describes a part of an instance, after "Can't read". */
export function describeInstancePart(t: Localize, part: InstancePart): string {
  switch (part.kind) {
    case 'datamodels':
      return t('some of the datamodels');
    case 'viewpoints':
      return t('the viewpoints');
    case 'people':
      return t('the users and groups, and therefore the rules and viewpoints');
    case 'datamodel':
      return t('the datamodel {0}', part.datamodel);
    case 'rules':
      return t('the rules of {0}', part.datamodel);
    case 'cubeSetRules':
      return t('the rules of the cube set {0}', part.cubeSet);
    case 'customData':
      return t('the custom data {0}', part.name);
  }
}

/** Describes resources of an instance that are not stored in files, and why. */
export function describeNote(
  t: Localize,
  { code, kind, parent, count, keys = [], brokenRelations = [] }: ConversionNote,
): string {
  switch (code) {
    case 'unknown-party-type':
      return t(
        '{0}: columns with a rule for something other than users, groups, or everyone else have no rules file, and their rules are never changed: {1}.',
        parent,
        keys.map(formatColumn).join(', '),
      );
    case 'broken-relation':
      return t(
        '{0}: relations that have lost a column have no file, and count as deleted: {1}. The instance keeps them, and builds might fail until they are deleted in the Connections view of the editor or by an apply that includes deletions of relations (--prune relations on the command line).',
        parent,
        brokenRelations
          .map(({ key }) => (key.kind === 'relation' ? formatRelation(t, key) : ''))
          .toSorted(compareTexts)
          .join(', '),
      );
    case 'equal-relations':
      return t(
        '{0}: only one of several relations between the same columns has a file (without a file: {1}).',
        parent,
        count,
      );
    case 'nameless':
      return kind === 'viewpoint'
        ? t('{0}: viewpoints without a name have no file ({1}).', parent || t('Instance'), count)
        : kind === 'relation'
          ? t('{0}: relations of tables or columns without a name have no file ({1}).', parent, count)
          : t('{0}: tables without a name have no file ({1}).', parent || t('Instance'), count);
  }
}

/**
 * Says that an item was not pulled, and why.
 * @param item the name of the item
 */
export function describeLeftOutItem(t: Localize, { reason, columns }: LeftOutItem, item: string): string {
  switch (reason) {
    case 'rules':
      return t('{0}: not pulled, because not all of its rules are known.', item);
    case 'column-rules':
      return t(
        '{0}: not pulled, because the rules on these columns are unknown: {1}.',
        item,
        columns.join(', '),
      );
    case 'party-type':
      return t(
        '{0}: not pulled, because these columns have a rule for something other than users, groups, or everyone else: {1}. To pull it, write a rules file for each of these columns, or change the rules on the instance.',
        item,
        columns.join(', '),
      );
    case 'pending-rename':
      return t(
        '{0}: not pulled, because rules or relations that it has on the instance would get the new names in the project. If it\'s in conflict, you can keep your version. To get the version of the instance, remove "renamedFrom" from the renamed table or columns, and pull again.',
        item,
      );
    case 'shared-name':
      return t(
        '{0}: not pulled, because with the new names in the project, these rules would all be on the same column: {1}. Remove "renamedFrom" from the renamed table or columns, and pull again. Then combine the rules in the file of the new name, delete the files of the other names, and add "renamedFrom" again.',
        item,
        columns.join(', '),
      );
    case 'rules-conflict':
      return t(
        '{0}: not pulled, because it has new columns whose rules are in conflict: {1}. Resolve these conflicts, and then pull again.',
        item,
        columns.join(', '),
      );
    case 'dependent':
      return t("{0}: not pulled, because it depends on something that wasn't pulled.", item);
  }
}

/**
 * Describes rules that still name their column by its former name.
 * @param item the name of the rules, which is used if the project has no file for them
 */
export function describeOrphanedRules(
  t: Localize,
  { key, path, newName, reason }: OrphanedRules,
  item: string,
): string {
  const names = [path ?? item, formatColumn(key), `${newName.table}.${newName.column}`] as const;
  return reason === 'ambiguous'
    ? t(
        '{0}: the rules stay on {1}, because only some of the datamodels rename it to {2}. If any of those datamodels is in the cube set, add rules for the new name.',
        ...names,
      )
    : reason === 'name-taken'
      ? t(
          "{0}: the rules are on {1}, which is now a different column on the instance. They don't restrict the original column, which is now {2}. Correct the rules on both columns in the project, and apply it.",
          ...names,
        )
      : t(
          "{0}: the rules are still on {1}, which is now named {2} on the instance. They don't restrict it. Change the name in the file, and apply the project.",
          ...names,
        );
}

/** Describes that renames were not recorded for an environment. */
export const describeUnusableLock = (t: Localize, path: string): string =>
  t(
    '{0} can\'t be used, so it\'s unknown whether its environment still has the former names, and no "renamedFrom" was added for it. Restore the lock file, and add "renamedFrom" to the renamed items. Otherwise, a plan for that environment might create them again.',
    path,
  );

type RelationKey = Extract<ItemKey, { readonly kind: 'relation' }>;

/** Returns the name of a relation, which may have lost a column. */
export const formatRelation = (t: Localize, { columns }: RelationKey): string =>
  columns.map((end) => formatRelationEnd(t, end)).join(' – ');

const formatRelationEnd = (t: Localize, { table, column }: RelationKey['columns'][number]): string =>
  table === ''
    ? t('(deleted column)')
    : column === ''
      ? t('{0} (deleted column)', table)
      : `${table}.${column}`;

const formatColumn = (key: ItemKey): string => ('column' in key ? `${key.table}.${key.column}` : '');
