import type { PartyType } from '../../contract/terms.ts';

/** The kinds of access that a rule grants (platform-facts.md, 3.2). */
export const ruleKinds = ['only', 'except', 'everything', 'nothing'] as const;
export type RuleKind = (typeof ruleKinds)[number];

/** A party in the form; the default party ("everyone else") has no ID. */
export interface FormParty {
  readonly type: PartyType;
  readonly id?: string | undefined;
  /** The server's display name. */
  readonly name?: string | undefined;
}

/** An edit of one rule in the form. */
export type RuleFormEdit =
  | {
      readonly kind: 'column';
      readonly table: string;
      readonly column: string;
      readonly datatype?: 'text' | 'numeric' | undefined;
    }
  | { readonly kind: 'ruleKind'; readonly value: RuleKind }
  | { readonly kind: 'members'; readonly values: readonly string[] }
  | { readonly kind: 'parties'; readonly values: readonly FormParty[] };

/** An edit of a rule set in the form; rules are identified by index. */
export type RuleSetFormEdit =
  | { readonly kind: 'rule'; readonly rule: number; readonly edit: RuleFormEdit }
  | { readonly kind: 'addRule'; readonly rule: NewFormRule }
  | { readonly kind: 'removeRules'; readonly rules: readonly number[] }
  /** Moves a party out of a rule that has several into its own rule with the same access. */
  | { readonly kind: 'splitRule'; readonly rule: number; readonly party: FormParty }
  /** Changes the content of grid cells. */
  | { readonly kind: 'cells'; readonly cells: readonly FormCellEdit[] };

/** The values that a rule grants. */
export interface FormGrant {
  readonly kind: 'only' | 'except';
  readonly values: readonly string[];
}

/** The new content of a cell of the grid, one grant per rule; empty for no rule. */
export interface FormCellEdit {
  readonly party: FormParty;
  readonly column: Pick<NewFormRule, 'table' | 'column' | 'datatype'>;
  readonly value: readonly FormGrant[];
}

/** A rule added in the form. */
export interface NewFormRule {
  readonly table: string;
  readonly column: string;
  readonly datatype: 'text' | 'numeric';
  readonly ruleKind: RuleKind;
  readonly members: readonly string[];
  readonly parties: readonly FormParty[];
}
