import type { Write } from '../changes/model/operation.ts';
import type { ApprovalToken } from '../changes/run/runOptions.ts';
import type { SecretAnswer } from './kinds/documentKind.ts';
import type { Version } from './version.ts';

/** The user's decisions about one save: they apply only to that save. */
export interface SaveIntent {
  /** The server's version that may be overwritten. */
  readonly overwrites?: Version;
  /** The approval of the plan that the user has reviewed. */
  readonly approval?: ApprovalToken;
  /** Writes to send after those of the text: updates of items that use names it changes. */
  readonly additionalWrites?: readonly Write[];
  /** Secrets that the document does not show, by their path in it. */
  readonly secrets?: ReadonlyMap<string, SecretAnswer>;
}

/**
 * Returns the decisions that remain valid for the save that follows a refused one: the user is not asked again what may
 * be overwritten, nor for secrets. A plan and its additional writes belong to that one attempt: the next has its own
 * plan.
 */
export const keepDecisions = ({ overwrites, secrets }: SaveIntent): SaveIntent => ({
  ...(overwrites === undefined ? {} : { overwrites }),
  ...(secrets === undefined ? {} : { secrets }),
});
