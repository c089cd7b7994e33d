import { joinNames } from '../../base/joinNames.ts';
import type { Localize } from '../../base/localize.ts';
import type { KeepReason } from '../apply/deletableItems.ts';
import type { ApplyProblem, DeferredChange } from '../apply/problems.ts';
import { isRemovable } from '../compare/instanceDefaults.ts';
import type { DifferenceNote } from '../compare/itemChange.ts';
import type { RemainingDifferences } from '../plan/remainingDifferences.ts';
import { getRootMemberName } from '../compare/parts.ts';
import { describeExtraItems } from './describeExtraItems.ts';

/** Describes why a difference stays although the project wants it, or why an item with a former name is created. */
export function describeDifference(t: Localize, note: DifferenceNote): string {
  const { code, formerName: bareName = '' } = note;
  const column = getCreatedColumn(note);
  const formerName = column === undefined ? bareName : `${column.table}.${bareName}`;
  switch (code) {
    case 'not-writable':
    case 'missing':
      return t("The platform's API can't set it.");
    case 'not-removable':
      return t("The platform's API can't remove it. Write a value instead of null.");
    case 'instance-only':
      return isRemovable(note.key, getRootMemberName(note.pointer))
        ? t(
            "The file doesn't have this property, so it's kept. To clear it, add it to the file with null or an empty value.",
          )
        : t(
            "The file doesn't have this property, so it's kept. The platform's API can't remove it. To change it, add it to the file with another value.",
          );
    case 'connection':
      return t("Connections of existing datasets aren't changed.");
    case 'generated-column':
      return t(
        'The next build creates it if the SQL of the table contains it. Otherwise, remove it from the file.',
      );
    case 'derived-column':
      return t('The instance derives it from the SQL of the table.');
    case 'unknown-party-type':
      return t(
        "The instance has a rule for something other than users, groups, or everyone else, so the rules on this column aren't changed.",
      );
    case 'former-name':
      return t('The instance has both the former and the new name, so nothing is renamed.');
    case 'added':
      return t("The file doesn't have this property. A pull adds it.");
    case 'broken-relation':
      return t(
        'One of its columns was deleted on the instance, so builds might fail. Delete the relation in the Connections view of the editor, or with an apply that includes deletions of relations (--prune relations on the command line).',
      );
    case 'former-name-missing':
      return `${t('The former name "{0}" wasn\'t found on the instance.', formerName)} ${describeCreation(t, note)}`;
    case 'former-name-in-use':
      return `${t('The former name "{0}" belongs to another item in the project.', formerName)} ${describeCreation(t, note)}`;
    case 'same-source':
      return t('To rename "{0}" instead, add "renamedFrom": "{1}".', formerName, bareName);
    case 'first-apply':
      return t('It will be created, so there is nothing to rename.');
  }
}

/** Describes why an item is kept although the plan deletes items of its kind. */
export function describeKeepReason(t: Localize, reason: KeepReason): string {
  switch (reason) {
    case 'column-kept':
      return t('Kept, because its column is kept, and more of it would be visible without rules.');
    case 'unknown-rules':
      return t('Kept, because it has rules that no file can contain.');
  }
}

/**
 * Describes in one or two sentences whether the instance matches the project and, if not, how much differs.
 * @param part the part of the project that was compared; `undefined` for the whole project
 */
export function describeMatch(
  t: Localize,
  { itemCount, itemsToPullCount, extraItemKinds, setByInstanceCount }: RemainingDifferences,
  part: string | undefined,
): string {
  if (itemCount + extraItemKinds.length === 0) {
    if (part === undefined) {
      return setByInstanceCount === 0
        ? t('The instance matches the project.')
        : t('The instance matches the project, except for what each instance sets itself.');
    }
    return setByInstanceCount === 0
      ? t('The instance matches the project in {0}.', part)
      : t('The instance matches the project in {0}, except for what each instance sets itself.', part);
  }
  return [
    ...(part === undefined ? [] : [t('In {0}:', part)]),
    ...(itemCount === 0
      ? []
      : [itemCount === 1 ? t('1 item will still differ.') : t('{0} items will still differ.', itemCount)]),
    ...(itemsToPullCount === 0 ? [] : [t("A pull adds what the files don't have.")]),
    ...(extraItemKinds.length === 0 ? [] : [describeExtraItems(t, extraItemKinds)]),
  ].join(' ');
}

/** Describes what is created under its new name: the item of a note, or the column in its pointer. */
function describeCreation(t: Localize, note: DifferenceNote): string {
  const { key } = note;
  const column = getCreatedColumn(note);
  if (column !== undefined) {
    return t('"{0}" will be created as a new column.', `${column.table}.${column.name}`);
  }
  return key.kind === 'table'
    ? t('"{0}" will be created as a new table.', key.table)
    : t('"{0}" will be created as a new viewpoint.', key.kind === 'viewpoint' ? key.viewpoint : '');
}

/** Returns the column in the pointer of a note, with its table; `undefined` if there is none. */
function getCreatedColumn({
  key,
  pointer,
}: DifferenceNote): { readonly table: string; readonly name: string } | undefined {
  const column = /^\/columns(\/[^/]+)/.exec(pointer)?.[1];
  return column === undefined || key.kind !== 'table'
    ? undefined
    : { table: key.table, name: getRootMemberName(column) };
}

/**
 * Says what to do before what waits can be applied.
 * @param titles the datamodels that must be built; not empty
 */
