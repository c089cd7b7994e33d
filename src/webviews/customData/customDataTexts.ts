import type { Localize } from '../../base/localize.ts';
import type { Question, CustomDataPageState } from './state.ts';

/** Formats the number of objects found, with their filter. */
export function formatCount({ filter, objects: { length } }: CustomDataPageState, t: Localize): string {
  if (filter.trim() === '{}') {
    return length === 1 ? t('1 object in total') : t('{0} objects in total', length);
  }
  return length === 1 ? t('1 object matches {0}', filter) : t('{0} objects match {1}', length, filter);
}

/** Formats the effect that a change would have. */
export function formatQuestion({ action, count, filter }: Question, t: Localize): string {
  if (count === 0) {
    return t('No objects match {0}. Nothing would change.', filter);
  }
  const isDeletion = action === 'delete';
  if (count === 1) {
    return isDeletion ? t('1 object would be deleted.') : t('1 object would be changed.');
  }
  if (filter.trim() === '{}') {
    return isDeletion
      ? t('All {0} objects on the instance would be deleted.', count)
      : t('All {0} objects on the instance would be changed.', count);
  }
  return isDeletion ? t('{0} objects would be deleted.', count) : t('{0} objects would be changed.', count);
}

/** Formats the label of the button that confirms a change. */
export function formatConfirmLabel({ action, count }: Question, t: Localize): string {
  if (count === 1) {
    return action === 'delete' ? t('Delete 1 Object') : t('Change 1 Object');
  }
  return action === 'delete' ? t('Delete {0} Objects', count) : t('Change {0} Objects', count);
}

/** Formats the result of a change as a sentence. */
export function formatResult(
  { action, count }: NonNullable<CustomDataPageState['changed']>,
  t: Localize,
): string {
  switch (action) {
    case 'change':
      return count === 1 ? t('1 object was changed.') : t('{0} objects were changed.', count);
    case 'delete':
      return count === 1 ? t('1 object was deleted.') : t('{0} objects were deleted.', count);
    case 'undo':
      return t('The change was undone.');
  }
}
