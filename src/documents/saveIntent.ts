import type { Write } from '../changes/model/operation.ts';
import type { ApprovalToken, RunOptions } from '../changes/run/runOptions.ts';
import type { EveryoneElseDecision, SecretAnswer } from './kinds/documentKind.ts';
import type { Version } from './version.ts';

/** The options of a run that show its progress and let the user cancel it. */
export type SaveControl = Pick<RunOptions, 'signal' | 'onProgress' | 'onWait' | 'onQueued'>;

/** The user's decisions about one save: they apply only to that save. */
export interface SaveIntent {
  /** The server's version that may be overwritten. */
  readonly versionToOverwrite?: Version;
  /** True if the user wants to save although the document has errors. */
  readonly acceptsErrors?: true;
  /** The approval of the plan that the user has reviewed. */
  readonly approval?: ApprovalToken;
  /** Shows the progress of the save, and lets the user cancel it before its next request. */
  readonly control?: SaveControl;
  /** Writes to send after those of the document: they update items that use names that the document changes. */
  readonly additionalWrites?: readonly Write[];
  /** The user's answers for masked secrets, by their path in the document (as JSON). */
  readonly secretAnswers?: ReadonlyMap<string, SecretAnswer>;
  /** The decision about everyone else, if the column of a new rule has no rule for them. */
  readonly everyoneElse?: EveryoneElseDecision;
}

/**
 * Returns the decisions that remain valid for the next attempt after a refused save: the user is not asked again which
 * version to overwrite, whether to save with errors, what everyone else may see, or for secrets. The approval and the
 * additional writes are dropped, since the next attempt has a plan of its own.
 */
export const getRemainingDecisions = ({
  versionToOverwrite,
  acceptsErrors,
  secretAnswers,
  everyoneElse,
}: SaveIntent): SaveIntent => ({
  ...(acceptsErrors === undefined ? {} : { acceptsErrors }),
  ...(versionToOverwrite === undefined ? {} : { versionToOverwrite }),
  ...(secretAnswers === undefined ? {} : { secretAnswers }),
  ...(everyoneElse === undefined ? {} : { everyoneElse }),
});