export const describeNeededBuilds = (t: Localize, titles: readonly string[]): string =>
  t('Build {0}, and then apply again.', joinNames(titles, t));

/**
 * Says which environment variables an apply requires.
 * @param names not empty
 */
export const describeNeededVariables = (t: Localize, names: readonly string[]): string =>
  names.length === 1
    ? t(
        'To apply, set the environment variable {0}: a connection of a new dataset contains it.',
        joinNames(names, t),
      )
    : t(
        'To apply, set the environment variables {0}: connections of new datasets contain them.',
        joinNames(names, t),
      );

/** The maximum number of hidden columns that a sentence names. */
const maxHiddenNames = 10;

/** Describes what a change has to wait for. */
export function describeDeferral(
  t: Localize,
  { key, reason, columns = [], stillHidden }: Omit<DeferredChange, 'generatedBy' | 'part'>,
): string {
  switch (reason) {
    case 'generated-column':
      return t('It needs a column that the next build creates. Build, and then apply again.');
    case 'relation-column':
      return t(
        "It needs a column that the instance creates from SQL, immediately or during the next build. Until the relation exists, rules on one of its tables don't restrict the other, so don't share the datamodel before that.",
      );
    case 'rules-need-build':
      return t(
        'The instance accepts rules of a datamodel only after its first build. Build it before you share it, and then apply again.',
      );
    case 'renames-first':
      return stillHidden === undefined || key.kind !== 'table'
        ? t(
            'This apply only renames columns with rules, so that no one gains access in the meantime. Apply again for the remaining changes.',
          )
        : t(
            'This apply only renames columns with rules, so that no one gains access in the meantime. Hidden until you apply again: {0}.',
            joinNames(
              [
                ...(stillHidden.isTable ? [key.table] : []),
                ...stillHidden.columns.map((column) => `${key.table}.${column}`),
              ],
              t,
              maxHiddenNames,
            ),
          );
    case 'rules-first':
      return t(
        "It might give access to data that the rules of its datamodel don't restrict yet. It and any changes to its sharing are written by the apply that completes the rules, after the rules.",
      );
    case 'kept-rules':
      return t(
        'It might give access to data that the project restricts by rules on {0}. There, the instance has rules for something other than users, groups, or everyone else, so no apply changes them. Delete these rules on the instance, or delete the rules file in the project to keep them, and then apply again.',
        joinNames(columns, t),
      );
  }
}

/** Describes what keeps a plan from being applied. */
export function describeApplyProblem(t: Localize, { code, key, name }: ApplyProblem): string {
  switch (code) {
    case 'unknown-party':
      return t('The instance has no {0}. Correct the name in the project, or add it on the instance.', name);
    case 'ambiguous-party':
      return t('The instance has more than one {0}. Rename all but one of them there.', name);
    case 'unbound-party':
      return t('The lock file of the environment has no entry for {0}. Pull from the instance first.', name);
    case 'unknown-reference':
      return t(
        'Neither the instance nor the project has {0}. Correct the name in the file, or add it to the project.',
        name,
      );
    case 'unmapped-connection': {
      const datamodel = 'datamodel' in key ? key.datamodel : '';
      const member = `"connections": {${JSON.stringify(datamodel)}: {${JSON.stringify(name)}: {…}}}`;
      return t('The new dataset {0} needs a connection: {1} in the file of the environment.', name, member);
    }
    case 'masked-secret':
      return t(
        '{0} contains a masked secret, so an apply would write the mask instead of the secret. Remove or replace the masked value.',
        name,
      );
    case 'missing-id':
      return t('The new table {0} needs "id", its name in the data source.', name);
    case 'fixed-title':
      return t(
        "On the instance, the datamodel is called {0}, and titles can't be changed. Use that title in the project.",
        name,
      );
    case 'dataset-in-use':
      return t(
        "The dataset {0} has tables that aren't deleted. Include deletions of tables, too (--prune tables on the command line).",
        name,
      );
    case 'table-in-use':
      return t(
        'The table {0} will be deleted, but this relation in the project needs it. Delete the relation from the project, or keep the table.',
        name,
      );
    case 'rules-on-new-name':
      return t(
        'The instance already has rules on {0} that would take effect with the rename. To keep them, pull first. Otherwise, delete them on the instance.',
        name,
      );
    case 'unknown-party-type':
      return t(
        'The instance has a rule on {0} for something other than users, groups, or everyone else. A rename would leave this rule behind, so {0} must keep its name. Undo the rename in the project, or delete the rule on the instance.',
        name,
      );
    case 'filter-mismatch':
      return t(
        "The content of {0} doesn't match its filter in datamodel-studio.json, so it would never be found again. Correct the content or the filter.",
        name,
      );
    case 'circular-rename':
      return t(
        "The name of {0} is swapped with the names of other items. This can't be done in one step. First give one of them a temporary name, and apply.",
        name,
      );
    case 'loses-later':
      return t(
        'The new parts of the viewpoint {0} can be applied only after rules, but this change also removes sharing or data from the viewpoint. In between, the viewpoint would show more than it does now or will afterward. Remove the new parts from its file, apply, and then add them again.',
        name,
      );
    case 'missing-datamodel':
      return t(
        'Neither the instance nor the project has the datamodel {0}. Correct its title in the file of the viewpoint, or add the datamodel to the project.',
        name,
      );
  }
}
