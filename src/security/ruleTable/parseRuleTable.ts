import { lostLetter } from '../../base/decodeText.ts';
import { type PartyType, partyTypes } from '../../contract/terms.ts';
import { everything, nothing, type ValueSet } from '../valueSet.ts';
import { type AccessWord, accessWords, ruleTableColumns } from './columns.ts';
import { readTable, type TableRow } from './readTable.ts';
import type { TableParty, TableProblem, TableRule } from './tableRule.ts';

export interface ParsedRuleTable {
  readonly rules: readonly TableRule[];
  readonly problems: readonly TableProblem[];
}

/** A row whose cells have been understood. */
interface Entry {
  readonly row: number;
  readonly key: string;
  readonly table: string;
  readonly column: string;
  readonly datatype: 'text' | 'numeric' | undefined;
  readonly access: AccessWord;
  readonly value: string;
  readonly party: TableParty;
}

/** Rules out of CSV or TSV text. A row with an error is in no rule; the problem names it. */
export function parseRuleTable(text: string): ParsedRuleTable {
  const { rows, problems } = readTable(text);
  const found: TableProblem[] = [...problems];
  const entries = rows.flatMap((row) => {
    const entry = readRow(row);
    found.push(...entry.problems);
    return entry.entry === undefined ? [] : [entry.entry];
  });
  const rules = [...Map.groupBy(entries, ({ key }) => key).values()].flatMap((group) => {
    const [first] = group;
    const other = group.find((entry) => sayingOf(entry) !== sayingOf(first));
    if (first === undefined || other !== undefined) {
      found.push(error('mixed-rule', other?.row ?? 0, String(first?.row ?? 0)));
      return [];
    }
    return [ruleOf(first, group)];
  });
  return { rules, problems: found.sort((a, b) => a.row - b.row) };
}

const error = (code: TableProblem['code'], row: number, ...args: readonly string[]): TableProblem => ({
  code,
  severity: 'error',
  row,
  args,
});

/** What all rows of one rule must agree on. */
const sayingOf = (entry: Entry | undefined): string =>
  JSON.stringify([entry?.table, entry?.column, entry?.datatype, entry?.access]);

function readRow(row: TableRow): { readonly entry?: Entry; readonly problems: readonly TableProblem[] } {
  const { row: at } = row;
  const [table, column] = [row.cell('table'), row.cell('column')];
  const datatype = word(row.cell('datatype'), ['text', 'numeric'] as const);
  const access = word(row.cell('access') || 'only', accessWords);
  const type = word(row.cell('party type'), partyTypes);
  const name = row.cell('party').trim() || row.cell('party name').trim();
  const value = row.cell('value');
  const garbled = ruleTableColumns.map((each) => row.cell(each)).find((cell) => cell.includes(lostLetter));
  const problems: TableProblem[] = [
    // A rule on it would be one on a value, or of a party, that does not exist.
    ...(garbled === undefined ? [] : [error('lost-letters', at, garbled)]),
    ...(table === '' ? [error('cell-required', at, 'table')] : []),
    ...(column === '' ? [error('cell-required', at, 'column')] : []),
    ...(datatype === undefined && row.cell('datatype').trim() !== ''
      ? [error('unknown-datatype', at, row.cell('datatype'))]
      : []),
    ...(access === undefined ? [error('unknown-access', at, row.cell('access'))] : []),
    ...(type === undefined
      ? [error('unknown-party-type', at, row.cell('party type'))]
      : partyProblems(type, name, at)),
  ];
  if (access === undefined || type === undefined || problems.length > 0) {
    return { problems };
  }
  const isList = access === 'only' || access === 'except';
  const label = row.cell('rule').trim();
  const party = { type, name };
  const key = JSON.stringify(label === '' ? [table, column, access, party] : [label]);
  return {
    entry: { row: at, key, table, column, datatype, access, value, party },
    problems: isList || value === '' ? [] : [{ ...error('value-ignored', at, value), severity: 'warning' }],
  };
}

/** The default party has no identifier, any other needs one (spec, `shares[].party`). */
function partyProblems(type: PartyType, name: string, row: number): readonly TableProblem[] {
  if (type === 'default') {
    return name === '' ? [] : [error('default-has-party', row, name)];
  }
  return name === '' ? [error('cell-required', row, 'party')] : [];
}

function word<Word extends string>(text: string, words: readonly Word[]): Word | undefined {
  const plain = text.trim().toLowerCase();
  return words.find((each) => each === plain);
}

function ruleOf(first: Entry, group: readonly Entry[]): TableRule {
  const parties = new Map(group.map(({ party }) => [JSON.stringify(party), party]));
  return {
    rows: group.map(({ row }) => row),
    table: first.table,
    column: first.column,
    ...(first.datatype === undefined ? {} : { datatype: first.datatype }),
    grant: grantOf(first.access, new Set(group.map(({ value }) => value))),
    parties: [...parties.values()],
  };
}

function grantOf(access: AccessWord, values: ReadonlySet<string>): ValueSet {
  if (access === 'everything') {
    return everything;
  }
  return access === 'nothing' ? nothing : { kind: access, values };
}
