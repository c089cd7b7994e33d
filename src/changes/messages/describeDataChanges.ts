import type { Localize } from '../../base/localize.ts';
import type { PlanItem } from '../../webviews/protocol/planPage.ts';
import type { PlannedAccess } from '../model/plan.ts';

/** The maximum number of tables or columns to name. */
const maxNames = 3;

/** Describes the changes of data that access depends on. */
export function describeDataChanges({ dataChanges = [] }: PlannedAccess, t: Localize): readonly PlanItem[] {
  const formatNames = (names: readonly string[]): string =>
    names.length > maxNames
      ? t('{0}; {1} more', names.slice(0, maxNames).join('; '), names.length - maxNames)
      : names.join('; ');
  return dataChanges.map(({ kind, name, dependents, reads }) => ({
    icon: 'question',
    text: kind === 'sql' ? t('The SQL of {0} changes', name) : t('The source or type of {0} changes', name),
    detail: [
      ...(dependents.length === 0 ? [] : [t('who sees which rows depends on {0}', formatNames(dependents))]),
      ...(reads.length === 0
        ? []
        : [t('without rules of its own, it reads {0}, which rules restrict', formatNames(reads))]),
    ].join(' · '),
  }));
}
