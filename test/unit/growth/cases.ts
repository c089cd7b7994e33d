import { mergeLines } from '../../../src/documents/mergeLines.ts';
import { parseJson } from '../../../src/json/text/parseJson.ts';
import { effectiveAccess, lintRules } from '../../../src/security/index.ts';
import {
  codeActionsAt,
  completionsAt,
  diagnose,
  getDocumentSymbols,
  type ExpressionContext,
  getFoldingRanges,
  format,
  referencesAt,
  renameIn,
  getSemanticTokens,
} from '../../../src/sql/index.ts';
import { lintViewpoint } from '../../../src/viewpoints/index.ts';
import type { StepCase } from '../../support/stepsProcess.ts';
import { TABLE } from '../sql/model.ts';

const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const many = (count: number, make: (index: number) => string, glue = ''): string =>
  list(count, make).join(glue);

type Texts = Readonly<Record<string, (size: number) => string>>;

const sqlTexts: Texts = {
  'joins with bare names': (n) =>
    `SELECT Amount FROM Orders o0 ${many(n, (i) => `JOIN Orders o${i + 1} ON Amount = Status `)}`,
  'joins with qualified names': (n) =>
    `SELECT Amount FROM Orders o0 ${many(n, (i) => `JOIN Orders o${i + 1} ON o${i}.Amount = o${i + 1}.Status `)}`,
  'joins with unknown names': (n) =>
    `SELECT Amount FROM Orders o0 ${many(n, (i) => `JOIN Orders o${i + 1} ON Nope = x${i}.y `)}`,
  'nested IN': (n) =>
    `SELECT 1 FROM Orders WHERE Amount IN (${many(n, () => 'SELECT Amount FROM Orders WHERE Amount IN (')}1${')'.repeat(n + 1)}`,
  'nested IN with unknown names': (n) =>
    `SELECT 1 FROM Orders WHERE Nope IN (${many(n, () => 'SELECT Nope FROM Orders WHERE Nope IN (')}1${')'.repeat(n + 1)}`,
  'nested calls': (n) => `SELECT ${'f('.repeat(n)}1${')'.repeat(n)}`,
  'alternating open quotes': (n) => `SELECT ${many(n, (i) => `${['"', '`', '[', "'"][i % 4]}a${i} `)}`,
  'alternating open quotes by line': (n) => `SELECT ${many(n, (i) => `${['"', '`', '['][i % 3]}a${i}\n`)}`,
  'open brackets by line': (n) => `SELECT ${'[a\n'.repeat(n)}]`,
  'open comments': (n) => `SELECT 1 ${'/* '.repeat(n)}`,
  'closed comments': (n) => `SELECT 1 ${'/* a */ '.repeat(n)}`,
  commas: (n) => `SELECT ${','.repeat(n)}`,
  statements: (n) => 'SELECT Amount FROM Orders; '.repeat(n),
  'broken statements': (n) => 'SELECT , Nope FROM WHERE; '.repeat(n),
  unions: (n) => many(n, () => 'SELECT Amount FROM Orders', ' UNION ALL '),
};

const asks: Readonly<Record<string, (text: string, context: ExpressionContext) => unknown>> = {
  diagnose,
  complete: (text, context) => completionsAt(text, text.length, context),
  'rename a column': (text, context) =>
    renameIn(text, { table: 'Orders', column: 'Amount' }, 'Total', context),
  'rename a table': (text, context) => renameIn(text, { table: 'Orders' }, 'Sales', context),
  color: getSemanticTokens,
  fold: getFoldingRanges,
  outline: (text) => getDocumentSymbols(text),
  fix: (text, context) => codeActionsAt(text, 0, text.length, context),
  refer: (text, context) => referencesAt(text, 8, context),
};

const rule = (index: number, over: object = {}): object => ({
  _id: String(index),
  server: 's',
  elasticube: 'e',
  table: 'Orders',
  column: 'Status',
  datatype: 'text',
  members: [`v${index}`],
  allMembers: null,
  exclusionary: false,
  shares: [{ type: 'group', party: `g${index}` }],
  ...over,
});
const shares = (n: number): readonly object[] => list(n, (i) => ({ type: 'group', party: `g${i}` }));

