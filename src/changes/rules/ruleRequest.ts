import type { JsonObject } from '../../base/json.ts';
import type { ParsedRuleDocument } from './parsedRuleDocument.ts';
import type { WantedRule } from './ruleTarget.ts';

/** A request for one rule. The requests of one kind in a phase may be sent in any order, and together in bulk. */
export type RuleRequest = {
  /** The scope of the temporary deny rule that it creates: see `getScopeKey`. */
  readonly denyScope?: string | undefined;
  /** The wanted rule that it creates or updates. */
  readonly wanted?: WantedRule | undefined;
} & (
  | { readonly kind: 'create'; readonly rule: JsonObject }
  | { readonly kind: 'update'; readonly id: string; readonly rule: JsonObject }
  | { readonly kind: 'delete'; readonly id: string; readonly rule: ParsedRuleDocument }
);
