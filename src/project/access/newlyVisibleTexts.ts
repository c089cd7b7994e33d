import { joinNames } from '../../base/joinNames.ts';
import type { Localize } from '../../base/localize.ts';
import type { RuleEffect } from '../../security/ruleEffect.ts';
import type { ChangedViewpoint, NewlyVisiblePart, NewlyVisibleItems } from './newlyVisible.ts';

/** The maximum numbers of names in a sentence, of parties in a sentence, and of rules in a line. */
const maxCount = { names: 3, parties: 5, rules: 10 };

/**
 * Returns sentences on who sees what becomes visible in existing tables, and on viewpoints that show something else.
 * What rules don't restrict comes first.
 */
export function summarizeNewlyVisible(
  { inExistingTables, viewpoints }: Pick<NewlyVisibleItems, 'inExistingTables' | 'viewpoints'>,
  t: Localize,
): readonly string[] {
  const summarize = (matches: (effect: RuleEffect) => boolean, format: (names: string) => string) => {
    const names = inExistingTables.filter(({ effect }) => matches(effect)).map(getVisibleName);
    return names.length === 0 ? [] : [format(joinNames(names, t, maxCount.names))];
  };
  const isOpen = (effect: RuleEffect): boolean =>
    !effect.restrictsEveryoneElse && !effect.restrictsNamedParties;
  return [
    ...summarize(
      (effect) => isOpen(effect) && !effect.isUncertain,
      (names) => t('Newly visible to everyone with access to the datamodel: {0}.', names),
    ),
    ...summarize(
      (effect) => isOpen(effect) && effect.isUncertain,
      (names) => t('Might be newly visible to everyone with access to the datamodel: {0}.', names),
    ),
    ...summarize(
      (effect) => !effect.restrictsEveryoneElse && effect.restrictsNamedParties,
      (names) => t('Newly visible, with rules only for some users and groups: {0}.', names),
    ),
    ...summarize(
      (effect) => effect.restrictsEveryoneElse,
      (names) => t('Newly visible in the rows that rules allow: {0}.', names),
    ),
    ...(viewpoints.length === 0
      ? []
      : [
          t(
            'Might show more than before: {0}.',
            joinNames(
              viewpoints.map(({ key }) => t('viewpoint {0}', key.viewpoint)),
              t,
              maxCount.names,
            ),
          ),
        ]),
  ];
}

/** Returns the name of a table or column that becomes visible. */
export const getVisibleName = ({ key, column }: Pick<NewlyVisiblePart, 'key' | 'column'>): string =>
  column === undefined ? key.table : `${key.table}.${column}`;

/** Says why a table or column becomes visible, and who sees it. */
export const describeNewlyVisible = (
  { column, reason, effect }: Pick<NewlyVisiblePart, 'column' | 'reason' | 'effect'>,
  t: Localize,
): readonly string[] => [
  ...(reason === 'unhidden' ? [t('no longer hidden')] : column === undefined ? [] : [t('new column')]),
  describeVisibility(effect, t),
];

/** Says who sees the rows of a table. */
export const describeVisibility = (
  { restrictsEveryoneElse, restrictsNamedParties, isUncertain }: RuleEffect,
  t: Localize,
): string =>
  restrictsEveryoneElse
    ? t('visible in the rows that rules allow')
    : restrictsNamedParties
      ? isUncertain
        ? t('everyone else with access to the datamodel might see it')
        : t('everyone else with access to the datamodel will see it')
      : isUncertain
        ? t('everyone with access to the datamodel might see it')
        : t('everyone with access to the datamodel will see it');

/** Says who sees something else in a viewpoint. */
export const describeChangedViewpoint = ({ parties }: ChangedViewpoint, t: Localize): string =>
  t(
    'changed details might show more to {0}',
    parties.length === 0
      ? t('those who see it')
      : joinNames(
          parties.map(({ type, id = '' }) => (type === 'user' ? t('User {0}', id) : t('Group {0}', id))),
          t,
          maxCount.parties,
        ),
  );

/** Limits the rules that a line lists, and counts the others. */
export const limitRules = (texts: readonly string[], t: Localize): readonly string[] =>
  texts.length <= maxCount.rules
    ? texts
    : [...texts.slice(0, maxCount.rules), t('and {0} more', texts.length - maxCount.rules)];
