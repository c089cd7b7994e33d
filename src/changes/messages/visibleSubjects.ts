import { joinNames } from '../../base/joinNames.ts';
import type { Localize } from '../../base/localize.ts';
import type { Plan, PlanSubject } from '../model/plan.ts';

/** The maximum number of names in a sentence. */
const maxNames = 3;

/**
 * Returns a sentence on the tables and columns that a plan creates or no longer hides; none if there are none. Everyone
 * who may see rows of the table sees them, so no comparison of access contains them.
 */
export function summarizeVisibleSubjects(
  { created, changed }: Pick<Plan, 'created' | 'changed'>,
  t: Localize,
): readonly string[] {
  const visible = [
    ...created,
    ...changed.filter(({ fields }) =>
      fields.some(({ field, before, after }) => field === 'hidden' && before === 'true' && after !== 'true'),
    ),
  ].filter(({ kind }) => kind === 'table' || kind === 'column');
  return visible.length === 0
    ? []
    : [
        t(
          'Newly visible in the rows that rules allow: {0}.',
          joinNames(visible.map(formatName), t, maxNames),
        ),
      ];
}

const formatName = ({ kind, name, within }: PlanSubject): string => {
  const table = within.at(-1);
  return kind === 'column' && table !== undefined ? `${table}.${name}` : name;
};
