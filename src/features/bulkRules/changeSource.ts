import type { ChangeChoices, RuleSource } from '../../changes/bulkRules/ruleSource.ts';

/** The origin of wanted rules, and the words for it on the page. */
export interface ChangeSource extends RuleSource {
  readonly title: string;
  /** The title of the tab, which distinguishes several. */
  readonly tab: string;
  readonly from: string;
  readonly choices: ChangeChoices;
}
