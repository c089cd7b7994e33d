import type * as z from 'zod';
import { type JsonValue, getMember, isJsonObject } from '../base/json.ts';
import { getText } from '../changes/model/jsonMembers.ts';
import { getStillHidden } from '../project/apply/deferredItems.ts';
import type { DeferredChange } from '../project/apply/problems.ts';
import type { ItemChange, PartChange } from '../project/compare/itemChange.ts';
import { formatItemKey } from '../project/item.ts';
import { type DifferenceText, type SideTexts, describeChangedPart } from './differences/differenceTexts.ts';
import { findValueDifferences } from './differences/valueDifferences.ts';
import type { planOutputSchema } from './planOutputSchema.ts';

type PartOutput = z.infer<typeof planOutputSchema>['changes'][number]['parts'][number];

/** What of a part waits for a later apply: all of it, or that a column is shown. */
export type PartDeferral = 'part' | 'unhiding';

/**
 * Returns a function that returns what of a part of an update a later apply has to make, if this apply makes the rest of
 * the update: changes a table, or renames rules.
 */
export function createPartDeferralCheck(
  deferred: readonly DeferredChange[],
): (change: Pick<ItemChange, 'action' | 'key' | 'from'>, part: PartChange) => PartDeferral | undefined {
  const stillHiddenByTable = getStillHidden(deferred);
  const changedRules = new Set(
    deferred.flatMap(({ key }) => (key.kind === 'rules' ? [formatItemKey(key)] : [])),
  );
  const keptColumns = new Set(
    deferred.flatMap(({ key, part }) => (part === 'column-deletions' ? [formatItemKey(key)] : [])),
  );
  return ({ action, key, from }, { pointer, before, after }) => {
    const item = formatItemKey(key);
    if (key.kind === 'rules' && from !== undefined && changedRules.has(item)) {
      return 'part';
    }
    if (action !== 'update' || key.kind !== 'table') {
      return undefined;
    }
    const stillHidden = stillHiddenByTable.get(item);
    if (pointer === '/hidden') {
      return stillHidden?.isTable === true ? 'part' : undefined;
    }
    if (!pointer.startsWith('/columns/')) {
      return undefined;
    }
    if (after === undefined) {
      return keptColumns.has(item) ? 'part' : undefined;
    }
    return stillHidden?.columns.includes(getText(getMember(after, 'name'))) === true
      ? isOnlyShown(pointer, before, after)
        ? 'part'
        : 'unhiding'
      : undefined;
  };
}

/** Returns whether a column only stops being hidden. */
const isOnlyShown = (pointer: string, before: JsonValue | undefined, after: JsonValue): boolean =>
  isJsonObject(before) &&
  findValueDifferences({ path: pointer, before, after }).every(({ path }) => path === `${pointer}/hidden`);

/** Describes a changed part, and says what of it isn't in this apply. */
export function describePartWithDeferral(part: PartOutput, texts: SideTexts): readonly DifferenceText[] {
  const { pointer, before, after, deferred, stillHidden } = part;
  const differences = describeChangedPart(part, texts);
  if (deferred === true) {
    return addNote(differences, 'not in this apply');
  }
  if (stillHidden !== true || !isJsonObject(after)) {
    return differences;
  }
  if (!isJsonObject(before)) {
    return addNote(differences, 'hidden in this apply');
  }
  const { hidden } = before;
  return [
    ...describeChangedPart({ pointer, before, after: { ...after, hidden } }, texts),
    ...addNote(
      describeChangedPart({ pointer: `${pointer}/hidden`, before: hidden, after: after['hidden'] }, texts),
      'not in this apply',
    ),
  ];
}

const addNote = (differences: readonly DifferenceText[], note: string): readonly DifferenceText[] =>
  differences.map(({ text, diff }) => ({ text: `${text} (${note})`, diff }));
