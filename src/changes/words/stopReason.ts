import { PayloadError } from '../../client/errors.ts';
import type { Localize } from '../../base/localize.ts';
import { readRules } from '../../security/readRule.ts';
import { RulesRefusedError } from '../run/problems.ts';
import type { StoppedError } from '../run/problems.ts';

/**
 * Formats the reason why a rule change stopped.
 * @param formatError formats any other error
 */
export function formatStopReason(
  t: Localize,
  { cause }: Pick<StoppedError, 'cause'>,
  errorText: (error: unknown) => string,
): string {
  if (!(cause instanceof RulesRefusedError)) {
    return errorText(cause);
  }
  const [first] = cause.refused;
  const [rule] = readRules(first === undefined ? [] : [first.rule]);
  const place = rule === undefined ? '' : `${rule.table}.${rule.column}`;
  const why =
    first?.error instanceof PayloadError ? t('the platform does not allow it') : errorText(first?.error);
  return cause.refused.length === 1
    ? t('One rule was refused, on {0}: {1}', place, why)
    : t('{0} rules were refused, the first on {1}: {2}', cause.refused.length, place, why);
}
