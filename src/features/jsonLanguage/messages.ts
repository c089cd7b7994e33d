import * as vscode from 'vscode';
import { translatable } from '../../base/localize.ts';
import { describeRuleFinding, describeViewpointProblem } from '../../platform/problemTexts.ts';
import type { DocumentFix, DocumentProblem } from '../../json/language/problems.ts';
import type { RuleFixCode } from '../../security/fixes/ruleFix.ts';
import { viewpointFixMessages } from '../../viewpoints/fixes/viewpointFix.ts';

/** Describes a problem in the user's language. */
export const describeDocumentProblem = ({ finding }: DocumentProblem): string =>
  finding.linter === 'viewpoint'
    ? describeViewpointProblem(finding.viewpointProblem)
    : describeRuleFinding(finding.ruleFinding);

/** Describes a fix in the user's language. */
export function describeFix({ fix }: DocumentFix): string {
  return fix.linter === 'viewpoint'
    ? vscode.l10n.t(viewpointFixMessages[fix.viewpointFix.code], ...fix.viewpointFix.args)
    : vscode.l10n.t(ruleFixMessages[fix.ruleFix.code], ...fix.ruleFix.args);
}

const ruleFixMessages: Readonly<Record<RuleFixCode, string>> = translatable({
  'set-all-members-null': 'Set "allMembers" to null',
  'set-flag': 'Set "{0}" to {1}',
  'make-nothing': 'Change to no values',
  'make-everything': 'Change to all values',
  'make-list': 'Change to a list of "{0}"',
  'remove-identifier': 'Remove "{0}"',
  'use-identifier': 'Rename "{0}" to "{1}"',
  'make-default': 'Change to the rule for everyone else',
  'use-table': 'Change to "{0}"',
  'use-column': 'Change to "{0}"',
  'set-datatype': 'Set the data type to {0}',
  'set-live': 'Set "live" to true',
  'add-prefix': 'Change to "live:{0}"',
  'allow-listed-instead': 'Allow the listed values instead of hiding them',
  'add-default-nothing': 'Add a rule for everyone else: no values of {0}.{1}',
  'add-default-everything': 'Add a rule for everyone else: all values of {0}.{1}',
  'remove-rule': 'Remove this rule',
  'remove-party': 'Remove this user or group',
  'members-to-strings': 'Change all members to strings',
  'use-spelling': 'Change to "{0}"',
});
