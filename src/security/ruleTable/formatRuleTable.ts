import {
  readArray,
  getGrant,
  isObject,
  isNonEmptyString,
  getSharePartyId,
  type UnknownObject,
} from '../readRules.ts';
import { formatValue } from '../values/formatValues.ts';
import { isExclusion, isAllValues, isNoValues } from '../valueSet.ts';
import { ruleTableColumns } from './columns.ts';
import { formatCsv, formatTsv } from './csvText.ts';

/**
 * Formats rules as a table with a row for each value and party. A rule with an unclear meaning has the access
 * `unclear`, which can't be imported: the user has to replace it first.
 */
export function formatRuleTable(rules: readonly unknown[], format: 'csv' | 'tsv' = 'csv'): string {
  const rows = createTableRows(rules);
  return format === 'csv' ? formatCsv(ruleTableColumns, rows) : formatTsv(ruleTableColumns, rows);
}

/** Returns the rows of the table of rules, without the heading. The first cell is the number of the rule. */
export const createTableRows = (rules: readonly unknown[]): readonly (readonly string[])[] =>
  readArray(rules).flatMap((rule, index) => (isObject(rule) ? createRuleRows(rule, index) : []));

function createRuleRows(rule: UnknownObject, index: number): readonly (readonly string[])[] {
  const { access, values } = createAccessCells(rule);
  const shares = readArray(rule['shares']).filter(isObject);
  return (shares.length === 0 ? [{}] : shares).flatMap((share: UnknownObject) =>
    values.map((value) => [
      String(index + 1),
      toText(rule['table']),
      toText(rule['column']),
      toText(rule['datatype']),
      access,
      value,
      toText(share['type']),
      share['type'] === 'default' ? '' : (getSharePartyId(share) ?? ''),
      toText(share['partyName']),
    ]),
  );
}

const toText = (value: unknown): string => (isNonEmptyString(value) ? value : '');

function createAccessCells(rule: UnknownObject): {
  readonly access: string;
  readonly values: readonly string[];
} {
  const grant = getGrant(rule);
  if (grant === 'unclear') {
    return { access: 'unclear', values: [''] };
  }
  if (isAllValues(grant) || isNoValues(grant)) {
    return { access: isNoValues(grant) ? 'nothing' : 'everything', values: [''] };
  }
  return {
    access: isExclusion(grant) ? 'except' : 'only',
    values: [...grant.values].map((value) => formatValue(value)),
  };
}
