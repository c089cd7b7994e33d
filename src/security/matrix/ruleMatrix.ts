import type { PartyType } from '../../contract/terms.ts';
import { toArray, isObject, isText, type NamedParty, type ReadRule, readRules } from '../readRule.ts';
import { type CellValue, getValueKey } from './cellText.ts';

/** A row of the matrix. */
export interface MatrixParty {
  readonly key: string;
  readonly type: PartyType;
  /** Absent for everybody else. */
  readonly id?: string;
}

/** A column of the matrix: a column that is secured, or is to be. */
export interface MatrixColumn {
  readonly key: string;
  readonly table: string;
  readonly column: string;
  readonly datatype: 'text' | 'numeric';
}

/**
 * Why a cell cannot be changed here: a rule of it also names a party that cannot be read, so that writing it anew would
 * take that party's access away or open it; it has no identifier, so that nobody could delete it; it hides values in a
 * live datamodel, which no request can write (spec).
 */
export type FixedReason = 'unreadable-party' | 'no-id';

/** What stands in a cell by the rules of the server. */
export interface MatrixCell {
  readonly value: CellValue;
  /** {@link getValueKey} of the value. */
  readonly canonicalKey: string;
  /** The rules that say so, by their places in the list. */
  readonly rules: readonly number[];
  readonly fixed?: FixedReason;
}

/** All rules of a datamodel as a grid. */
export interface RuleMatrix {
  /** Everybody else is always the first. */
  readonly parties: readonly MatrixParty[];
  readonly columns: readonly MatrixColumn[];
  /** By {@link getCellKey}; a cell without rules is absent. */
  readonly cells: ReadonlyMap<string, MatrixCell>;
  /** Places of what stands in no cell: it is no rule on a column, or names no party that can be read. */
  readonly outside: readonly number[];
}

export const everyoneElse: MatrixParty = { key: 'default:', type: 'default' };

export const toMatrixParty = ({ type, id = '' }: NamedParty): MatrixParty =>
  type === 'default' ? everyoneElse : { key: `${type}:${id}`, type, id };

export const getMatrixColumnKey = (table: string, column: string): string => JSON.stringify([table, column]);

/** A cell by the keys of its row and column. */
export const getCellKey = (party: string, column: string): string => `${column} ${party}`;

export const emptyCell: MatrixCell = { value: [], canonicalKey: '', rules: [] };

/** The rules as the server answered them, in their cells. Nothing in them throws. */
export function createRuleMatrix(rules: readonly unknown[]): RuleMatrix {
  const read = readRules(rules);
  const parties = new Map([[everyoneElse.key, everyoneElse]]);
  const columns = new Map<string, MatrixColumn>();
  const cells = new Map<string, { value: CellValue[number][]; rules: number[]; fixed?: FixedReason }>();
  for (const rule of read) {
    const { table, column } = rule;
    const key = getMatrixColumnKey(table, column);
    const raw = rules[rule.index];
    const datatype = isObject(raw) && raw['datatype'] === 'numeric' ? 'numeric' : 'text';
    columns.set(key, columns.get(key) ?? { key, table, column, datatype });
    const fixed = getFixedReason(rule, raw);
    for (const party of getRuleParties(rule)) {
      parties.set(party.key, party);
      const at = getCellKey(party.key, key);
      const cell = cells.get(at) ?? { value: [], rules: [] };
      cell.value.push(rule.grant);
      cell.rules.push(rule.index);
      cells.set(at, fixed === undefined ? cell : { ...cell, fixed });
    }
  }
  const inside = new Set(read.filter((rule) => rule.parties.length > 0).map(({ index }) => index));
  return {
    parties: [...parties.values()],
    columns: [...columns.values()],
    cells: new Map(
      [...cells].map(([key, cell]) => [key, { ...cell, canonicalKey: getValueKey(cell.value) }]),
    ),
    outside: toArray(rules).flatMap((_rule, index) => (inside.has(index) ? [] : [index])),
  };
}

/** The parties of a rule, each once. */
export const getRuleParties = ({ parties }: ReadRule): readonly MatrixParty[] => [
  ...new Map(parties.map(toMatrixParty).map((party) => [party.key, party])).values(),
];

function getFixedReason(rule: ReadRule, raw: unknown): FixedReason | undefined {
  if (!isText(rule.ruleId)) {
    return 'no-id';
  }
  if (rule.parties.length < toArray(isObject(raw) ? raw['shares'] : []).length) {
    return 'unreadable-party';
  }
  return undefined;
}
