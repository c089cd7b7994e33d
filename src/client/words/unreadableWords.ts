import type { Words } from '../../base/words.ts';
import { type Unread, type Unreadable, countUnreadable, nameOfUnreadable } from '../../contract/readable.ts';

/** How many items are told one by one. */
const mostTold = 5;

/** Which items could not be read, and what is wrong in each: "Sales" (number 4), title: string expected. */
export function unreadableWords(t: Words, unread: Unread): readonly string[] {
  const told = unread.unreadable
    .slice(0, mostTold)
    .map((each) => `${itemWords(t, each)}, ${faultWords(t, each)}`);
  const left = countUnreadable(unread) - told.length;
  return left === 0 ? told : [...told, t('{0} more', left)];
}

/** What an item calls itself, and its place in the answer, counted from one. */
export function itemWords(t: Words, unreadable: Unreadable): string {
  const index = unreadable.path.findLast((key) => typeof key === 'number') ?? 0;
  const name = nameOfUnreadable(unreadable);
  return name === undefined ? t('number {0}', index + 1) : t('“{0}” (number {1})', name, index + 1);
}

function faultWords(t: Words, { at, expected }: Unreadable): string {
  const place = at.join('.');
  if (expected === undefined) {
    return t('of no known shape');
  }
  return place === '' ? t('{0} expected', expected) : t('{0}: {1} expected', place, expected);
}
