import { joinNames } from '../../base/joinNames.ts';
import type { Localize } from '../../base/localize.ts';
import type { AccessEffect } from '../../security/change/accessDifferenceRow.ts';
import type { ViewpointDifference, PartyVisibility } from '../../security/change/viewpointDifference.ts';
import type { PlanItem } from '../../webviews/protocol/planPage.ts';
import type { PlannedAccess, ViewpointAccess } from '../model/plan.ts';

/** A line about the parties that gain or lose viewpoints. */
export interface ViewpointItem {
  readonly effect: AccessEffect;
  /** The names of the viewpoints. */
  readonly viewpoints: readonly string[];
  readonly item: PlanItem;
}

/** The maximum number of users and groups, of apps, or of viewpoints to name. */
const maxNames = { sentence: 2, item: 5 };

const icons: Readonly<Record<AccessEffect, string>> = {
  gains: 'arrow-up',
  changes: 'arrow-swap',
  loses: 'arrow-down',
};

/**
 * Describes who gains and who loses viewpoints, gains first. All viewpoints whose change affects the same parties in
 * the same way are one item: a project may share thousands of them.
 */
export function describeViewpointItems(
  { viewpoints = [], partyNames }: PlannedAccess,
  t: Localize,
): readonly ViewpointItem[] {
  const lines = viewpoints.flatMap((viewpoint) =>
    viewpoint.differences.map((difference) => ({
      effect: difference.effect,
      name: viewpoint.name,
      parties: formatParties(viewpoint, difference, { partyNames, t }),
      before: formatVisibility(difference.before, t),
      after: formatVisibility(difference.after, t),
    })),
  );
  const groups = Map.groupBy(lines, ({ name: _name, ...line }) => JSON.stringify(line));
  return [...groups.values()].flatMap((group): readonly ViewpointItem[] => {
    const [line] = group;
    if (line === undefined) {
      return [];
    }
    const { effect, parties, before, after } = line;
    const names = group.map(({ name }) => name);
    const list = joinNames(names, t, maxNames.item);
    return [
      {
        effect,
        viewpoints: names,
        item: {
          icon: icons[effect],
          text: joinNames(parties, t, maxNames.item),
          detail:
            names.length === 1
              ? t('viewpoint {0}: {1} → {2}', list, before, after)
              : t('viewpoints {0}: {1} → {2}', list, before, after),
        },
      },
    ];
  });
}

/** Describes who gains viewpoints: those who gain the first one, and how many others there are. */
export function summarizeViewpointGains(
  { viewpoints = [], partyNames }: PlannedAccess,
  t: Localize,
): readonly string[] {
  const gains = viewpoints.flatMap((viewpoint) =>
    viewpoint.differences
      .filter(({ effect }) => effect !== 'loses')
      .map((difference) => ({ viewpoint, difference })),
  );
  const first = gains.find(({ difference: { isUncertain } }) => !isUncertain) ?? gains[0];
  if (first === undefined) {
    return [];
  }
  const others = gains.filter(({ viewpoint }) => viewpoint !== first.viewpoint);
  const otherCount = new Set(others.map(({ viewpoint }) => viewpoint)).size;
  const areUncertain = others.some(({ difference: { isUncertain } }) => isUncertain);
  return [
    formatGain(formatParties(first.viewpoint, first.difference, { partyNames, t }), first, t),
    ...(otherCount === 0
      ? []
      : [
          areUncertain
            ? otherCount === 1
              ? t('1 more viewpoint might be shown to more people.')
              : t('{0} more viewpoints might be shown to more people.', otherCount)
            : otherCount === 1
              ? t('1 more viewpoint is shown to more people.')
              : t('{0} more viewpoints are shown to more people.', otherCount),
        ]),
  ];
}

function formatGain(
  parties: readonly string[],
  { viewpoint: { name }, difference }: { viewpoint: ViewpointAccess; difference: ViewpointDifference },
  t: Localize,
): string {
  const party = joinNames(parties, t, maxNames.sentence);
  if (difference.isUncertain) {
    return t('{0} might gain the viewpoint {1}.', party, name);
  }
  if (difference.before.isVisible === true) {
    const apps = difference.after.apps.filter((app) => !difference.before.apps.includes(app));
    return parties.length === 1
      ? t('{0} gains the viewpoint {1} in {2}.', party, name, joinNames(apps, t, maxNames.sentence))
      : t('{0} gain the viewpoint {1} in {2}.', party, name, joinNames(apps, t, maxNames.sentence));
  }
  return parties.length === 1
    ? t('{0} gains the viewpoint {1}.', party, name)
    : t('{0} gain the viewpoint {1}.', party, name);
}

/** Describes who loses viewpoints: those who lose the only one, or how many there are. */
export function summarizeViewpointLosses(
  { viewpoints = [], partyNames }: PlannedAccess,
  t: Localize,
): readonly string[] {
  const losses = viewpoints.flatMap((viewpoint) =>
    viewpoint.differences
      .filter(({ effect }) => effect !== 'gains')
      .map((difference) => ({ viewpoint, difference })),
  );
  const first = losses.find(({ difference: { isUncertain } }) => !isUncertain) ?? losses[0];
  if (first === undefined) {
    return [];
  }
  const count = new Set(losses.map(({ viewpoint }) => viewpoint)).size;
  if (count === 1) {
    return [formatLoss(formatParties(first.viewpoint, first.difference, { partyNames, t }), first, t)];
  }
  return [
    losses.some(({ difference: { isUncertain } }) => isUncertain)
      ? t('{0} viewpoints might be shown to fewer people.', count)
      : t('{0} viewpoints are shown to fewer people.', count),
  ];
}

function formatLoss(
  parties: readonly string[],
  { viewpoint: { name }, difference }: { viewpoint: ViewpointAccess; difference: ViewpointDifference },
  t: Localize,
): string {
  const party = joinNames(parties, t, maxNames.sentence);
  if (difference.isUncertain) {
    return t('{0} might lose the viewpoint {1}.', party, name);
  }
  if (difference.after.isVisible === true) {
    const apps = difference.before.apps.filter((app) => !difference.after.apps.includes(app));
    return parties.length === 1
      ? t('{0} loses the viewpoint {1} in {2}.', party, name, joinNames(apps, t, maxNames.sentence))
      : t('{0} lose the viewpoint {1} in {2}.', party, name, joinNames(apps, t, maxNames.sentence));
  }
  return parties.length === 1
    ? t('{0} loses the viewpoint {1}.', party, name)
    : t('{0} lose the viewpoint {1}.', party, name);
}

/** Returns the names of the parties of a difference, as shown to the user. */
function formatParties(
  { differences }: ViewpointAccess,
  { parties }: ViewpointDifference,
  { partyNames, t }: Pick<PlannedAccess, 'partyNames'> & { readonly t: Localize },
): readonly string[] {
  return parties.map(({ type, id = '' }) => {
    const name = partyNames.get(`${type}:${id}`) ?? id;
    switch (type) {
      case 'user':
        return t('User {0}', name);
      case 'group':
        return t('Group {0}', name);
      case 'default':
        return differences.length === 1 ? t('Everyone') : t('Everyone else');
    }
  });
}

function formatVisibility({ isVisible, apps }: PartyVisibility, t: Localize): string {
  if (isVisible === false) {
    return t('not visible');
  }
  if (apps.length === 0) {
    return t('possibly visible');
  }
  const names = joinNames(apps, t, maxNames.item);
  return isVisible === true ? t('visible in {0}', names) : t('possibly visible in {0}', names);
}
