import type { Build } from './build.ts';

/** The event for a build that has ended or is gone. */
export interface BuildEndEvent {
  readonly build: Build;
  /** Whether this window notifies the user of the result. */
  readonly shouldNotify: boolean;
}

/** The event for a connection whose builds cannot be watched until the user acts. */
export interface BuildWatchFailure {
  readonly connectionId: string;
  readonly error: unknown;
}
