import type { JsonObject } from '../../base/json.ts';
import type { HeldRule } from './heldRule.ts';
import type { WantedRule } from './ruleTarget.ts';

/** One request for one rule. Those of a phase may be sent in any order within their kind, and many at once. */
export type RuleRequest = {
  /** The spot of a temporary deny rule: {@link getSpotKey}. */
  readonly temporary?: string | undefined;
  /** The wanted rule that it creates. */
  readonly wanted?: WantedRule | undefined;
} & (
  | { readonly kind: 'create'; readonly rule: JsonObject }
  | { readonly kind: 'update'; readonly id: string; readonly rule: JsonObject }
  | { readonly kind: 'delete'; readonly id: string; readonly rule: HeldRule }
);
