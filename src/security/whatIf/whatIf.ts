import { createContentFields, createShareFields } from '../ruleFields.ts';
import { readArray, isObject, isNonEmptyString, type PartyRef, type UnknownObject } from '../readRules.ts';
import { allValues, noValues } from '../valueSet.ts';

/** A rule that does not exist, whose effect is previewed. */
export interface HypotheticalRule {
  readonly table: string;
  readonly column: string;
  readonly access: 'only' | 'except' | 'everything' | 'nothing';
  readonly values: readonly string[];
  readonly party: PartyRef;
}

/** Changes to preview: existing rules to ignore and hypothetical ones to add. */
export interface WhatIf {
  /** Keys of the rules to ignore ({@link getWhatIfRuleKey}). */
  readonly without: readonly string[];
  readonly drafts: readonly HypotheticalRule[];
}

/** Returns a key that identifies a rule after the list is reloaded: its ID, or else its index. */
export const getWhatIfRuleKey = (rule: unknown, index: number): string =>
  isObject(rule) && isNonEmptyString(rule['_id']) ? rule['_id'] : `#${index}`;

/**
 * Returns the rules with the changes applied. Ignored rules are replaced by `null`, so that the other rules keep their
 * index and findings still match them.
 */
export function applyWhatIf(rules: readonly unknown[], { without, drafts }: WhatIf): readonly unknown[] {
  const removedKeys = new Set(without);
  const remainingRules = readArray(rules).map((rule, index) =>
    removedKeys.has(getWhatIfRuleKey(rule, index)) ? null : rule,
  );
  return [...remainingRules, ...drafts.map(createHypotheticalRule)];
}

/** The format of hypothetical rules, also for live datamodels: they are only read, and both formats are understood. */
const bindingKind = 'extract';

function createHypotheticalRule({ table, column, access, values, party }: HypotheticalRule): UnknownObject {
  return { table, column, ...createContent(access, values), shares: [createShareFields(party, bindingKind)] };
}

function createContent(access: HypotheticalRule['access'], values: readonly string[]): UnknownObject {
  switch (access) {
    case 'everything':
      return createContentFields(allValues, bindingKind);
    case 'nothing':
      return createContentFields(noValues, bindingKind);
    case 'only':
    case 'except': {
      const valueSet = { kind: access, values: new Set(values) } as const;
      return createContentFields(valueSet, bindingKind);
    }
  }
}
