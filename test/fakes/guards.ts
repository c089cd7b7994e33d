import type { WriteGuard } from '../../src/client/guard.ts';

/** Allows every write. */
export const writableGuard: WriteGuard = { getRefusal: () => undefined };

/** Allows no write. */
export const readOnlyGuard: WriteGuard = { getRefusal: () => 'read-only' };
