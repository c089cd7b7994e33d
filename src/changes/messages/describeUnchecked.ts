import type { Localize } from '../../base/localize.ts';
import type { PlanItem } from '../../webviews/protocol/planPage.ts';
import type { DataChange, PlannedAccess } from '../model/plan.ts';

/** Describes the effects on access that were not computed. */
export function describeUnchecked(access: PlannedAccess, t: Localize): readonly PlanItem[] {
  const { subjects } = access;
  const otherPartyCount = subjects.reduce((sum, { difference }) => sum + difference.otherPartyCount, 0);
  return [
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
            text: t('Users to whom several rules apply'),
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

/** The maximum number of tables or columns to name. */
const maxNames = 3;

/** Describes the changes of data that access depends on. */
function describeDataChanges({ dataChanges = [] }: PlannedAccess, t: Localize): readonly PlanItem[] {
  const formatNames = (names: readonly string[]): string =>
    names.length > maxNames
      ? t('{0}; {1} more', names.slice(0, maxNames).join('; '), names.length - maxNames)
      : names.join('; ');
  return dataChanges.map(({ kind, name, dependents, reads }) => ({
    icon: 'question',
    text: describeDataChange(kind, name, t),
    detail: [
      ...(dependents.length === 0 ? [] : [t('who sees which rows depends on {0}', formatNames(dependents))]),
      ...(reads.length === 0
        ? []
        : [t('without rules of its own, it reads {0}, which rules restrict', formatNames(reads))]),
    ].join(' · '),
  }));
}

function describeDataChange(kind: DataChange['kind'], name: string, t: Localize): string {
  switch (kind) {
    case 'sql':
      return t('The SQL of {0} changes', name);
    case 'names':
      return t('Names in the SQL of {0} mean something else', name);
    case 'source':
      return t('The source or type of {0} changes', name);
    case 'new':
      return t('{0} is new', name);
  }
}
