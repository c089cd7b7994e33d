import type { Write } from '../changes/model/operation.ts';
import type { ApprovalToken } from '../changes/run/runOptions.ts';
import type { SecretAnswer } from './kinds/documentKind.ts';
import type { Version } from './version.ts';

/** What a person decided about one save: it travels with that save, and is over with it. */
export interface SaveIntent {
  /** The version of the server's that may be replaced. */
  readonly overwrites?: Version;
  /** The plan that the person has looked at and wants. */
  readonly approval?: ApprovalToken;
  /** What is written as well, behind what the text says: what goes by names that it changes. */
  readonly additionalWrites?: readonly Write[];
  /** Secrets that the document does not show, by their path in it. */
  readonly secrets?: ReadonlyMap<string, SecretAnswer>;
}

/**
 * What a save that was refused once more leaves decided for the one in its place: what may be replaced and the secrets
 * are not asked for twice. A plan, and what is written along by it, are of that one try: the next has a plan of its own.
 */
export const keepDecisions = ({ overwrites, secrets }: SaveIntent): SaveIntent => ({
  ...(overwrites === undefined ? {} : { overwrites }),
  ...(secrets === undefined ? {} : { secrets }),
});
