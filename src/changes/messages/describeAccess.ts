import type { Localize } from '../../base/localize.ts';
import type { PlannedAccess } from '../model/plan.ts';
import type { AccessEffect } from '../../security/change/accessDifferenceRow.ts';
import type { PlanItem, PlanSection } from '../../webviews/protocol/planPage.ts';
import { describeUnchecked, describeUntilBuild } from './describeUnchecked.ts';
import {
  type ViewpointItem,
  describeViewpointItems,
  summarizeViewpointGains,
  summarizeViewpointLosses,
} from './describeViewpointAccess.ts';
import { DifferenceFormatter } from './differenceFormatter.ts';

/** The part of a plan that shows who gains and who loses access. */
export interface AccessDescription {
  /** Describes who gains and who loses access, in a few sentences. */
  readonly summary: string;
  /** Gains first. */
  readonly sections: readonly Pick<PlanSection, 'title' | 'tone' | 'items'>[];
  /** The items of the sections that are about viewpoints, which come after those about data. */
  readonly viewpointItems: readonly ViewpointItem[];
  /** The items of the sections whose effect is uncertain. */
  readonly uncertainItems: ReadonlySet<PlanItem>;
  /** The effects that were not computed. */
  readonly unchecked: readonly PlanItem[];
  /** The unchecked effects that last until the next build. They are also shown after the change. */
  readonly untilBuild: readonly PlanItem[];
}

/**
 * Describes who gains and who loses access through an operation.
 * @param options.deletesData whether it deletes data that someone may see, even if no rule restricts it
 * @param options.newlyVisible sentences on what becomes visible, which `access` doesn't contain
 * @param options.isPartlyUnknown whether more may change than `access` contains
 */
export function describeAccess(
  access: PlannedAccess,
  t: Localize,
  {
    deletesData = false,
    newlyVisible = [],
    isPartlyUnknown = false,
  }: {
    readonly deletesData?: boolean;
    readonly newlyVisible?: readonly string[];
    readonly isPartlyUnknown?: boolean;
  } = {},
): AccessDescription {
  const { subjects, partyNames } = access;
  const formatter = new DifferenceFormatter(t, partyNames);
  const rows = subjects.flatMap(({ title, isCubeSet, difference }) =>
    difference.rows.map((row) => ({ title, isCubeSet, row })),
  );
  const otherPartyCount = subjects.reduce((sum, { difference }) => sum + difference.otherPartyCount, 0);
  const hasMoreCombinations = subjects.some(({ difference }) => difference.hasMoreCombinations);
  const viewpointItems = describeViewpointItems(access, t);
  const viewpointGains = summarizeViewpointGains(access, t);
  const viewpointLosses = summarizeViewpointLosses(access, t);
  const uncertainItems = new Set<PlanItem>();
  const getItems = (effect: AccessEffect): readonly PlanItem[] => [
    ...rows
      .filter(({ row }) => row.effect === effect)
      .map(({ title, isCubeSet, row }) => {
        const item = formatter.toItem(
          row,
          isCubeSet === true ? t('cube set {0}', title) : subjects.length > 1 ? title : undefined,
        );
        if (row.isUncertain) {
          uncertainItems.add(item);
        }
        return item;
      }),
    ...viewpointItems.filter((viewpointItem) => viewpointItem.effect === effect).map(({ item }) => item),
  ];
  const gains = [
    ...formatter.formatGains(rows, otherPartyCount > 0 || hasMoreCombinations),
    ...viewpointGains,
  ];
  const losses = [...formatter.formatLosses(rows), ...viewpointLosses];
  const ruleSummary = subjects.flatMap(({ title, rulesWithoutEffect = [] }) =>
    rulesWithoutEffect.length === 0
      ? []
      : [
          t(
            'Rules of the cube set {0} probably have no effect, because no known datamodel has these columns: {1}.',
            title,
            formatter.formatColumns(rulesWithoutEffect),
          ),
        ],
  );
  const hasGainsUntilBuild = subjects.some(({ untilBuild }) => untilBuild !== undefined);
  const notes = [
    ...(access.dataChanges === undefined
      ? []
      : [t('Changed data might change who sees what: see "Not checked".')]),
    ...(hasGainsUntilBuild || access.viewpointsUntilBuild !== undefined
      ? [t('Until the next build, more data might be visible: see "Not checked".')]
      : []),
  ];
  const isAnyKnown = gains.length + losses.length + notes.length > 0;
  // Says what stays the same apart from the newly visible items, so it comes after them.
  const unchanged =
    gains.length > 0 || access.dataChanges !== undefined || isPartlyUnknown
      ? []
      : [
          describeUnchanged(t, {
            hasLosses: losses.length > 0,
            hasGainsUntilBuild,
            deletesData,
            hasNewlyVisible: newlyVisible.length > 0,
          }),
        ];
  return {
    summary: [
      ...gains,
      ...(gains.length > 0 ? losses : []),
      ...newlyVisible,
      ...unchanged,
      ...(gains.length > 0 ? [] : losses),
      ...notes,
      ...(isPartlyUnknown
        ? [
            isAnyKnown
              ? t('Not all rules and viewpoints could be compared.')
              : t('Who gains or loses access is unknown.'),
          ]
        : []),
      ...ruleSummary,
    ].join(' '),
    viewpointItems,
    uncertainItems,
    sections: [
      { title: t('Gains access'), tone: 'warning', items: getItems('gains') },
      { title: t('Access changes'), tone: 'warning', items: getItems('changes') },
      { title: t('Loses access'), tone: 'plain', items: getItems('loses') },
    ],
    unchecked: describeUnchecked(access, formatter, t),
    untilBuild: describeUntilBuild(access, formatter, t),
  };
}

/** Says what doesn't change. */
function describeUnchanged(
  t: Localize,
  {
    hasLosses,
    hasGainsUntilBuild,
    deletesData,
    hasNewlyVisible,
  }: Readonly<Record<'hasLosses' | 'hasGainsUntilBuild' | 'deletesData' | 'hasNewlyVisible', boolean>>,
): string {
  if (hasLosses) {
    return hasNewlyVisible ? t('No one gains access to anything else.') : t('No one gains access.');
  }
  if (hasGainsUntilBuild) {
    return hasNewlyVisible
      ? t('After the next build, no one gains or loses access to anything else.')
      : t('After the next build, no one gains or loses access.');
  }
  if (deletesData) {
    return hasNewlyVisible
      ? t("Access to everything else that isn't deleted stays the same.")
      : t("Access to everything that isn't deleted stays the same.");
  }
  return hasNewlyVisible
    ? t('Access to everything else stays the same.')
    : t('No one gains or loses access.');
}
