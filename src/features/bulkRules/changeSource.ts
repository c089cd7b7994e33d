import type * as vscode from 'vscode';
import type { ChangeChoices, RuleSource } from '../../changes/bulkRules/ruleSource.ts';

/** A source of rules to apply to a datamodel or cube set, with its labels for the page. */
export interface ChangeSource extends RuleSource {
  readonly title: string;
  /** The title of the tab; distinguishes it from tabs of other changes. */
  readonly tabTitle: string;
  readonly sourceName: string;
  readonly choices: ChangeChoices;
  /** Opens the text of the table that the rules come from; absent if they come from no table. */
  readonly openText?: () => Promise<vscode.TextDocument>;
}
