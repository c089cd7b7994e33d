import type { JsonValue } from '../../base/json.ts';
import type { ReadDocument } from './readDocument.ts';

/**
 * The verified outcome of a write whose response was lost. `response` is the content that the response would have had;
 * `changedDocument` is the document if another user has meanwhile changed it; `namesake` is an item that another user
 * has meanwhile created under the name of a creation that the server has refused.
 */
export type WriteOutcome =
  | HappenedOutcome
  | {
      readonly state: 'not-happened' | 'unknown';
      readonly changedDocument?: ReadDocument;
      readonly namesake?: ReadDocument;
    };

/** The outcome of a write that has happened. */
export interface HappenedOutcome {
  readonly state: 'happened';
  readonly response: JsonValue | undefined;
}
