import type { ToAccess } from '../protocol/access.ts';
import { t } from './t.ts';

/** The warning about rules on a column that no datamodel has. */
export const getMissingColumnText = ({
  isCubeSet,
}: Pick<Extract<ToAccess, { type: 'data' }>, 'isCubeSet'>): string =>
  isCubeSet === true
    ? t('No extract datamodel has this column. Its rules have no effect.')
    : t('Column not found. Its rules have no effect.');
