import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  applyEdits,
  definitionAt,
  type DocumentSymbol,
  type ExpressionContext,
  getDocumentSymbols,
  getFoldingRanges,
  hoverAt,
  referencesAt,
  renameIn,
  renameSymbolAt,
  signatureHelpAt,
} from '../../../src/sql/index.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { CLEAN_EXPRESSIONS, CLEAN_STATEMENTS } from './cases/clean.ts';
import { scopedStatements } from './cases/scopedStatements.ts';
import { columnContext, tableContext } from './model.ts';

const fixture = new URL('../../fixtures/sqlFeatures.txt', import.meta.url);

/** New names, used in turn: one that needs no quotes, and one that does. */
const newNames = ['Neu', 'New Name'];

/** Lists what a name is, where it is used, and the text after it is renamed; each meaning once. */
function listNames(text: string, context: ExpressionContext, newName: string): readonly string[] {
  const starts = [...lex(text).tokens].map(({ start }) => start);
  const lines = new Map<string, string>();
  for (const start of starts) {
    const hover = hoverAt(text, start, context);
    const references = referencesAt(text, start, context).map(
      (reference) => `${reference.start}${reference.isDeclaration ? '!' : ''}`,
    );
    if (hover !== undefined || references.length > 0) {
      const { table, column } = definitionAt(text, start, context) ?? {};
      const target = table === undefined ? undefined : { table, ...(column === undefined ? {} : { column }) };
      const symbolRename = renameSymbolAt(text, start, newName, context);
      const edits = symbolRename?.edits ?? (target && renameIn(text, target, newName, context));
      const { kind = 'name', title = '', columnCount = '', detail = '' } = hover ?? {};
      const key = [kind, title, columnCount, detail, `at ${references.join()}`].filter((part) => part !== '');
      const conflicts = symbolRename?.conflicts.map((conflict) => `${conflict.kind} ${conflict.name}`) ?? [];
      lines.set(
        key.join(' '),
        [edits === undefined ? '' : ` -> ${applyEdits(text, edits)}`, ...conflicts].join(' !'),
      );
    }
  }
  return [...lines].map(([key, renamed]) => `  ${key}${renamed}`);
}

/** Lists the signatures that are shown while the caret moves through a text, each where it begins. */
function listSignatures(text: string, context: ExpressionContext): readonly string[] {
  const labels = Array.from({ length: text.length + 1 }, (_none, offset) => {
    const help = signatureHelpAt(text, offset, context);
    return help === undefined ? 'none' : `${help.label} ${help.activeParameter}`;
  });
  return labels.flatMap((label, offset) =>
    label === (labels[offset - 1] ?? 'none') ? [] : [`  at ${offset}: ${label}`],
  );
}

const formatSymbol = ({ name, kind, start, end, children }: DocumentSymbol): string =>
  `${kind} ${name} ${start}-${end}${children.length === 0 ? '' : ` { ${children.map(formatSymbol).join(', ')} }`}`;

function describeText(text: string, context: ExpressionContext, newName: string): readonly string[] {
  const symbols = context.kind === 'table' ? getDocumentSymbols(text) : [];
  const ranges = getFoldingRanges(text, context).map(({ kind, start, end }) => `${kind} ${start}-${end}`);
  return [
    text,
    ...symbols.map((symbol) => `  ${formatSymbol(symbol)}`),
    ...(ranges.length === 0 ? [] : [`  folds ${ranges.join(', ')}`]),
    ...listNames(text, context, newName),
    ...listSignatures(text, context),
  ];
}

/** Every third line is enough to show each feature. */
const takeEveryThird = (lines: string): readonly string[] =>
  lines.split('\n').filter((_line, index) => index % 3 === 0);

const describeAll = (lines: readonly string[], context: ExpressionContext): readonly string[] =>
  lines
    .filter((line) => line !== '')
    .map((line, index) =>
      describeText(line.replaceAll('⏎', '\n'), context, newNames[index % 2] ?? '')
        .map((each) => each.replaceAll('\n', '⏎'))
        .join('\n'),
    );

test('what the features of the editor show in valid texts is that of the fixture; UPDATE=1 writes it', () => {
  const texts = [
    ...describeAll(scopedStatements, tableContext),
    ...describeAll(takeEveryThird(CLEAN_STATEMENTS), tableContext),
    ...describeAll(takeEveryThird(CLEAN_EXPRESSIONS), columnContext),
  ];
  const contents = `${texts.join('\n\n')}\n`;
  if (process.env['UPDATE'] === '1') {
    writeFileSync(fixture, contents);
  }
  expect(contents).toBe(readFileSync(fixture, 'utf8'));
});
