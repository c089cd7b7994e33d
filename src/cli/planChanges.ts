import { unescapePointer } from '../base/jsonPointer.ts';
import { english } from '../base/localize.ts';
import { countKinds } from '../project/messages/describeExtraItems.ts';
import { describePartWithDeferral } from './deferredParts.ts';
import {
  type DifferenceText,
  type SideTexts,
  describeChangedPart,
  describeItemRules,
  limitDifferences,
} from './differences/differenceTexts.ts';
import { renameFollowingRules } from './followingRules.ts';
import { formatItem, formatNames, isBrokenRelation } from './itemLabels.ts';
import { formatCount, listExtraKinds } from './planCounts.ts';
import type { PlanOutput } from './planOutput.ts';

type Change = PlanOutput['changes'][number];

const actionSigns: Readonly<Record<Change['action'], string>> = { create: '+', update: '~', delete: '-' };

/**
 * Formats a change in one line: the sign of its action, the item, its former name, whether it overwrites something that
 * no pull has seen, and whether a later apply has to make it.
 */
export const formatChange = ({
  action,
  item,
  from,
  parts,
  changedOnServer,
  neverPulled,
  interrupted,
  deferred,
}: Change): string =>
  [
    `${actionSigns[action]} ${item}`,
    ...(from === undefined ? [] : [`(renamed from ${from})`]),
    ...(changedOnServer
      ? [
          `(${neverPulled === true ? 'never pulled' : `${action === 'create' ? 'deleted' : 'changed'} on the server${formatServerParts(parts)}`}${formatInterruptedOrigin({ neverPulled, interrupted })})`,
        ]
      : []),
    ...(deferred === true ? ['(not in this apply)'] : []),
  ].join(' ');

/**
 * Names the parts of a change that the instance has changed since the last pull. Empty if it has changed all of them.
 * Also empty if it has changed none of them, but something that is deleted with the item.
 */
export function formatServerParts(parts: Change['parts']): string {
  const changed = parts.filter(({ changedOnServer }) => changedOnServer === true);
  return changed.length === 0 || changed.length === parts.length
    ? ''
    : `: ${formatNames(changed.map(({ pointer }) => unescapePointer(pointer.slice(1))))}`;
}

/** Says that an interrupted change may have written what no pull has seen; empty if it hasn't. */
export const formatInterruptedOrigin = ({
  neverPulled,
  interrupted,
}: Pick<Change, 'neverPulled' | 'interrupted'>): string =>
  interrupted === true ? `, possibly ${neverPulled === true ? 'written ' : ''}by the interrupted change` : '';

const planSideTexts: SideTexts = { formatSides: (before, after) => `${before} → ${after}`, diffNote: '' };

/**
 * Describes the changed parts of an item, and what is deleted with it. Of an item that is created or deleted, only
 * rules are described, and that a relation has lost a column.
 */
export const describeParts = ({
  action,
  item,
  followingRules,
  parts,
  deletedWith = [],
  deferred,
}: Change): readonly DifferenceText[] =>
  limitDifferences([
    ...(action === 'delete' && isBrokenRelation(item)
      ? [
          {
            text: "One of its columns was deleted on the instance, so builds might fail until the relation is deleted. The relation can't be restored.",
            diff: [],
          },
        ]
      : []),
    ...describeDeletedWith(deletedWith),
    ...formatFollowingRules(followingRules ?? 0).map((text) => ({ text, diff: [] })),
    ...renameFollowingRules({ followingRules, parts }).flatMap((part) =>
      action !== 'update'
        ? describeItemRules(part)
        : deferred === true
          ? describeChangedPart(part, planSideTexts)
          : describePartWithDeferral(part, planSideTexts),
    ),
  ]);

const formatFollowingRules = (count: number): readonly string[] =>
  formatCount(count, { one: '1 rule follows the rename', many: 'rules follow the rename' });

/** Counts what is deleted with an item, and names the parts that have changed on the server since the last pull. */
function describeDeletedWith(items: NonNullable<Change['deletedWith']>): readonly DifferenceText[] {
  const kinds = listExtraKinds(items);
  return [
    ...(kinds.length === 0 ? [] : [`Also deleted: ${countKinds(english, kinds)}`]),
    ...items
      .filter(({ changedOnServer }) => changedOnServer)
      .map(
        ({ item, neverPulled }) =>
          `${neverPulled === true ? 'Never pulled' : 'Changed on the server'}: ${formatItem(item)}`,
      ),
  ].map((text) => ({ text, diff: [] }));
}
