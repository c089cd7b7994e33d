import type { Localize } from '../../base/localize.ts';

/** The warning about a cube set without rules: the server answers any name with an empty list. */
export const getUnconfirmedCubeSetText = (t: Localize): string =>
  t(
    'Not confirmed: the server returned no rules for a cube set with this name. Check the spelling. Names are case-sensitive.',
  );
