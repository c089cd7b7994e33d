import { t } from '../shared/t.ts';

/** A button that shows more rows of a list; renders nothing if all rows are visible. */
export function ShowMore({
  count,
  maxRows,
  setMaxRows,
}: {
  readonly count: number;
  readonly maxRows: number;
  readonly setMaxRows: (maxRows: number) => void;
}) {
  return count <= maxRows ? null : (
    <button type="button" class="button more" onClick={() => setMaxRows(maxRows + 1000)}>
      {t('Show More ({0} of {1} shown)', maxRows, count)}
    </button>
  );
}
