import type { ApiOperation } from './apiError.ts';

export interface GuardedConnection {
  readonly id: string;
  readonly name: string;
}

/**
 * Asked in the pipeline itself right before anything but a GET goes out, so that no way around it exists
 * (design.md, section 4: a read-only connection, or a production one that is not unlocked).
 */
export interface WriteGuard {
  /** The connection that is guarded, for the words of a refusal and the way on. */
  readonly connection?: GuardedConnection;
  /** Why the operation must not be sent now; `undefined` lets it pass. */
  refusal(operation: ApiOperation): 'read-only' | 'locked' | undefined;
}

/** Lets every write pass: development and staging connections. */
export const openGuard: WriteGuard = { refusal: () => undefined };

/** Lets no write pass. */
export const readOnlyGuard: WriteGuard = { refusal: () => 'read-only' };
