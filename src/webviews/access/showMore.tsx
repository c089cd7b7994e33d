import { t } from '../shared/t.ts';

/** The initial number of rows of a list; a datamodel can have tens of thousands of columns. */
export const initialRowCount = 200;

/** A button that shows more rows of a list; renders nothing if all rows are visible. */
export function ShowMore({
  count,
  most,
  show,
}: {
  readonly count: number;
  readonly most: number;
  readonly show: (most: number) => void;
}) {
  return count <= most ? null : (
    <button type="button" class="button more" onClick={() => show(most + 1000)}>
      {t('Show more ({0} of {1} shown)', most, count)}
    </button>
  );
}
