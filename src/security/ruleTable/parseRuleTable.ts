import { replacementCharacter } from '../../base/decodeText.ts';
import { type PartyType, partyTypes } from '../../contract/terms.ts';
import { parseValues } from '../values/valueText.ts';
import { allValues, noValues, type ValueSet } from '../valueSet.ts';
import { type AccessWord, accessWords, ruleTableColumns } from './columns.ts';
import { parseTableRows, type TableRow } from './parseTableRows.ts';
import type { TableParty, TablePartyName, TableProblem, TableRule } from './tableRule.ts';

export interface ParsedRuleTable {
  readonly rules: readonly TableRule[];
  /** The names of users and groups in rows that also contain their IDs, each once. */
  readonly partyNames: readonly TablePartyName[];
  readonly problems: readonly TableProblem[];
}

/** A row with parsed cells. */
interface ParsedRow {
  readonly rowNumber: number;
  readonly ruleKey: string;
  readonly table: string;
  readonly column: string;
  readonly datatype: 'text' | 'numeric' | undefined;
  readonly access: AccessWord;
  readonly values: readonly string[];
  readonly party: TableParty;
  /** The name beside the ID of the party; empty if the party has only one of the two. */
  readonly partyName: string;
}

/**
 * Parses rules from CSV or TSV text. A row with an error is left out of its rule and reported as a problem; a rule
 * whose rows contradict each other is left out as a whole.
 */
export function parseRuleTable(text: string): ParsedRuleTable {
  const { rows, problems } = parseTableRows(text);
  const allProblems: TableProblem[] = [...problems];
  const entries = rows.flatMap((row) => {
    const parsed = parseRow(row);
    allProblems.push(...parsed.problems);
    return parsed.entry === undefined ? [] : [parsed.entry];
  });
  const rules = [...Map.groupBy(entries, ({ ruleKey }) => ruleKey).values()].flatMap((group) => {
    const [first] = group;
    const conflictingRow = group.find((entry) => getConsistencyKey(entry) !== getConsistencyKey(first));
    if (first === undefined || conflictingRow !== undefined) {
      allProblems.push(
        createProblem('mixed-rule', conflictingRow?.rowNumber ?? 0, String(first?.rowNumber ?? 0)),
      );
      return [];
    }
    return [createTableRule(first, group)];
  });
  return {
    rules,
    partyNames: collectPartyNames(entries),
    problems: allProblems.sort((a, b) => a.row - b.row),
  };
}

function collectPartyNames(entries: readonly ParsedRow[]): readonly TablePartyName[] {
  const namedEntries = entries.filter(({ partyName }) => partyName !== '');
  return [
    ...Map.groupBy(namedEntries, ({ party, partyName }) => JSON.stringify([party, partyName])).values(),
  ].flatMap((group) => {
    const rows = group.map(({ rowNumber }) => rowNumber);
    return group.slice(0, 1).map(({ party, partyName: name }): TablePartyName => ({ rows, party, name }));
  });
}

const createProblem = (
  code: TableProblem['code'],
  row: number,
  ...args: readonly string[]
): TableProblem => ({
  code,
  severity: 'error',
  row,
  args,
});

const createWarning = (...problemArgs: Parameters<typeof createProblem>): TableProblem => ({
  ...createProblem(...problemArgs),
  severity: 'warning',
});

/** Warns if whitespace around the only value of a cell is ignored; around the values of a list, it is common. */
const findPaddedValue = (
  text: string,
  [value, ...others]: readonly string[],
  row: number,
): readonly TableProblem[] =>
  others.length === 0 && text.trim() !== text && text.trim() === value
    ? [createWarning('padded-value', row, value)]
    : [];

/** The maximum number of values that a warning lists. */
const maxListedValues = 5;

/** Warns if a cell lists several values: a value that contains a separator needs quotes. */
const findSeveralValues = (values: readonly string[], row: number): readonly TableProblem[] =>
  values.length < 2
    ? []
    : [
        createWarning(
          'several-values',
          row,
          String(values.length),
          [
            ...values.slice(0, maxListedValues).map((value) => `"${value}"`),
            ...(values.length > maxListedValues ? ['…'] : []),
          ].join(', '),
        ),
      ];

