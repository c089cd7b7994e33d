import { ApiError, HttpError, PayloadError, SchemaError, TooLargeError } from '../../client/errors.ts';
import { formatApiError } from '../../client/messages/formatApiError.ts';
import type { Localize } from '../../base/localize.ts';
import { readRules } from '../../security/readRules.ts';
import { RulesRefusedError } from '../run/writeErrors.ts';
import type { StoppedError } from '../run/writeErrors.ts';

/**
 * Formats the reason why a change stopped, and then, if its end couldn't be recorded, the reason for that.
 * @param formatError formats any error except a `RulesRefusedError`
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
 * Formats the reason like {@link formatStopReason}. If it's unknown whether the failed request took effect, says that
 * first. If the change has checked whether the request took effect, says what the check has shown instead of asking the
 * user to check.
 */
export function formatLabeledReason(
  t: Localize,
  stopError: Pick<StoppedError, 'cause' | 'hasUnknownOutcome' | 'journalError' | 'report'>,
  formatError: (error: unknown) => string,
): string {
  const { cause, hasUnknownOutcome, report } = stopError;
  if (!hasUnknownOutcome) {
    const hasChanged = report.writeStates.some(
      ({ partly, denied }) => partly === true || denied !== undefined,
    );
    return formatStopReason(t, stopError, (error) =>
      error instanceof ApiError && error.remedy === 'look-before-repeating'
        ? formatApiError(t, error, () => (hasChanged ? undefined : formatNoEffect(t, error)))
        : formatError(error),
    );
  }
  const reason = formatStopReason(t, stopError, formatError);
  return cause instanceof ApiError && cause.mayHaveTakenEffect
    ? t('Outcome unknown: {0}', reason)
    : `${reason} ${t('The outcome of the last request is unknown.')}`;
}

/** Says what a check has shown. A request that the server may still be carrying out can have an effect later. */
const formatNoEffect = (t: Localize, error: ApiError): string =>
  mayStillRun(error)
    ? t('A check right afterward showed no effect.')
    : t('A check has shown that it had no effect.');

/**
 * Statuses after which the server may still carry out a request: it didn't receive all of it in time, or a gateway
 * answered in its place (RFC 9110, sections 15.5.9 and 15.6).
 */
const provisionalStatuses: ReadonlySet<number> = new Set([408, 502, 503, 504]);

/** Returns whether the server may still carry out the request that failed: it hasn't answered it itself. */
function mayStillRun(error: ApiError): boolean {
  if (error instanceof HttpError || error instanceof SchemaError) {
    return provisionalStatuses.has(error.status);
  }
  return !(error instanceof TooLargeError);
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
