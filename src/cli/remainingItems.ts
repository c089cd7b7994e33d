import { unescapePointer } from '../base/jsonPointer.ts';
import { english } from '../base/localize.ts';
import type { HistoryEntry } from '../changes/journal/entry.ts';
import { type NextSteps, countRemainingDifferences, findNextSteps } from '../project/apply/finishApply.ts';
import type { EndedState } from '../project/apply/endedApply.ts';
import { createRequiredRuleCheck, createWrittenCheck } from '../project/apply/writtenItems.ts';
import { isCustomTable } from '../project/compare/compareContents.ts';
import type { ItemChange } from '../project/compare/itemChange.ts';
import { formatItemKey } from '../project/item.ts';
import type { ProjectComparison } from '../project/plan/compareProject.ts';
import { describeDifference } from '../project/messages/planTexts.ts';
import { type RemainingDifferences, staysDifferent } from '../project/plan/remainingDifferences.ts';
import { formatItem } from './itemLabels.ts';
import type { LoadedPlan } from './projectPlan.ts';

/** What still differs after an interrupted apply was finished. */
export interface ItemsAfterFinish extends NextSteps {
  /**
   * The items that the apply has written and other users have changed since. Also changed rules that the apply relied
   * on: they are on a table or column that it has created or unhidden, even if it didn't write the rules itself.
   */
  readonly overwritten: readonly string[];
  /** The items that a later apply has to write or delete. */
  readonly waiting: readonly string[];
  /**
   * The items with changes that the apply did not include: it was limited to others, or the files have changed since.
   */
  readonly others: readonly string[];
  /** The differences that no apply removes. */
  readonly remaining: RemainingDifferences;
}

/**
 * Finds what still differs after an interrupted apply was finished.
 * @param updated the project and the instance, compared without `--prune`
 * @param finished the journal of the apply. A journal of an earlier version doesn't contain the deferred items: then
 *   any item may be a deferred one
 */
export function findRemainingItems(
  {
    after,
    recorded,
  }: {
    readonly after: Pick<LoadedPlan, 'project' | 'prepared' | 'reading'>;
    readonly recorded: Pick<EndedState, 'comparison' | 'appliedComparison'>;
  },
  finished: HistoryEntry,
): ItemsAfterFinish {
  const { comparison, compiled } = after.prepared;
  const isWritten = createWrittenCheck(finished, after);
  const { deferredItems, items } = finished.operation.project ?? {};
  const planned = items && new Set(items.map(({ key }) => key));
  const isReliedOn = createRequiredRuleCheck(finished);
  const changedByOthers = new Set(
    recorded.appliedComparison.changes
      .filter(({ key }) => planned?.has(formatItemKey(key)) !== false || isReliedOn(key))
      .map(({ key }) => formatItemKey(key)),
  );
  const deferred = new Set(deferredItems);
  const stillDeferred = new Set(compiled.deferred.map(({ key }) => formatItemKey(key)));
  const customTables = new Set(
    after.project.items
      .filter(({ key, content }) => key.kind === 'table' && isCustomTable(content))
      .map(({ key }) => formatItemKey(key)),
  );
  const classify = (change: ItemChange): 'overwritten' | 'waiting' | 'others' => {
    const item = formatItemKey(change.key);
    if (deferred.has(item)) {
      return 'waiting';
    }
    if (isReliedOn(change.key) && changedByOthers.has(item)) {
      return 'overwritten';
    }
    if (isWritten(change.key)) {
      // The columns of a custom table are generated from its SQL, and may still need a change.
      const isGenerated = customTables.has(item) && hasOnlyColumns(change);
      if (isGenerated || stillDeferred.has(item)) {
        return 'waiting';
      }
      if (changedByOthers.has(item)) {
        return 'overwritten';
      }
    }
    return deferredItems === undefined ? 'waiting' : 'others';
  };
  const changesByCategory = Map.groupBy(comparison.changes, classify);
  const getItems = (name: ReturnType<typeof classify>): readonly string[] =>
    (changesByCategory.get(name) ?? []).map(({ key }) => formatItemKey(key));
  const waiting = new Set([
    ...getItems('waiting'),
    // The items that a later apply has to delete.
    ...comparison.extraItems.map(({ key }) => formatItemKey(key)).filter((item) => deferred.has(item)),
  ]);
  return {
    overwritten: getItems('overwritten'),
    waiting: [...waiting],
    ...findNextSteps(after, waiting),
    others: getItems('others'),
    remaining: countRemainingDifferences(recorded),
  };
}