/** Returns a key that must be the same for all rows of one rule. */
const getConsistencyKey = (entry: ParsedRow | undefined): string =>
  JSON.stringify([entry?.table, entry?.column, entry?.datatype, entry?.access]);

function parseRow(row: TableRow): { readonly entry?: ParsedRow; readonly problems: readonly TableProblem[] } {
  const { rowNumber } = row;
  const [table, column] = [row.getCell('table'), row.getCell('column')];
  const datatype = matchWord(row.getCell('datatype'), ['text', 'numeric'] as const);
  const access = matchWord(row.getCell('access') || 'only', accessWords);
  const type = matchWord(row.getCell('party type'), partyTypes);
  const [partyCell, partyNameCell] = [row.getCell('party').trim(), row.getCell('party name').trim()];
  const idOrName = partyCell || partyNameCell;
  const partyName = partyNameCell === idOrName ? '' : partyNameCell;
  const valueText = row.getCell('value');
  const values = parseValues(valueText);
  const isList = access === 'only' || access === 'except';
  const garbledCell = ruleTableColumns
    .map((heading) => row.getCell(heading))
    .find((cell) => cell.includes(replacementCharacter));
  const problems: TableProblem[] = [
    // Wrongly decoded text would create a rule for a value or party that does not exist.
    ...(garbledCell === undefined ? [] : [createProblem('undecodable-text', rowNumber, garbledCell)]),
    ...(table === '' ? [createProblem('cell-required', rowNumber, 'table')] : []),
    ...(column === '' ? [createProblem('cell-required', rowNumber, 'column')] : []),
    ...(datatype === undefined && row.getCell('datatype').trim() !== ''
      ? [createProblem('unknown-datatype', rowNumber, row.getCell('datatype'))]
      : []),
    ...(access === undefined ? [createProblem('unknown-access', rowNumber, row.getCell('access'))] : []),
    ...(type === undefined
      ? [createProblem('unknown-party-type', rowNumber, row.getCell('party type'))]
      : checkParty(type, idOrName, rowNumber)),
    ...(isList && values.length === 0 ? [createProblem('empty-value', rowNumber)] : []),
  ];
  if (access === undefined || type === undefined || problems.length > 0) {
    return { problems };
  }
  const ruleLabel = row.getCell('rule').trim();
  const party = { type, idOrName };
  const key = JSON.stringify(ruleLabel === '' ? [table, column, access, party] : [ruleLabel]);
  return {
    entry: { rowNumber, ruleKey: key, table, column, datatype, access, values, party, partyName },
    problems: isList
      ? [...findPaddedValue(valueText, values, rowNumber), ...findSeveralValues(values, rowNumber)]
      : values.length === 0
        ? []
        : [createWarning('value-ignored', rowNumber, valueText)],
  };
}

/**
 * Checks the party: every party but the default one needs an ID or a name (rest-api.md, "Data security rule, extract
 * datamodel").
 */
function checkParty(type: PartyType, idOrName: string, row: number): readonly TableProblem[] {
  if (type === 'default') {
    return idOrName === '' ? [] : [createProblem('default-has-party', row)];
  }
  return idOrName === '' ? [createProblem('cell-required', row, 'party')] : [];
}

function matchWord<Word extends string>(text: string, words: readonly Word[]): Word | undefined {
  const normalized = text.trim().toLowerCase();
  return words.find((word) => word === normalized);
}

function createTableRule(first: ParsedRow, group: readonly ParsedRow[]): TableRule {
  const parties = new Map(group.map(({ party }) => [JSON.stringify(party), party]));
  return {
    rows: group.map(({ rowNumber }) => rowNumber),
    table: first.table,
    column: first.column,
    datatype: first.datatype,
    grant: createGrant(first.access, new Set(group.flatMap(({ values }) => values))),
    parties: [...parties.values()],
  };
}

function createGrant(access: AccessWord, values: ReadonlySet<string>): ValueSet {
  if (access === 'everything') {
    return allValues;
  }
  return access === 'nothing' ? noValues : { kind: access, values };
}