const ruleLists: Readonly<Record<string, (size: number) => readonly object[]>> = {
  'groups with a list each': (n) => list(n, (i) => rule(i)),
  'groups with the same list': (n) => list(n, (i) => rule(i, { members: ['a'] })),
  'groups that hide a value each': (n) => list(n, (i) => rule(i, { exclusionary: true })),
  'shares and values of one rule': (n) => [rule(0, { members: list(n, (i) => `v${i}`), shares: shares(n) })],
  'wrong shares': (n) => [rule(0, { shares: list(n, (i) => i) })],
  'equal rules': (n) => list(n, () => rule(0)),
  'rules of a column each': (n) => list(n, (i) => rule(i, { column: `c${i}` })),
};

const groups = (n: number): readonly string[] => list(n, (i) => `g${i}`);
const ruleAsks: Readonly<Record<string, (rules: readonly object[], size: number) => unknown>> = {
  access: (rules, n) => effectiveAccess(rules, { groupIds: groups(n) }),
  'access with union': (rules, n) => effectiveAccess(rules, { groupIds: groups(n) }, { groups: 'union' }),
  'access with intersection': (rules, n) =>
    effectiveAccess(rules, { groupIds: groups(n) }, { groups: 'intersection' }),
  'access in unknown groups': (rules) =>
    effectiveAccess(rules, { userId: 'u', groupIds: [], groupsUnknown: true }),
  lint: (rules) => lintRules(rules, TABLE.catalog),
};

const jsonTexts: Texts = {
  'duplicate keys': (n) => `{${many(n, () => '"name": 1', ', ')}}`,
  'duplicate keys of a column': (n) =>
    `{"details": {"columns": [{${many(n, () => '"table": "Orders"', ', ')}}]}}`,
  faults: (n) => `{${many(n, () => '"name": 1', ', ')},,}`,
  words: (n) => 'nope '.repeat(n),
  'open comments': (n) => `[${'/* a '.repeat(n)}]`,
  'open texts': (n) => `[${'"a\n'.repeat(n)}]`,
};

const jsonAsks: Readonly<Record<string, (text: string) => unknown>> = {
  'parse JSON': parseJson,
  'lint viewpoint': (text) => lintViewpoint(text, TABLE.catalog),
};

/** Two sides' versions of one text with this many different lines. */
const mergedTexts: Readonly<Record<string, (size: number) => readonly [string, string, string]>> = {
  'the first and the last line changed': (n) => [
    many(n, (i) => `line ${i}\n`),
    many(n, (i) => `line ${i === 0 ? 'a' : i}\n`),
    many(n, (i) => `line ${i === n - 1 ? 'b' : i}\n`),
  ],
  'many lines changed by each': (n) => [
    many(n, (i) => `line ${i}\n`),
    many(n, (i) => `line ${i % 10 === 0 ? `a${i}` : i}\n`),
    many(n, (i) => `line ${i % 10 === 5 ? `b${i}` : i}\n`),
  ],
  'all lines in another order': (n) => [
    many(n, (i) => `line ${i}\n`),
    many(n, (i) => `line ${n - i}\n`),
    many(n, (i) => `line ${i}\n`),
  ],
};

function each<Input>(
  asked: Readonly<Record<string, (input: Input, size: number) => unknown>>,
  inputs: Readonly<Record<string, (size: number) => Input>>,
): [string, StepCase][] {
  return Object.entries(asked).flatMap(([ask, run]) =>
    Object.entries(inputs).map(([what, make]): [string, StepCase] => [
      `${ask}: ${what}`,
      (size) => {
        const input = make(size);
        return () => run(input, size);
      },
    ]),
  );
}

const sqlAsks = Object.fromEntries(
  Object.entries(asks).map(([ask, run]) => [ask, (text: string) => run(text, TABLE)]),
);

/** The measured operations, by name: inputs that are cheap to write and were expensive to read. */
export const cases: Readonly<Record<string, StepCase>> = Object.fromEntries([
  ...each(sqlAsks, sqlTexts),
  ...each(
    { format },
    {
      'open comments': (n) => `SELECT 1 ${'/* '.repeat(n)}`,
      'open names': (n) => `SELECT ${'[a\n'.repeat(n)}]`,
    },
  ),
  ...each(ruleAsks, ruleLists),
  ...each(jsonAsks, jsonTexts),
  ...each({ 'merge lines': (texts) => mergeLines(...texts) }, mergedTexts),
]);
