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
      ? t('the platform does not allow it')
      : formatError(firstRefused?.error);
  return cause.refused.length === 1
    ? t('One rule was refused, on {0}: {1}', columnName, reason)
    : t('{0} rules were refused, the first on {1}: {2}', cause.refused.length, columnName, reason);
}
