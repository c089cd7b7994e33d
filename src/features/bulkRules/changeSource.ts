import type { ChangeChoices, RuleSource } from '../../changes/bulkRules/ruleSource.ts';

/** A source of rules to apply to a datamodel or cube set, with its labels for the page. */
export interface ChangeSource extends RuleSource {
  readonly title: string;
  /** The title of the tab; distinguishes it from tabs of other changes. */
  readonly tabTitle: string;
  readonly sourceName: string;
  readonly choices: ChangeChoices;
}
