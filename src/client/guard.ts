import type { ApiRequestInfo } from './apiError.ts';

/** The saved connection that a request is sent for. */
export interface GuardedConnection {
  readonly id: string;
  readonly name: string;
}

/**
 * Decides whether writes may be sent: not on a read-only connection, and not on a production connection while it is
 * locked (decisions.md, "REST client"). The pipeline asks the guard right before it sends anything but a GET, so that
 * it cannot be bypassed.
 */
export interface WriteGuard {
  /** The guarded connection, for the error message and the suggested action. */
  readonly connection?: GuardedConnection;
  /** Why the request must not be sent now; `undefined` allows it. */
  getRefusal(requestInfo: ApiRequestInfo): 'read-only' | 'locked' | undefined;
}
