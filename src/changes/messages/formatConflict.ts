import { joinNames } from '../../base/joinNames.ts';
import type { Localize } from '../../base/localize.ts';
import { ConflictError, MissingRulesError, NameTakenError } from '../run/writeErrors.ts';
import { getPlanSubjectName } from '../model/planSubjects.ts';
import { isJsonObject } from '../../base/json.ts';

/** The maximum number of columns to name. */
const maxColumns = 10;

/**
 * Formats that rules are missing that a change relies on: first the columns that may be visible now, then those that
 * the change would show.
 */
export function formatMissingRules(
  t: Localize,
  { columns, exposedColumns }: Pick<MissingRulesError, 'columns' | 'exposedColumns'>,
): string {
  const otherColumns = columns.filter((column) => !exposedColumns.includes(column));
  const [exposed, others] = [exposedColumns, otherColumns].map((names) => joinNames(names, t, maxColumns));
  if (exposedColumns.length === 0) {
    return t(
      'Someone else has changed or deleted data security rules on {0}. Without them, the change would make hidden values visible. Restore these rules.',
      others ?? '',
    );
  }
  return otherColumns.length === 0
    ? t(
        'Someone else has changed or deleted data security rules, and values that they hide might be visible now: {0}. Restore these rules.',
        exposed ?? '',
      )
    : t(
        'Someone else has changed or deleted data security rules, and values that they hide might be visible now: {0}. Without the rules on {1}, the change would make more values visible. Restore these rules.',
        exposed ?? '',
        others ?? '',
      );
}

/** Formats an error if it means that another user was faster; `undefined` for any other error. */
export const formatConflict = (t: Localize, error: unknown): string | undefined =>
  error instanceof NameTakenError
    ? t(
        'Someone else has created {0} on the server in the meantime. Rename or delete it, and finish the change, or roll the change back.',
        nameConflictingItem(t, error),
      )
    : error instanceof MissingRulesError
      ? formatMissingRules(t, error)
      : error instanceof ConflictError
        ? t(
            'Someone else has changed {0} on the server in the meantime. Try again.',
            nameConflictingItem(t, error),
          )
        : undefined;

/** Names what others have changed or created, for the middle of a sentence. */
function nameConflictingItem(t: Localize, error: ConflictError): string {
  const { ref, document } = error;
  switch (ref.kind) {
    case 'columnRules':
      return t('the data security rules on {0}', listConflictingColumns(error).join(', '));
    case 'rule':
    case 'rules':
      return t('data security rules');
    case 'customData':
    case 'customDataObject':
      return t('the custom data');
    case 'tableExpression':
    case 'columnExpression':
      return t('the SQL');
    case 'relation':
      return t('a relation');
    case 'datamodel':
    case 'dataset':
    case 'table':
    case 'column':
    case 'viewpoint':
    case 'build':
      return (isJsonObject(document) ? getPlanSubjectName(document) : '') || t('an item');
  }
}

/** Returns the columns whose rules others have changed, as `table.column`. */
const listConflictingColumns = ({ ref, otherRefs }: ConflictError): readonly string[] =>
  [ref, ...otherRefs].flatMap((changed) =>
    changed.kind === 'columnRules' ? [`${changed.table}.${changed.column}`] : [],
  );

/**
 * Formats that an operation can't be finished because of changes by others, with the columns whose rules they have
 * changed.
 * @param title the title of the operation
 */
export function formatUnfinishable(t: Localize, error: ConflictError, title: string): string {
  if (error instanceof MissingRulesError) {
    return t('Can\'t finish "{0}". {1}', title, formatMissingRules(t, error));
  }
  const columns = listConflictingColumns(error);
  return columns.length > 0
    ? t(
        'Can\'t finish "{0}": someone else has changed or deleted data security rules on {1}. Roll it back instead.',
        title,
        columns.join(', '),
      )
    : t(
        'Can\'t finish "{0}": someone else has changed or deleted {1} on the server. Roll it back instead.',
        title,
        nameConflictingItem(t, error),
      );
}
