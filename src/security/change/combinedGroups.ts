import {
  type ColumnRuleIndex,
  computeColumnAccess,
  isUncertain,
  type ListCombination,
  toPartyKeys,
} from '../columnAccess.ts';
import type { Memberships } from '../membership/memberships.ts';
import { type ValueSet, isExclusion, isSubset } from '../valueSet.ts';
import type { AccessEffect, ColumnDifference, VisibleValues } from './accessDifferenceRow.ts';
import { getGrantKey } from './changeRows.ts';
import { type ComparedColumn, unrestrictedValues, getEffect, mayShowMore } from './columnDifferences.ts';

const groupPrefix = 'group:';

/** The maximum number of differences to report for a column. */
const maxDifferences = 20;

/**
 * Finds the users in several groups who see other values of a column than before, and whom no difference of a single
 * group describes: the rules for all of their groups apply together, and *Nothing* wins (platform-facts.md, 3.3). So if
 * the rule of a group is deleted, the group alone may gain nothing, while members who are also in another group gain
 * access.
 * @returns the differences, and whether there may be more
 */
export function findCombinedColumnDifferences(
  { name, tables, before, after }: ComparedColumn,
  memberships: Memberships,
): { readonly differences: readonly ColumnDifference[]; readonly hasMore: boolean } {
  const namedGroupIds = new Set([before, after].flatMap((rules) => getGroupIds(rules)));
  const changedGroupIds = new Set(
    [...namedGroupIds].filter((id) => getGrantsKey(before, id) !== getGrantsKey(after, id)),
  );
  if (namedGroupIds.size < 2 || changedGroupIds.size === 0) {
    return { differences: [], hasMore: false };
  }
  const getChange = createChangeLookup(before, after);
  const canGain = !onlyNarrows(before, after, namedGroupIds);
  const { combinations, hasMore } = memberships.findCombinations(changedGroupIds, namedGroupIds);
  const differences: ColumnDifference[] = [];
  let gainCount = 0;
  for (const groupIds of combinations) {
    if (gainCount > maxDifferences || (!canGain && differences.length > maxDifferences)) {
      // Losses come after gains, so no other difference would be reported.
      break;
    }
    if (!canGain && groupIds.some((each) => getChange([each]).effect === 'loses')) {
      // All that the members may lose is reported for one of the groups.
      continue;
    }
    const [id = '', ...otherGroupIds] = groupIds;
    const change = getChange(groupIds);
    if (
      change.effect === undefined ||
      isCoveredBySingleGroups(
        groupIds.map((groupId) => getChange([groupId])),
        change,
      )
    ) {
      continue;
    }
    gainCount += change.effect === 'loses' ? 0 : 1;
    differences.push({
      kind: 'column',
      name,
      tables,
      party: { type: 'group', id },
      otherGroupIds,
      effect: change.effect,
      isUncertain:
        !memberships.isComplete || [change.before, change.after].some(({ access }) => isUncertain(access)),
      before: change.before,
      after: change.after,
    });
  }
  const sorted = differences.toSorted((a, b) => Number(a.effect === 'loses') - Number(b.effect === 'loses'));
  return {
    differences: sorted.slice(0, maxDifferences),
    hasMore: hasMore || sorted.length > maxDifferences,
  };
}

/** What the members of some groups see before and after. */
interface Change {
  readonly before: VisibleValues;
  readonly after: VisibleValues;
  /** `undefined` if the members see the same. */
  readonly effect: AccessEffect | undefined;
}

function createChangeLookup(
  before: ColumnRuleIndex | undefined,
  after: ColumnRuleIndex | undefined,
): (groupIds: readonly string[]) => Change {
  const changes = new Map<string, Change>();
  return (groupIds) => {
    const key = JSON.stringify(groupIds);
    let change = changes.get(key);
    if (change === undefined) {
      const keys = toPartyKeys({ groupIds });
      const read = (rules: ColumnRuleIndex | undefined, lists?: ListCombination): VisibleValues =>
        rules === undefined ? unrestrictedValues : computeColumnAccess(rules, keys, lists);
      const [oldValues, newValues] = [read(before), read(after)];
      const effect = findEffect(
        listCombinations.map((lists) => ({
          old: applyListCombination(oldValues, lists) ?? read(before, lists),
          current: applyListCombination(newValues, lists) ?? read(after, lists),
        })),
      );
      change = { before: oldValues, after: newValues, effect };
      changes.set(key, change);
    }
    return change;
  };
}

