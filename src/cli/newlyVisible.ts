import { english } from '../base/localize.ts';
import { limitRules } from '../project/access/newlyVisibleTexts.ts';
import type { PlanOutput } from './planOutput.ts';

type Access = Pick<PlanOutput, 'access'>;
type NewTable = PlanOutput['access']['newTables'][number];
type VisibleItem = NonNullable<PlanOutput['access']['newlyVisible']>[number];

/** Splits the new tables into those with rules and those without. */
export const splitNewTables = ({
  access: { newTables },
}: Access): readonly [readonly NewTable[], readonly NewTable[]] => [
  newTables.filter(({ rules }) => rules.length > 0),
  newTables.filter(({ rules }) => rules.length === 0),
];

/** Formats the rules of a new table. */
export const formatRules = (rules: NewTable['rules']): string => limitRules(rules, english).join('; ');

/** The title of what becomes visible in existing tables. */
export const newlyVisibleTitle = 'Newly visible';

/** Formats what becomes visible in existing tables, and what viewpoints might show, one line for each. */
export const formatNewlyVisible = ({ access: { newlyVisible = [] } }: Access): readonly string[] =>
  newlyVisible.map((visible) => `${formatVisibleItem(visible)}: ${listVisibilityTexts(visible).join('; ')}`);

/** Formats a table or column that becomes visible, or a viewpoint. */
export const formatVisibleItem = ({ item, column }: VisibleItem): string =>
  column === undefined ? item : `${item}/${column}`;

/** Returns who sees an item that becomes visible, and its rules. */
export const listVisibilityTexts = ({ text, rules }: VisibleItem): readonly string[] => [
  text,
  ...limitRules(rules, english),
];