const hasOnlyColumns = ({ parts }: ItemChange): boolean =>
  parts.every(({ pointer }) => pointer.startsWith('/columns'));

/** The maximum number of items that a message lists by name. */
const maxNames = 10;
/** The maximum number of items in a message whose full list the reader has elsewhere, such as in the plan. */
const maxFirstNames = 5;
/** The maximum number of reasons, each with its sentence, that a message contains. */
const maxReasons = 3;

/** Returns a line that names what others have added to items; no line if they have added nothing. */
export function formatAddedParts({ notes }: Pick<ProjectComparison, 'notes'>): readonly string[] {
  const parts = notes.filter(({ code }) => code === 'added');
  return parts.length === 0 ? [] : [`Not in the files: ${joinFirst(parts.map(formatLocation), maxNames)}.`];
}

/**
 * Returns a line for each reason why items still differ after an apply. The lines name the items, since the plan may
 * not contain them.
 */
export function formatStillDifferent({ notes }: Pick<ProjectComparison, 'notes'>): readonly string[] {
  // What others have added is described by `formatAddedParts`.
  const different = notes.filter((note) => staysDifferent(note) && note.code !== 'added');
  return [...Map.groupBy(different, (note) => describeDifference(english, note))].map(
    ([text, group]) => `Will still differ: ${joinFirst(group.map(formatLocation), maxFirstNames)}: ${text}`,
  );
}

const formatLocation = ({ key, pointer }: ProjectComparison['notes'][number]): string =>
  `${formatItem(formatItemKey(key))}${unescapePointer(pointer)}`;

/** Describes which items other users have changed. */
export function describeOverwrittenItems(items: readonly string[]): string {
  return `The change was finished, but the instance differs from the project again because others have since changed these items: ${formatItems(items)}.`;
}

/**
 * Describes that an apply has sent everything, but it's unknown whether the instance matches the project now.
 * @param parts what could not be compared, and why; at least one
 */
export const describeUncompared = (parts: readonly UncomparedPart[]): string =>
  `All writes succeeded, but not everything could be compared with the project afterward. ${formatReasons(parts.map(formatUnreadable))}`;

/** What could not be compared, and why. */
interface UncomparedPart {
  readonly what: string;
  readonly problem: string;
}

/** Formats why something could not be compared. */
export const formatUnreadable = ({ what, problem }: UncomparedPart): string =>
  `Can't read ${formatItem(what)}: ${problem}`;

/** Returns the first reasons, and counts the others. */
export const formatReasons = (reasons: readonly string[]): string =>
  [
    ...reasons.slice(0, maxReasons),
    ...(reasons.length > maxReasons ? [`And ${reasons.length - maxReasons} more.`] : []),
  ].join(' ');

/** Lists the first items, and counts the others. */
export const formatItems = (items: readonly string[], maxCount: number = maxNames): string =>
  joinFirst(items.map(formatItem), maxCount);

const joinFirst = (texts: readonly string[], maxCount: number): string =>
  [
    ...texts.slice(0, maxCount),
    ...(texts.length > maxCount ? [`and ${texts.length - maxCount} more`] : []),
  ].join(', ');

/** Like {@link formatItems}, but lists fewer items: for a message whose full list the reader has elsewhere. */
export const formatFirstItems = (items: readonly string[]): string => formatItems(items, maxFirstNames);
