import type { Clock } from '../base/clock.ts';
import type { Ids } from './ids.ts';
import type { Store } from './store.ts';

/** What an edit of the stored state needs. */
export interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The time now as the platform writes it: ISO 8601 in UTC with milliseconds (platform-facts 2.2). */
export const timestamp = (clock: Clock): string => new Date(clock.now()).toISOString();
