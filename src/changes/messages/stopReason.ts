import { PayloadError } from '../../client/errors.ts';
import type { Localize } from '../../base/localize.ts';
import { readRules } from '../../security/readRule.ts';
import { RulesRefusedError } from '../run/writeErrors.ts';
import type { StoppedError } from '../run/writeErrors.ts';

/**
 * Formats the reason why a rule change stopped.
 * @param formatError formats any other error
 */
export function formatStopReason(
  t: Localize,
  { cause }: Pick<StoppedError, 'cause'>,
  formatError: (error: unknown) => string,
): string {
  if (!(cause instanceof RulesRefusedError)) {
    return formatError(cause);
  }
  const [firstRefused] = cause.refused;
  const [rule] = readRules(firstRefused === undefined ? [] : [firstRefused.rule]);
  const columnName = rule === undefined ? '' : `${rule.table}.${rule.column}`;
  const reason =
    firstRefused?.error instanceof PayloadError
      ? t("the platform doesn't allow it")
      : formatError(firstRefused?.error);
  return cause.refused.length === 1
    ? t('A rule on {0} was rejected: {1}', columnName, reason)
    : t('{0} rules were rejected, the first on {1}: {2}', cause.refused.length, columnName, reason);
}
