import type { CellProblem, CellValue } from '../../security/matrix/cellText.ts';
import type { ReadOnlyReason } from '../../security/matrix/ruleMatrix.ts';
import type { Grant } from '../../security/readRules.ts';
import { isExclusion, isAllValues, isNoValues, type ValueSet } from '../../security/valueSet.ts';
import { formatValue } from '../../security/values/formatValues.ts';
import { t } from '../shared/t.ts';

/** A short description of the content of a cell. */
export interface CellDescription {
  readonly icon: string;
  readonly kind: 'everything' | 'nothing' | 'only' | 'except' | 'unclear' | 'several' | 'none';
  readonly text: string;
  /** The total number of values, if the text contains only the first ones. */
  readonly count?: number;
}

/** The maximum number of values to list. */
const maxNamedValues = 3;

export function describeCell(value: CellValue): CellDescription {
  const [first, ...others] = value;
  if (first === undefined) {
    return { icon: '', kind: 'none', text: '' };
  }
  if (others.length > 0) {
    const text = value.map((grant) => formatGrantShort(grant, 2)).join(' | ');
    return { icon: 'layers', kind: 'several', text: t('{0} rules: {1}', value.length, text) };
  }
  const valueCount = first === 'unclear' ? 0 : first.values.size;
  if (first === 'unclear' || valueCount <= maxNamedValues) {
    return { ...getGrantKind(first), text: formatGrantShort(first) };
  }
  const values = formatFirstValues(first, maxNamedValues);
  return {
    ...getGrantKind(first),
    text: isExclusion(first) ? t('All but {0}', values) : values,
    count: valueCount,
  };
}

function getGrantKind(grant: Grant): Pick<CellDescription, 'icon' | 'kind'> {
  if (grant === 'unclear') {
    return { icon: 'question', kind: 'unclear' };
  }
  if (isAllValues(grant)) {
    return { icon: 'check-all', kind: 'everything' };
  }
  if (isNoValues(grant)) {
    return { icon: 'circle-slash', kind: 'nothing' };
  }
  return isExclusion(grant) ? { icon: 'exclude', kind: 'except' } : { icon: 'filter', kind: 'only' };
}

/** Formats a grant in the syntax of cells that are typed: values separated by semicolons. */
function formatGrantShort(grant: Grant, maxValues = maxNamedValues): string {
  if (grant === 'unclear') {
    return t('Uncertain');
  }
  if (isAllValues(grant)) {
    return t('All');
  }
  if (isNoValues(grant)) {
    return t('Nothing');
  }
  const values = formatFirstValues(grant, maxValues);
  const hiddenCount = grant.values.size - maxValues;
  const list = hiddenCount > 0 ? t('{0}; and {1} more', values, hiddenCount) : values;
  return isExclusion(grant) ? t('All but {0}', list) : list;
}

const formatFirstValues = ({ values }: ValueSet, maxValues: number): string =>
  values.values().take(maxValues).map(formatShownValue).toArray().join('; ');

/** Formats a value as it is typed; very long ones are truncated. */
const formatShownValue = (value: string): string =>
  formatValue(value.length > 80 ? `${value.slice(0, 80)}…` : value);

/** Describes a cell with its first values and the number of others, for display without an icon. */
export const describeCellShort = (value: CellValue): string =>
  value.map((grant) => formatGrantShort(grant)).join(' | ');

/** Describes a cell with up to 30 values of each rule. */
export function describeCellLong(value: CellValue): string {
  if (value.length === 0) {
    return t('no rule');
  }
  return value.map((grant) => formatGrantShort(grant, 30)).join(' | ');
}

export function describeRefusal(reason: CellProblem | ReadOnlyReason): string {
  switch (reason) {
    case 'unclear':
      return t("It's unclear whether this means all values or no values. Enter All or Nothing.");
    case 'members-required':
      return t('Expected at least one value after "All but".');
    case 'exclusionary-live':
      return t(
        "For live datamodels, this server doesn't return rules that exclude values. List the visible values instead.",
      );
    case 'unreadable-party':
      return t("A rule in this cell has a user or group that can't be read. Edit it in the JSON.");
    case 'no-id':
      return t(
        "The server returned no ID for a rule in this cell, so it can't be changed or deleted here. Delete it in the platform's web interface first.",
      );
  }
}
