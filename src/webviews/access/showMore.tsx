import { t } from '../shared/t.ts';

/** Rows that a list shows at first; a datamodel can have ten thousands of columns. */
export const initialRowCount = 200;

/** Says how much of a list is not shown, and shows more of it. */
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
