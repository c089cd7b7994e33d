import type { Localize } from '../../base/localize.ts';
import { type Table, getColumnName } from '../../contract/table.ts';

/** Describes what an incremental build does with the rows of a table (platform-facts.md, 2.4). */
export function describeIncrement(
  { buildBehavior, columns }: Pick<Table, 'buildBehavior' | 'columns'>,
  t: Localize,
): string {
  const { column: columnId, lastDays, keepOnlyDays } = buildBehavior?.accumulativeConfig ?? {};
  const column = columns?.find(({ oid }) => oid === columnId);
  const additions = !columnId
    ? t('adds rows after the last value of a column, but no column is selected')
    : column === undefined
      ? t("adds rows after the last value of a column, but the table doesn't have that column")
      : t('adds rows after the last {0}', getColumnName(column));
  const repeated = !isCount(lastDays)
    ? undefined
    : lastDays === 1
      ? t('reads the last day again')
      : t('reads the last {0} days again', lastDays);
  const dropped = !isCount(keepOnlyDays)
    ? undefined
    : keepOnlyDays === 1
      ? t('drops rows older than 1 day')
      : t('drops rows older than {0} days', keepOnlyDays);
  return [additions, repeated, dropped].filter((text) => text !== undefined).join(' · ');
}

const isCount = (value: unknown): value is number => typeof value === 'number';
