import type { Clock } from '../base/clock.ts';
import type { IdGenerator } from './ids.ts';
import type { Store } from './store.ts';

/** The dependencies of code that edits the stored documents. */
export interface EditContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdGenerator;
}

/** Returns the current time in the platform's format: ISO 8601 in UTC with milliseconds (platform-facts.md, 2.2). */
export const getTimestamp = (clock: Clock): string => new Date(clock.now()).toISOString();
