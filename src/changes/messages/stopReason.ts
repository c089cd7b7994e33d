import { ApiError, PayloadError } from '../../client/errors.ts';
import type { Localize } from '../../base/localize.ts';
import { readRules } from '../../security/readRules.ts';
import { RulesRefusedError } from '../run/writeErrors.ts';
import type { StoppedError } from '../run/writeErrors.ts';

/**
 * Formats the reason why a change stopped, and then, if its end couldn't be recorded, the reason for that.
 * @param formatError formats any error except that the server has rejected rules
 */
export function formatStopReason(
  t: Localize,
  { cause, journalError }: Pick<StoppedError, 'cause'> & Partial<Pick<StoppedError, 'journalError'>>,
  formatError: (error: unknown) => string,
): string {
  const reason =
    cause instanceof RulesRefusedError ? formatRefusedRules(t, cause, formatError) : formatError(cause);
  return journalError === undefined ? reason : `${reason} ${formatError(journalError)}`;
}

/**
 * Formats the reason like {@link formatStopReason}. If the outcome of a request is unknown, the text says so: before
 * the reason if that is the error of the request, otherwise after it.
 */
export function formatLabeledReason(
  t: Localize,
  stopError: Pick<StoppedError, 'cause' | 'hasUnknownOutcome'> & Partial<Pick<StoppedError, 'journalError'>>,
  formatError: (error: unknown) => string,
): string {
  const reason = formatStopReason(t, stopError, formatError);
  const { cause, hasUnknownOutcome } = stopError;
  if (!hasUnknownOutcome) {
    return reason;
  }
  return cause instanceof ApiError && cause.mayHaveTakenEffect
    ? t('Outcome unknown: {0}', reason)
    : `${reason} ${t('The outcome of the last request is unknown.')}`;
}

function formatRefusedRules(
  t: Localize,
  { refusedRules }: RulesRefusedError,
  formatError: (error: unknown) => string,
): string {
  const [firstRefused] = refusedRules;
  const [rule] = readRules(firstRefused === undefined ? [] : [firstRefused.rule]);
  const columnName = rule === undefined ? '' : `${rule.table}.${rule.column}`;
  const reason =
    firstRefused?.error instanceof PayloadError
      ? t("the platform doesn't allow it")
      : formatError(firstRefused?.error);
  return refusedRules.length === 1
    ? t('A rule on {0} was rejected: {1}', columnName, reason)
    : t('{0} rules were rejected, the first on {1}: {2}', refusedRules.length, columnName, reason);
}
