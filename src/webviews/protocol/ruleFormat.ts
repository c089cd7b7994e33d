import { escapeAndMarkValue } from '../../base/escapeAndMarkValue.ts';
import { joinWithMore } from '../../base/joinNames.ts';
import type { Localize } from '../../base/localize.ts';
import type { ChangeSummary, GrantSummary } from './ruleChange.ts';

/** The maximum number of values to list for a rule. */
const maxShownValues = 12;

const valueCollator = new Intl.Collator('en', { numeric: true });

/** The maximum number of parties to list for a rule; it can have hundreds. */
const maxShownParties = 8;

type RuleGrantValue = 'unclear' | { readonly kind: 'only' | 'except'; readonly values: ReadonlySet<string> };

/** The grant of a rule, and its parties. */
interface RuleSummary {
  readonly grant: RuleGrantValue;
  readonly parties: readonly ChangeSummary['party'][];
}

/**
 * Summarizes a grant with the first few of its values, sorted: the same grant reads the same wherever it is shown.
 * @param otherGrants grants displayed beside this one: if not all values can be listed, those that the other grants
 *   lack come first
 */
export function summarizeGrant(
  grant: RuleGrantValue,
  otherGrants: readonly RuleGrantValue[] = [],
): GrantSummary {
  if (grant === 'unclear') {
    return { kind: 'unclear', values: [], moreCount: 0 };
  }
  const isShared = (value: string): boolean =>
    otherGrants.some((other) => other !== 'unclear' && other.values.has(value));
  const values = sortDifferingFirst([...grant.values].sort(valueCollator.compare), isShared, maxShownValues);
  if (values.length === 0) {
    return { kind: grant.kind === 'only' ? 'nothing' : 'everything', values, moreCount: 0 };
  }
  return {
    kind: grant.kind,
    values: values.slice(0, maxShownValues),
    moreCount: Math.max(0, values.length - maxShownValues),
  };
}

/**
 * Quotes a value, so that values are distinct even if they contain commas, blanks, or line breaks; quotes in it are
 * doubled. A line break is written as in a table of rules (reference.md, "Values in a table").
 */
const quoteValue = (value: string): string =>
  `"${(/[\n\r\t]/.test(value) ? escapeAndMarkValue(value) : value).replaceAll('"', '""')}"`;

/** Lists values in quotes. */
export const formatGrantValues = (
  { values, moreCount }: Pick<GrantSummary, 'values' | 'moreCount'>,
  t: Localize,
): string => joinWithMore(values.map(quoteValue), moreCount, t);

/** Describes the access that a rule grants. */
export function formatGrant({ kind, values, moreCount }: GrantSummary, t: Localize): string {
  const list = formatGrantValues({ values, moreCount }, t);
  switch (kind) {
    case 'only':
      return t('only {0}', list);
    case 'except':
      return t('all but {0}', list);
    case 'everything':
      return t('all values');
    case 'nothing':
      return t('no values');
    case 'unclear':
      return t('uncertain');
  }
}

/** Formats a party for use within a sentence. */
export function formatParty({ type, name }: ChangeSummary['party'], t: Localize): string {
  switch (type) {
    case 'user':
      return t('user {0}', name);
    case 'group':
      return t('group {0}', name);
    case 'default':
      return t('everyone else');
  }
}

/**
 * Lists the first few parties of a rule. In a long list, those that are not among the parties of the `other` rule come
 * first.
 */
export function formatParties(
  parties: RuleSummary['parties'],
  t: Localize,
  other: RuleSummary['parties'] = [],
): string {
  const isShared = ({ type, name }: ChangeSummary['party']): boolean =>
    other.some((otherParty) => otherParty.type === type && otherParty.name === name);
  const names = sortDifferingFirst(parties, isShared, maxShownParties)
    .slice(0, maxShownParties)
    .map((party) => formatParty(party, t));
  return names.length === 0 ? t('no one') : joinWithMore(names, parties.length - maxShownParties, t);
}

/** Describes a rule by its parties and access: rules on one column look the same otherwise. */
export const formatRule = ({ grant, parties }: RuleSummary, t: Localize): string =>
  `${formatParties(parties, t)}: ${formatGrant(summarizeGrant(grant), t)}`;

/** Describes a rule before and after a change; in long lists, the differences come first. */
export function formatRuleChange(before: RuleSummary, after: RuleSummary, t: Localize): string {
  const [oldParties, newParties] = [
    formatParties(before.parties, t, after.parties),
    formatParties(after.parties, t, before.parties),
  ];
  const [oldGrant, newGrant] = [
    formatGrant(summarizeGrant(before.grant, [after.grant]), t),
    formatGrant(summarizeGrant(after.grant, [before.grant]), t),
  ];
  return `${oldParties}: ${oldGrant} → ${oldParties === newParties ? newGrant : `${newParties}: ${newGrant}`}`;
}

/** Moves the items that are not shared to the front, unless there is room for all items. */
const sortDifferingFirst = <T>(
  items: readonly T[],
  isShared: (item: T) => boolean,
  maxCount: number,
): readonly T[] =>
  items.length <= maxCount ? items : [...items.filter((item) => !isShared(item)), ...items.filter(isShared)];
