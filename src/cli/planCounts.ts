import { english } from '../base/localize.ts';
import { parseItemKey } from '../project/item.ts';
import { describeExtraItems } from '../project/messages/describeExtraItems.ts';
import { describeMatch } from '../project/messages/planTexts.ts';
import {
  type InstanceOnlyKind,
  type RemainingDifferences,
  countRemaining,
} from '../project/plan/remainingDifferences.ts';
import type { PlanOutput } from './planOutput.ts';
import { describeOutputPart } from './unmanagedOutput.ts';

/** Formats the counts of a plan, and who gains and who loses access. */
export const formatPlanSummary = (planOutput: PlanOutput): string =>
  planOutput.changes.length === 0
    ? formatPlanCounts(planOutput)
    : `${formatPlanCounts(planOutput)} ${planOutput.access.summary}`;

/**
 * Formats the counts of a plan, including what only the instance has.
 * @param planOutput the output before {@link labelItems}, since items are counted by their keys
 */
export function formatPlanCounts(planOutput: PlanOutput): string {
  const { state, counts, changes } = planOutput;
  const { deferred = 0 } = counts;
  const projectPart = describeOutputPart(planOutput);
  if (changes.length === 0) {
    return state === 'unknown'
      ? formatUnknown(counts, projectPart)
      : formatNothingToChange(countRemainingDifferences(planOutput), projectPart);
  }
  const texts = [
    `${counts.create} to create`,
    `${counts.update} to change`,
    `${counts.delete} to delete`,
  ].join(', ');
  const extras = describePlanExtras(planOutput);
  return [
    projectPart === undefined ? `Plan: ${texts}.` : `Plan for ${projectPart}: ${texts}.`,
    ...(deferred === 0 ? [] : [`Not in this apply: ${formatItemCount(deferred)}.`]),
    ...(extras === '' ? [] : [extras]),
    ...(state === 'unknown'
      ? [`More might change, and nothing can be applied: ${describeUnknownCount(counts.unknown)}.`]
      : []),
  ].join(' ');
}

function formatUnknown(
  { unknown, unchanged }: PlanOutput['counts'],
  projectPart: string | undefined,
): string {
  const text = `It's unknown whether there is anything to change${projectPart === undefined ? '' : ` in ${projectPart}`}: ${describeUnknownCount(unknown)}.`;
  return unchanged === 0
    ? text
    : `${text} ${unchanged === 1 ? '1 item has' : `${unchanged} items have`} no changes.`;
}

function formatNothingToChange(remaining: RemainingDifferences, projectPart: string | undefined): string {
  const match = describeMatch(english, remaining, projectPart);
  return remaining.itemCount + remaining.extraItemKinds.length === 0
    ? `Nothing to change: ${match.charAt(0).toLowerCase()}${match.slice(1)}`
    : `Nothing to change. ${match}`;
}

/** Formats the number of items that couldn't be compared; 0 means that not everything could be read. */
export const describeUnknownCount = (count = 0): string =>
  count === 0 ? 'not everything could be read' : `${formatItemCount(count)} couldn't be compared`;

const formatItemCount = (count: number): string => (count === 1 ? '1 item' : `${count} items`);

/** Returns a sentence that counts what only the instance has; empty if there is nothing. */
export const describePlanExtras = (planOutput: PlanOutput): string =>
  describeExtraItems(english, countRemainingDifferences(planOutput).extraItemKinds);

/** Counts what will still differ, and what only the instance has. */
export const countRemainingDifferences = ({ notes, extras }: PlanOutput): RemainingDifferences =>
  countRemaining(notes, listExtraKinds(extras));

/** Returns the kinds of items and columns, to count them. */
export const listExtraKinds = (
  extras: readonly { readonly item: string; readonly column?: string | undefined }[],
): readonly InstanceOnlyKind[] =>
  extras.flatMap(({ item, column }) =>
    column === undefined ? (parseItemKey(item)?.kind ?? []) : ['column'],
  );

/** Formats a count; empty if it is 0. */
export const formatCount = (
  count: number,
  { one, many }: { readonly one: string; readonly many: string },
): readonly string[] => (count === 0 ? [] : [count === 1 ? one : `${count} ${many}`]);
