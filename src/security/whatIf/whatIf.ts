import { contentFields, shareFields } from '../convert/convertRules.ts';
import { asList, isObject, isText, type NamedParty, type UnknownObject } from '../readRule.ts';
import { everything, nothing } from '../valueSet.ts';

/** A rule that somebody thinks of. */
export interface DraftRule {
  readonly table: string;
  readonly column: string;
  readonly access: 'only' | 'except' | 'everything' | 'nothing';
  readonly values: readonly string[];
  readonly party: NamedParty;
}

/** Rules as they would be, without some of those that are there and with some that are not. */
export interface WhatIf {
  /** Keys of rules ({@link ruleKey}). */
  readonly without: readonly string[];
  readonly drafts: readonly DraftRule[];
}

/** What tells a rule from others when the list is read again: its id, else its place. */
export const ruleKey = (rule: unknown, index: number): string =>
  isObject(rule) && isText(rule['_id']) ? rule['_id'] : `#${index}`;

/**
 * The rules as they would be. Those that stay keep their place, so that what is said of them is found again; what is
 * taken away leaves a hole that is no rule.
 */
export function imagined(rules: readonly unknown[], { without, drafts }: WhatIf): readonly unknown[] {
  const gone = new Set(without);
  const staying = asList(rules).map((rule, index) => (gone.has(ruleKey(rule, index)) ? null : rule));
  return [...staying, ...drafts.map(draftedRule)];
}

function draftedRule({ table, column, access, values, party }: DraftRule): UnknownObject {
  return { table, column, ...content(access, values), shares: [shareFields(party, 'extract')] };
}

function content(access: DraftRule['access'], values: readonly string[]): UnknownObject {
  switch (access) {
    case 'everything':
      return contentFields(everything, 'extract');
    case 'nothing':
      return contentFields(nothing, 'extract');
    case 'only':
    case 'except': {
      const list = { kind: access, values: new Set(values) } as const;
      return contentFields(list, 'extract');
    }
  }
}
