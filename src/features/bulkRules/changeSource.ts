import type { ChangeChoices, RuleSource } from '../../changes/bulkRules/ruleSource.ts';

/** Where wanted rules come from, and how its page speaks of it. */
export interface ChangeSource extends RuleSource {
  readonly title: string;
  /** The title of the tab, which tells several apart. */
  readonly tab: string;
  readonly from: string;
  readonly choices: ChangeChoices;
}
