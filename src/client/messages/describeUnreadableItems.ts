import type { Localize } from '../../base/localize.ts';
import {
  type UnreadableItems,
  type UnreadableItem,
  countUnreadable,
  getUnreadableName,
} from '../../contract/partialResult.ts';

/** Maximum number of items that are listed individually. */
const maxListed = 5;

/** Describes which items could not be read, and why: "Sales" (number 4), title: string expected. */
export function describeUnreadableItems(t: Localize, unreadableItems: UnreadableItems): readonly string[] {
  const descriptions = unreadableItems.unreadable
    .slice(0, maxListed)
    .map((item) => `${describeUnreadableItem(t, item)}, ${describeFault(t, item)}`);
  const remainingCount = countUnreadable(unreadableItems) - descriptions.length;
  return remainingCount === 0 ? descriptions : [...descriptions, t('and {0} more', remainingCount)];
}

/** The name of an item, and its position in the response, counted from one. */
export function describeUnreadableItem(t: Localize, unreadable: UnreadableItem): string {
  const index = unreadable.path.findLast((key) => typeof key === 'number') ?? 0;
  const name = getUnreadableName(unreadable);
  return name === undefined ? t('number {0}', index + 1) : t('"{0}" (number {1})', name, index + 1);
}

function describeFault(t: Localize, { faultPath, expected }: UnreadableItem): string {
  const location = faultPath.join('.');
  if (expected === undefined) {
    return t('unknown format');
  }
  return location === '' ? t('expected {0}', expected) : t('{0}: expected {1}', location, expected);
}
