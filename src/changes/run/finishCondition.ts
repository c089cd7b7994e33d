import { ConflictError, MissingRulesError, NameTakenError, UnverifiedError } from './writeErrors.ts';

/**
 * What has to happen before a stopped operation can be finished. `none`: nothing, as far as is known. `restored-rules`:
 * the missing rules must be restored. `impossible`: it can't be finished because of changes by others or an unknown
 * outcome.
 */
export type FinishCondition = 'none' | 'restored-rules' | 'impossible';

/** @param cause the error at which an operation has stopped, or with which finishing it was refused */
export function getFinishCondition(cause: unknown): FinishCondition {
  if (cause instanceof MissingRulesError) {
    return 'restored-rules';
  }
  const isBlocked =
    (cause instanceof ConflictError && !(cause instanceof NameTakenError)) ||
    cause instanceof UnverifiedError;
  return isBlocked ? 'impossible' : 'none';
}
