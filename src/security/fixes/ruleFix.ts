import type { PathEdit } from '../../json/text/pathEdit.ts';

/** What a fix does; the shell words it, `args` in hand. */
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

/** A way to mend what a finding says. */
export interface RuleFix {
  readonly code: RuleFixCode;
  readonly args: readonly string[];
  /** True when it is the one obvious way, which "fix all" may take without asking. */
  readonly isPreferred: boolean;
  /** True when people will see other values afterwards than the rule, as it is written, seems to say. */
  readonly changesMeaning: boolean;
  /** Paths start with the place of the rule in the list; an editor of a single rule leaves that out. */
  readonly edits: readonly PathEdit[];
}
