import type { Localize } from '../../base/localize.ts';
import { RulesDifferError } from '../rules/ruleItems.ts';
import { RuleChangeRefusedError, type RuleChangeRefusal } from '../rules/ruleTarget.ts';
import { readRules } from '../../security/readRules.ts';
import { BatchInDoubtError, RulesRefusedError } from '../run/writeErrors.ts';
import { formatStopReason } from './stopReason.ts';

/** Formats the reason why a rule change was refused, and how to make it possible. */
export function formatRefusedRuleChange(t: Localize, error: RuleChangeRefusedError): string {
  const reason = formatRefusalReason(t, error);
  return error.hasWritten ? reason : t('Nothing was written. {0}', reason);
}

/** Formats only the reason, for a change that was not applied yet. */
export function formatRefusalReason(t: Localize, { code, rule }: RuleChangeRefusedError): string {
  const [parsed] = readRules([rule]);
  return reasonFormatters[code](t, parsed === undefined ? '' : `${parsed.table}.${parsed.column}`);
}

/**
 * Formats an error that prevents a rule change from completing; `undefined` for an error that is not specific to rules.
 * @param formatError formats any other error
 */
export function formatRuleProblem(
  t: Localize,
  error: unknown,
  formatError: (error: unknown) => string,
): string | undefined {
  if (error instanceof RuleChangeRefusedError) {
    return formatRefusedRuleChange(t, error);
  }
  if (error instanceof RulesDifferError) {
    return t(
      "The server accepted every request, but its rules don't match your changes. Review the rules, and then save again or undo the change.",
    );
  }
  if (error instanceof BatchInDoubtError) {
    return t(
      "Some rules might have been written. The server doesn't report whether they were. Review the rules before you try again.",
    );
  }
  return error instanceof RulesRefusedError ? formatStopReason(t, { cause: error }, formatError) : undefined;
}

const reasonFormatters: Readonly<Record<RuleChangeRefusal, (t: Localize, columnName: string) => string>> = {
  'same-parties': (t, columnName) =>
    t(
      '{0} would have two rules for the same users and groups, and this server might overwrite one with the other. Combine them into one rule.',
      columnName,
    ),
  'needs-default': (t, columnName) =>
    t(
      "The rules on {0} can't be changed one by one without temporarily widening access. Add a rule for everyone else on this column first.",
      columnName,
    ),
  'party-twice': (t, columnName) =>
    t(
      'This server allows each user or group in only one rule per column, but a user or group is in two rules on {0}. Combine them into one rule.',
      columnName,
    ),
  'no-identifier': (t, columnName) =>
    t(
      "A rule on {0} has no ID, so it can't be replaced or deleted. Delete it in the platform's web interface first.",
      columnName,
    ),
};
