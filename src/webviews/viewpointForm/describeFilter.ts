import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { ColumnFlag } from '../../viewpoints/form/viewpointEdit.ts';
import { t } from '../shared/t.ts';

/** Describes a filter in a few words (platform-facts.md, 5.2); returns an empty text if there is none. */
export function describeFilter(filter: JsonValue | undefined): string {
  if (filter === undefined || filter === null) {
    return '';
  }
  if (!isJsonObject(filter)) {
    return t('custom');
  }
  const { members, from, to, all } = filter;
  if (Array.isArray(members)) {
    return members.length === 1 ? stringifyValue(members[0]) : t('{0} values', members.length);
  }
  if (from !== undefined || to !== undefined) {
    return `${stringifyValue(from)} – ${stringifyValue(to)}`;
  }
  return all === true ? t('all') : t('custom');
}

const stringifyValue = (value: unknown): string =>
  value === undefined ? '…' : typeof value === 'string' ? value : JSON.stringify(value);

/** The icon and label of each flag of a column, and a hint about what it means. */
export const flagLabels: Readonly<
  Record<ColumnFlag, { readonly icon: string; readonly label: () => string; readonly hint: () => string }>
> = {
  uid: {
    icon: 'key',
    label: () => t('Unique ID'),
    hint: () => t('Uniquely identifies a row. At most one column; requires a filter.'),
  },
  defaultMeasure: {
    icon: 'symbol-operator',
    label: () => t('Default measure'),
    hint: () => t("Used when a question doesn't name a measure. At most one column."),
  },
  defaultDate: {
    icon: 'calendar',
    label: () => t('Default date'),
    hint: () => t('Used for questions about time. At most one date column.'),
  },
  header: {
    icon: 'symbol-text',
    label: () => t('Header'),
    hint: () => t('Shown as a header in assistant responses.'),
  },
  filterOnly: {
    icon: 'filter',
    label: () => t('Filter only'),
    hint: () => t('Available for filtering, but not shown.'),
  },
};
