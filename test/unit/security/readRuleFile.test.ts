import { expect, test } from 'vitest';
import { parseRuleTable } from '../../../src/security/ruleTable/parseRuleTable.ts';
import { readRuleFile } from '../../../src/security/ruleTable/readRuleFile.ts';

const text = 'table,column,value,party type,party\r\nStores,City,Köln,group,Sales\r\n';
const getValues = ({ rules }: ReturnType<typeof readRuleFile>): unknown =>
  rules.flatMap(({ grant }) => [...grant.values]);

test.each<[string, Uint8Array]>([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a byte order mark', Buffer.from(`\u{feff}${text}`)],
  ['UTF-16', Buffer.from(`\u{feff}${text}`, 'utf16le')],
  ['big-endian UTF-16', Buffer.from(`\u{feff}${text}`, 'utf16le').swap16()],
])('a table in %s is read without a notice', (_, bytes) => {
  const read = readRuleFile(bytes);
  expect(getValues(read)).toEqual(['Köln']);
  expect(read.problems).toEqual([]);
});

test('a table in Windows-1252 is read, and the guess is reported with a sample word', () => {
  const read = readRuleFile(Buffer.from(text, 'latin1'));
  expect(getValues(read)).toEqual(['Köln']);
  expect(read.problems).toEqual([{ code: 'guessed-encoding', severity: 'warning', row: 0, args: ['Köln'] }]);
});

test.each<[string, string]>([
  ['a value', 'Stores,City,K\u{fffd}ln,group,Sales'],
  ['a column', 'Stores,St\u{fffd}dte,Berlin,group,Sales'],
  ['a party', 'Stores,City,Berlin,group,K\u{fffd}ln'],
])('characters lost in %s are a problem of the row, and the row yields no rule', (_, row) => {
  const { rules, problems } = parseRuleTable(`table,column,value,party type,party\n${row}`);
  expect(rules).toEqual([]);
  expect(problems).toMatchObject([{ code: 'undecodable-text', severity: 'error', row: 2 }]);
});
