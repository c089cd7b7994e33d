import type { ApiRequestInfo } from './apiError.ts';

export interface GuardedConnection {
  readonly id: string;
  readonly name: string;
}

/**
 * Decides whether writes may be sent. The pipeline checks it right before it sends anything but a GET, so that it
 * cannot be bypassed (decisions.md, "REST client": a read-only connection, or a production one that is not unlocked).
 */
export interface WriteGuard {
  /** The guarded connection, for the error message and the suggested action. */
  readonly connection?: GuardedConnection;
  /** Why the request must not be sent now; `undefined` allows it. */
  getRefusal(requestInfo: ApiRequestInfo): 'read-only' | 'locked' | undefined;
}
