import type { Write } from '../writes/operation.ts';
import type { Permit } from '../writes/runOptions.ts';
import type { SecretAnswer } from './kinds/documentKind.ts';
import type { Version } from './version.ts';

/** What a person decided about one save: it travels with that save, and is over with it. */
export interface SaveIntent {
  /** The version of the server's that may be replaced. */
  readonly overwrites?: Version;
  /** The plan that the person has looked at and wants. */
  readonly permit?: Permit;
  /** What is written as well, behind what the text says: what goes by names that it changes. */
  readonly along?: readonly Write[];
  /** Secrets that the document does not show, by their path in it. */
  readonly secrets?: ReadonlyMap<string, SecretAnswer>;
}
