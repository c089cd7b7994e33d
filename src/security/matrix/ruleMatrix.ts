import type { PartyType } from '../../contract/terms.ts';
import { readArray, isObject, isNonEmptyString, type ParsedRule, readRules } from '../readRules.ts';
import { type CellValue, getValueKey } from './cellText.ts';

/** A row of the matrix. */
export interface MatrixParty {
  readonly key: string;
  readonly type: PartyType;
  /** Absent for everyone else. */
  readonly id?: string;
}

/** A column of the matrix: a column with rules, or one that the user added. */
export interface MatrixColumn {
  readonly key: string;
  readonly table: string;
  readonly column: string;
  readonly datatype: 'text' | 'numeric';
}

/**
 * The reason why a cell can't be changed in the grid: one of its rules also names an unreadable party, whose access
 * would change if the rule were rewritten; or one of its rules has no ID, so that it can't be deleted.
 */
export type ReadOnlyReason = 'unreadable-party' | 'no-id';

/** The content of a cell according to the saved rules, which are those of a server, a document, or files. */
export interface MatrixCell {
  readonly value: CellValue;
  /** {@link getValueKey} of the value. */
  readonly canonicalKey: string;
  /** The indexes of the rules that define it. */
  readonly ruleIndexes: readonly number[];
  readonly readOnlyReason?: ReadOnlyReason;
}

/** All rules of a datamodel as a grid. */
export interface RuleMatrix {
  /** Everyone else is always the first. */
  readonly parties: readonly MatrixParty[];
  readonly columns: readonly MatrixColumn[];
  /** The cells by {@link getCellKey}. A cell without rules is absent. */
  readonly cells: ReadonlyMap<string, MatrixCell>;
  /** Indexes of entries that are in no cell: they are not rules on a column, or name no readable party. */
  readonly unplacedIndexes: readonly number[];
}

export const everyoneElse: MatrixParty = { key: 'default:', type: 'default' };

export const toMatrixParty = ({
  type,
  id = '',
}: {
  readonly type: PartyType;
  readonly id?: string | undefined;
}): MatrixParty => (type === 'default' ? everyoneElse : { key: `${type}:${id}`, type, id });

export const getMatrixColumnKey = (table: string, column: string): string => JSON.stringify([table, column]);

/** Returns the key of a cell from the keys of its row and column. */
export const getCellKey = (party: string, column: string): string => `${column} ${party}`;

export const emptyCell: MatrixCell = { value: [], canonicalKey: '', ruleIndexes: [] };

/**
 * Arranges rules in cells. Never throws, whatever the rules contain.
 * @param options.needsIds false for rules of a document, which can be changed without an ID
 */
export function createRuleMatrix(
  rules: readonly unknown[],
  { needsIds = true }: { readonly needsIds?: boolean } = {},
): RuleMatrix {
  const readableRules = readRules(rules);
  const parties = new Map([[everyoneElse.key, everyoneElse]]);
  const columns = new Map<string, MatrixColumn>();
  const cells = new Map<
    string,
    { value: CellValue[number][]; ruleIndexes: number[]; readOnlyReason?: ReadOnlyReason }
  >();
  for (const rule of readableRules) {
    const { table, column } = rule;
    const key = getMatrixColumnKey(table, column);
    const document = rules[rule.index];
    const datatype = isObject(document) && document['datatype'] === 'numeric' ? 'numeric' : 'text';
    columns.set(key, columns.get(key) ?? { key, table, column, datatype });
    const readOnlyReason = getReadOnlyReason(rule, document, needsIds);
    for (const party of getRuleParties(rule)) {
      parties.set(party.key, party);
      const cellKey = getCellKey(party.key, key);
      const cell = cells.get(cellKey) ?? { value: [], ruleIndexes: [] };
      cell.value.push(rule.grant);
      cell.ruleIndexes.push(rule.index);
      cells.set(cellKey, readOnlyReason === undefined ? cell : { ...cell, readOnlyReason });
    }
  }
  const placedIndexes = new Set(
    readableRules.filter((rule) => rule.parties.length > 0).map(({ index }) => index),
  );
  return {
    parties: [...parties.values()],
    columns: [...columns.values()],
    cells: new Map(
      [...cells].map(([key, cell]) => [key, { ...cell, canonicalKey: getValueKey(cell.value) }]),
    ),
    unplacedIndexes: readArray(rules).flatMap((_rule, index) => (placedIndexes.has(index) ? [] : [index])),
  };
}

/** Returns the parties of a rule, each once. */
export const getRuleParties = ({ parties }: ParsedRule): readonly MatrixParty[] => [
  ...new Map(parties.map(toMatrixParty).map((party) => [party.key, party])).values(),
];

function getReadOnlyReason(
  rule: ParsedRule,
  document: unknown,
  needsIds: boolean,
): ReadOnlyReason | undefined {
  if (needsIds && !isNonEmptyString(rule.ruleId)) {
    return 'no-id';
  }
  if (rule.parties.length < readArray(isObject(document) ? document['shares'] : []).length) {
    return 'unreadable-party';
  }
  return undefined;
}
