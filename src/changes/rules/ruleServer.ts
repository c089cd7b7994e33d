import type { JsonObject } from '../../base/json.ts';

/**
 * Receives the index of each item of a list when its request is sent and when it is answered, so that after a failure
 * it is known which requests were not sent.
 */
export interface RequestProgressObserver {
  readonly onSent: (index: number) => void;
  readonly onAnswered: (index: number) => void;
}

/** Reads and changes the rules of one datamodel or cube set on a server. */
export interface RuleServer {
  /** Returns all current rules of the datamodel or cube set, including those of columns that do not change. */
  list(): Promise<readonly JsonObject[]>;
  /**
   * Adds rules in one or more requests. A server may overwrite a rule for the same parties instead.
   * @returns their IDs in any order, if the server returned all of them
   */
  create(
    rules: readonly JsonObject[],
    observer: RequestProgressObserver,
  ): Promise<readonly string[] | undefined>;
  /** Replaces rules in place; only for extract datamodels. */
  update(
    rules: readonly { readonly id: string; readonly rule: JsonObject }[],
    observer: RequestProgressObserver,
  ): Promise<void>;
  /** Deletes rules; ignores those that no longer exist. */
  delete(ids: readonly string[], observer: RequestProgressObserver): Promise<void>;
}

/** The kind of a failed request. */
export type RequestFailure =
  /** The server rejects a second rule for a party of the column (code 30003); nothing was written. */
  | 'second-rule-refused'
  /** The response was lost, so the request may have been carried out. */
  | 'unanswered'
  /**
   * The server is busy (429). The request may have been carried out: that isn't documented (platform-facts.md, 2.7).
   */
  | 'busy'
  | 'other';