/** The platform combines lists in one of two ways, but in the same way before and after (platform-facts.md, 3.3). */
const listCombinations: readonly ListCombination[] = ['union', 'intersection'];

/**
 * Returns what groups see if lists are combined in the given way.
 * @param values what the groups see if the way is unknown. If their lists differ, the least is the intersection of the
 *   lists, and the most is their union
 * @returns `undefined` if it doesn't follow from `values`, because of an unclear rule
 */
function applyListCombination(values: VisibleValues, lists: ListCombination): VisibleValues | undefined {
  if (values.access === 'unclear-rule') {
    return undefined;
  }
  if (values.access !== 'lists') {
    return values;
  }
  const access = lists === 'intersection' ? values.bounds.atLeast : values.bounds.atMost;
  return { access, bounds: { atLeast: access, atMost: access } };
}

function findEffect(
  readings: readonly { readonly old: VisibleValues; readonly current: VisibleValues }[],
): AccessEffect | undefined {
  const mayGain = readings.some(({ old, current }) => mayShowMore(old, current));
  const mayLose = readings.some(({ old, current }) => mayShowMore(current, old));
  return mayGain || mayLose ? getEffect(mayGain, mayLose) : undefined;
}

/**
 * Returns whether a change only narrows the rules of groups, so that no combination of the groups sees more. Either the
 * column had no rules before, or each group has exactly one rule before and after, which grants no more than before. A
 * rule that hides values must stay one, and no other rule may become one.
 */
function onlyNarrows(
  before: ColumnRuleIndex | undefined,
  after: ColumnRuleIndex | undefined,
  groupIds: ReadonlySet<string>,
): boolean {
  const getGrant = (rules: ColumnRuleIndex | undefined, id: string): ValueSet | undefined => {
    const [rule, ...others] = rules?.byParty.get(groupPrefix + id) ?? [];
    return rule === undefined || others.length > 0 || rule.grant === 'unclear' ? undefined : rule.grant;
  };
  return (
    before === undefined ||
    [...groupIds].every((id) => {
      const [old, current] = [getGrant(before, id), getGrant(after, id)];
      return (
        old !== undefined &&
        current !== undefined &&
        isExclusion(old) === isExclusion(current) &&
        isSubset(current, old)
      );
    })
  );
}

/**
 * Returns whether users in all of several groups need no row of their own, because the differences of the single groups
 * describe what these users gain and lose, without showing less access than they have after the change.
 */
const isCoveredBySingleGroups = (changes: readonly Change[], { effect, after }: Change): boolean => {
  const showsAsMuch = (change: Change): boolean => isSubset(after.bounds.atMost, change.after.bounds.atMost);
  return (
    (effect === 'loses' ||
      (changes.some(
        (change) => (change.effect === 'gains' || change.effect === 'changes') && showsAsMuch(change),
      ) &&
        changes.every((change) => change.effect !== 'loses' || showsAsMuch(change)))) &&
    (effect === 'gains' || changes.some((change) => change.effect === 'loses' || change.effect === 'changes'))
  );
};

const getGroupIds = (rules: ColumnRuleIndex | undefined): readonly string[] =>
  [...(rules?.byParty.keys() ?? [])].flatMap((key) =>
    key.startsWith(groupPrefix) ? [key.slice(groupPrefix.length)] : [],
  );

/** Returns a key for what the rules on a column grant to a group, regardless of their order. */
const getGrantsKey = (rules: ColumnRuleIndex | undefined, groupId: string): string =>
  JSON.stringify(
    (rules?.byParty.get(groupPrefix + groupId) ?? []).map(({ grant }) => getGrantKey(grant)).sort(),
  );
