import { asList, grantOf, isObject, isText, partyIdOf, type UnknownObject } from '../readRule.ts';
import { isBlock, isEverything, isNothing } from '../valueSet.ts';
import { ruleTableColumns } from './columns.ts';
import { csvText, tsvText } from './csvText.ts';

/**
 * Rules as CSV, a row for each value and party. A rule that says nothing certain has the access `unclear`, which
 * cannot be read back: somebody has to decide first.
 */
export function writeRuleTable(rules: readonly unknown[], form: 'csv' | 'tsv' = 'csv'): string {
  const rows = asList(rules).flatMap((rule, index) => (isObject(rule) ? ruleRows(rule, index) : []));
  return form === 'csv' ? csvText(ruleTableColumns, rows) : tsvText(ruleTableColumns, rows);
}

function ruleRows(rule: UnknownObject, index: number): readonly (readonly string[])[] {
  const { access, values } = accessCells(rule);
  const shares = asList(rule['shares']).filter(isObject);
  return (shares.length === 0 ? [{}] : shares).flatMap((share: UnknownObject) =>
    values.map((value) => [
      String(index + 1),
      text(rule['table']),
      text(rule['column']),
      text(rule['datatype']),
      access,
      value,
      text(share['type']),
      share['type'] === 'default' ? '' : (partyIdOf(share) ?? ''),
      text(share['partyName']),
    ]),
  );
}

const text = (value: unknown): string => (isText(value) ? value : '');

function accessCells(rule: UnknownObject): { readonly access: string; readonly values: readonly string[] } {
  const grant = grantOf(rule);
  if (grant === 'unclear') {
    return { access: 'unclear', values: [''] };
  }
  if (isEverything(grant) || isNothing(grant)) {
    return { access: isNothing(grant) ? 'nothing' : 'everything', values: [''] };
  }
  return { access: isBlock(grant) ? 'except' : 'only', values: [...grant.values] };
}
