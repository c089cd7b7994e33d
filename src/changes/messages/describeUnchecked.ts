import { joinNames } from '../../base/joinNames.ts';
import type { Localize } from '../../base/localize.ts';
import type { PlanItem } from '../../webviews/protocol/planPage.ts';
import type { PendingBuild } from '../model/operation.ts';
import type { DataChange, PlannedAccess } from '../model/plan.ts';
import type { DifferenceFormatter } from './differenceFormatter.ts';

/** Describes the effects on access that were not computed. */
export function describeUnchecked(
  access: PlannedAccess,
  formatter: DifferenceFormatter,
  t: Localize,
): readonly PlanItem[] {
  const { subjects } = access;
  const otherPartyCount = subjects.reduce((sum, { difference }) => sum + difference.otherPartyCount, 0);
  return [
    ...describeUntilBuild(access, formatter, t),
    ...describeDataChanges(access, t),
    ...(otherPartyCount === 0
      ? []
      : [
          {
            icon: 'question',
            text:
              otherPartyCount === 1
                ? t('1 more user or group')
                : t('{0} more users and groups', otherPartyCount),
            detail: t('their access might also change'),
          } as const,
        ]),
    ...(subjects.some(({ difference }) => difference.hasMoreCombinations)
      ? [
          {
            icon: 'question',
            text: t('Users affected by several rules'),
            detail: t('their access might also change'),
          } as const,
        ]
      : []),
    ...subjects
      .filter(({ hasUnreadableTables }) => hasUnreadableTables === true)
      .map(({ title }) => ({
        icon: 'question',
        text: t('Other tables of {0}', title),
        detail: t('who gains or loses access to linked tables is unknown'),
      })),
  ];
}

/** Describes what may be visible until the next build, and no longer after it. */
export const describeUntilBuild = (
  access: PlannedAccess,
  formatter: DifferenceFormatter,
  t: Localize,
): readonly PlanItem[] => [
  ...describeGainsUntilBuild(access, formatter, t),
  ...describeViewpointsUntilBuild(access, t),
];

/**
 * Describes the viewpoints that may show more until queries know the new relations of their datamodel: one item for
 * each datamodel, since an apply may create all of its viewpoints.
 */
const describeViewpointsUntilBuild = (
  { viewpointsUntilBuild = [] }: PlannedAccess,
  t: Localize,
): readonly PlanItem[] =>
  [
    ...Map.groupBy(viewpointsUntilBuild, ({ datamodel, isLive, isNeverBuilt }) =>
      JSON.stringify([datamodel, isLive, isNeverBuilt]),
    ),
  ].flatMap(([, group]): readonly PlanItem[] => {
    const [first] = group;
    if (first === undefined) {
      return [];
    }
    const { viewpoint } = first;
    const names = joinNames(
      group.map((entry) => entry.viewpoint),
      t,
      maxListed,
    );
    return [
      {
        icon: 'question',
        text:
          group.length === 1 ? t('Viewpoint {0}', viewpoint) : t('{0} viewpoints ({1})', group.length, names),
        detail: describeUnrestrictedTables(first, t),
      },
    ];
  });

function describeUnrestrictedTables({ datamodel, isLive, isNeverBuilt }: PendingBuild, t: Localize): string {
  if (isNeverBuilt === true) {
    return isLive
      ? t(
          'rules might not restrict linked tables until {0} is published again, if its first publication is already running',
          datamodel,
        )
      : t(
          'rules might not restrict linked tables until {0} is built again, if its first build is already running',
          datamodel,
        );
  }
  return isLive
    ? t(
        'rules might not restrict linked tables until {0} is published, if queries use the last published schema',
        datamodel,
      )
    : t(
        'rules might not restrict linked tables until {0} is built, if queries use the schema of the last build',
        datamodel,
      );
}

/** The maximum number of viewpoints, or of datamodels of a cube set, to name. */
const maxListed = 5;

/** The maximum number of tables or columns to name. */
const maxNames = 3;

