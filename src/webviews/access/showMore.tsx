import { t } from '../shared/t.ts';

/** The number of rows that a list shows at first; a datamodel can have tens of thousands of columns. */
export const initialRowCount = 200;

/** Shows the number of hidden rows of a list, and a button for more. */
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
