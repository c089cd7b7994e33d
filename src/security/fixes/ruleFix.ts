import type { PathEdit } from '../../json/text/pathEdit.ts';

/** The effect of a fix. The UI creates the title from the code and `args`. */
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
  | 'members-to-strings'
  | 'use-spelling';

/** A fix for a finding. */
export interface RuleFix {
  readonly code: RuleFixCode;
  readonly args: readonly string[];
  /** True for the fix that an editor's "Auto Fix" applies: the only obvious one, or else the safest. */
  readonly isPreferred: boolean;
  /** True if the fixed rule grants other values than the present rule appears to grant. */
  readonly changesMeaning: boolean;
  /** Paths start with the index of the rule in the list; in a document with a single rule, drop the index. */
  readonly edits: readonly PathEdit[];
}
