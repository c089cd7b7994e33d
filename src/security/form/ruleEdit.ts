import type { PartyType } from '../../contract/terms.ts';

/** What a rule lets its parties see (platform-facts 3.2). */
export const ruleKinds = ['only', 'except', 'everything', 'nothing'] as const;
export type RuleKind = (typeof ruleKinds)[number];

/** A party as the form names it; the default party ("everybody else") has no id. */
export interface FormParty {
  readonly type: PartyType;
  readonly id?: string | undefined;
  /** The server's word for it, for showing only. */
  readonly name?: string | undefined;
}

/** What a person does in the form of one rule. */
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

/** What a person does in the form of a rule set, rules named by their places. */
export type RuleSetFormEdit =
  | { readonly kind: 'rule'; readonly rule: number; readonly edit: RuleFormEdit }
  | { readonly kind: 'addRule'; readonly rule: NewFormRule }
  | { readonly kind: 'removeRules'; readonly rules: readonly number[] }
  /** Takes a party out of a rule that has several, into a rule of its own that says the same. */
  | { readonly kind: 'splitRule'; readonly rule: number; readonly party: FormParty };

/** A rule as the form adds it. */
export interface NewFormRule {
  readonly table: string;
  readonly column: string;
  readonly datatype: 'text' | 'numeric';
  readonly ruleKind: RuleKind;
  readonly members: readonly string[];
  readonly parties: readonly FormParty[];
}
