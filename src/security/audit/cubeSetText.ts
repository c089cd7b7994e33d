import type { Localize } from '../../base/localize.ts';

/** The warning about a cube set without rules: the server answers any name with an empty list. */
export const getUnconfirmedCubeSetText = (t: Localize): string =>
  t(
    'Not confirmed: the server lists no rules for a cube set of this name. Check its spelling; upper and lower case count.',
  );
