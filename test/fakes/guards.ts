import type { WriteGuard } from '../../src/client/guard.ts';

/** A write guard that allows every write. */
export const writableGuard: WriteGuard = { getRefusal: () => undefined };

/** A write guard that allows no write. */
export const readOnlyGuard: WriteGuard = { getRefusal: () => 'read-only' };
