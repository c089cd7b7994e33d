import type { Localize } from '../../base/localize.ts';
import { ConflictError, NameTakenError } from '../run/writeErrors.ts';

/** Formats an error if it means that another user was faster; `undefined` for any other error. */
export const formatConflict = (t: Localize, error: unknown): string | undefined =>
  error instanceof NameTakenError
    ? t(
        'Someone else has created an item with this name on the server in the meantime. Rename or delete it and finish the change, or roll the change back.',
      )
    : error instanceof ConflictError
      ? t('Someone else has changed this on the server in the meantime. Try again.')
      : undefined;
