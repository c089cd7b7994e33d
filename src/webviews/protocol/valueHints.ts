import type { Localize } from '../../base/localize.ts';

/**
 * Returns a hint for a typed list of values in which commas may have been meant as separators.
 * @param count the number of values if commas are separators; `undefined` if the list contains no such commas
 */
export const getCommaHint = (count: number | undefined, t: Localize): string | undefined =>
  count === undefined ? undefined : t('To enter {0} values, separate them with semicolons.', count);