/** Describes the changes of data that access depends on. */
function describeDataChanges({ dataChanges = [] }: PlannedAccess, t: Localize): readonly PlanItem[] {
  const formatNames = (names: readonly string[]): string =>
    names.length > maxNames
      ? t('{0}; and {1} more', names.slice(0, maxNames).join('; '), names.length - maxNames)
      : names.join('; ');
  return dataChanges.map(({ kind, name, dependents, reads }) => ({
    icon: 'question',
    text: describeDataChange(kind, name, t),
    detail: [
      ...(dependents.length === 0 ? [] : [t('who sees which rows depends on {0}', formatNames(dependents))]),
      ...(reads.length === 0
        ? []
        : [t('it has no rules of its own, but reads {0}, where rules restrict access', formatNames(reads))]),
    ].join(' · '),
  }));
}

function describeDataChange(kind: DataChange['kind'], name: string, t: Localize): string {
  switch (kind) {
    case 'sql':
      return t('The SQL of {0} changes', name);
    case 'names':
      return t('Names in the SQL of {0} refer to something else', name);
    case 'source':
      return t('The source or type of {0} changes', name);
    case 'new':
      return t('{0} is new', name);
  }
}

/** The maximum number of differences until the next build to show of one datamodel. */
const maxGainsUntilBuild = 5;

/**
 * Describes the access that is given only until the next build, if queries use the schema of the last one. Anyone who
 * gains rows for good might see what is deleted in them until then. What the rules of a cube set give in several
 * datamodels is one item.
 */
function describeGainsUntilBuild(
  { subjects }: PlannedAccess,
  formatter: DifferenceFormatter,
  t: Localize,
): readonly PlanItem[] {
  const gains = subjects.flatMap(({ title, isCubeSet, difference, untilBuild }) => {
    if (untilBuild === undefined) {
      return [];
    }
    const { rows, ...build } = untilBuild;
    const container = isCubeSet === true ? t('cube set {0}', title) : undefined;
    const format = (row: (typeof rows)[number]) => formatter.toItem(row, container);
    const lasting = new Set(difference.rows.map((row) => JSON.stringify(format(row))));
    const items = uniqueItems(
      rows.map(format).map((item) =>
        // Only what is deleted is visible until the build; the rows themselves stay visible.
        lasting.has(JSON.stringify(item))
          ? { ...item, detail: t('the additional rows also show deleted columns and tables') }
          : item,
      ),
    );
    const subject = isCubeSet === true ? '' : build.datamodel;
    return [{ key: JSON.stringify([subject, build.isNeverBuilt, items]), build, items }];
  });
  const groups = Map.groupBy(gains, ({ key }) => key);
  return [...groups.values()].flatMap((group): readonly PlanItem[] => {
    const [first] = group;
    if (first === undefined) {
      return [];
    }
    const { build, items } = first;
    const datamodels = group.map((gain) => gain.build.datamodel);
    const time = formatTimeOfBuild(datamodels, build, t);
    const shown = items
      .slice(0, maxGainsUntilBuild)
      .map(({ text, detail }): PlanItem => ({ icon: 'question', text, detail: `${detail} · ${time}` }));
    const otherCount = items.length - shown.length;
    return otherCount === 0
      ? shown
      : [
          ...shown,
          {
            icon: 'question',
            text: otherCount === 1 ? t('1 more access change') : t('{0} more access changes', otherCount),
            detail: time,
          },
        ];
  });
}

const uniqueItems = <Item extends PlanItem>(items: readonly Item[]): readonly Item[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

/** @param build the pending build of one of the datamodels; those of the others are of the same kind */
function formatTimeOfBuild(
  datamodels: readonly string[],
  { isLive, isNeverBuilt }: PendingBuild,
  t: Localize,
): string {
  const names = joinNames(datamodels, t, maxListed);
  if (isNeverBuilt === true) {
    if (isLive) {
      return t('until {0} is published again, if its first publication is already running', names);
    }
    return datamodels.length === 1
      ? t('until {0} is built again, if its first build is already running', names)
      : t('until {0} are built again, if their first builds are already running', names);
  }
  if (isLive) {
    return t('until {0} is published, if queries use the last published schema', names);
  }
  return datamodels.length === 1
    ? t('until {0} is built, if queries use the schema of the last build', names)
    : t('until {0} are built, if queries use the schema of the last build', names);
}
