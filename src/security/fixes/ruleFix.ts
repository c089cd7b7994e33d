import type { PathEdit } from '../../json/text/pathEdit.ts';

/** The effect of a fix; the UI words it from the code and `args`. */
export type RuleFixCode =
  | 'set-all-members-null'
  | 'set-flag'
  | 'make-nothing'
  | 'make-everything'
  | 'make-list'
  | 'remove-identifier'
  | 'use-identifier'
  | 'make-default'
  | 'use-table'
  | 'use-column'
  | 'set-datatype'
  | 'set-live'
  | 'add-prefix'
  | 'allow-listed-instead'
  | 'add-default-nothing'
  | 'add-default-everything'
  | 'remove-rule'
  | 'remove-party'
  | 'members-to-strings';

/** A fix for a finding. */
export interface RuleFix {
  readonly code: RuleFixCode;
  readonly args: readonly string[];
  /** True if it is the one obvious fix, which "fix all" may apply without asking. */
  readonly isPreferred: boolean;
  /** True if people will see other values afterwards than the rule, as it is written, seems to say. */
  readonly changesMeaning: boolean;
  /** Paths start with the index of the rule in the list; an editor of a single rule omits that. */
  readonly edits: readonly PathEdit[];
}
