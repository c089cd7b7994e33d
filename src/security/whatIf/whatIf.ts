import type { CellChange } from '../matrix/matrixDraft.ts';
import { getCellKey, getMatrixColumnKey, toMatrixParty } from '../matrix/ruleMatrix.ts';
import { createContentFields, createShareFields } from '../ruleFields.ts';
import {
  readArray,
  readShareParties,
  isObject,
  isNonEmptyString,
  type PartyRef,
  type UnknownObject,
} from '../readRules.ts';
import { allValues, noValues } from '../valueSet.ts';

/** A rule that does not exist, whose effect is previewed. */
export interface HypotheticalRule {
  readonly table: string;
  readonly column: string;
  readonly access: 'only' | 'except' | 'everything' | 'nothing';
  readonly values: readonly string[];
  readonly party: PartyRef;
}

/** Changes to preview: existing rules to ignore, hypothetical ones to add, and cells of the rules grid to change. */
export interface WhatIf {
  /** Keys of the rules to ignore ({@link getWhatIfRuleKey}). */
  readonly without: readonly string[];
  readonly drafts: readonly HypotheticalRule[];
  readonly cells?: readonly CellChange[];
}

/** Returns a key that identifies a rule after the list is reloaded: its ID, or else its index. */
export const getWhatIfRuleKey = (rule: unknown, index: number): string =>
  isObject(rule) && isNonEmptyString(rule['_id']) ? rule['_id'] : `#${index}`;

/**
 * Returns the rules with the changes applied. Ignored rules are replaced by `null`, so that the other rules keep their
 * index and findings still match them; so are rules whose parties all have changed cells.
 */
export function applyWhatIf(
  rules: readonly unknown[],
  { without, drafts, cells = [] }: WhatIf,
): readonly unknown[] {
  const removedKeys = new Set(without);
  const changedCells = new Map(cells.map((cell) => [getCellKey(cell.party.key, cell.column.key), cell]));
  const remainingRules = readArray(rules).map((rule, index) =>
    removedKeys.has(getWhatIfRuleKey(rule, index)) ? null : withoutCells(rule, changedCells),
  );
  return [
    ...remainingRules,
    ...drafts.map(createHypotheticalRule),
    ...[...changedCells.values()].flatMap(createCellRules),
  ];
}

/** Returns a rule without the shares whose cells are changed; `null` if it has no others. */
function withoutCells(rule: unknown, cells: ReadonlyMap<string, CellChange>): unknown {
  if (
    cells.size === 0 ||
    !isObject(rule) ||
    !isNonEmptyString(rule['table']) ||
    !isNonEmptyString(rule['column'])
  ) {
    return rule;
  }
  const columnKey = getMatrixColumnKey(rule['table'], rule['column']);
  const shares = readArray(rule['shares']);
  const kept = shares.filter(
    (share) =>
      !readShareParties(share).some((party) => cells.has(getCellKey(toMatrixParty(party).key, columnKey))),
  );
  return kept.length === shares.length ? rule : kept.length === 0 ? null : { ...rule, shares: kept };
}

const createCellRules = ({ party, column: { table, column }, value }: CellChange): readonly UnknownObject[] =>
  value.map((grant) => ({
    table,
    column,
    ...createContentFields(grant, bindingKind),
    shares: [createShareFields(party, bindingKind)],
  }));

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
