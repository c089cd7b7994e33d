import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { applyEdits, codeActionsAt, diagnose, type ExpressionContext } from '../../../src/sql/index.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { SeededRandom } from '../../../src/sandbox/seeds/seededRandom.ts';
import { CLEAN_EXPRESSIONS, CLEAN_STATEMENTS } from './cases/clean.ts';
import { scopedStatements } from './cases/scopedStatements.ts';
import { columnContext, tableContext } from './model.ts';

const fixture = new URL('../../fixtures/sqlBrokenTexts.txt', import.meta.url);
const random = new SeededRandom(1);

/**
 * Breaks a text in four ways: without a token, cut off after a token, with a token repeated in another place, and with
 * the last character of a token missing.
 */
function* breakText(text: string): Generator<string> {
  const tokens = [...lex(text).tokens];
  const pickToken = () => tokens[random.nextInteger(0, tokens.length - 1)] ?? { start: 0, end: 0 };
  const removed = pickToken();
  yield text.slice(0, removed.start) + text.slice(removed.end);
  const last = pickToken();
  yield text.slice(0, last.end);
  const [moved, place] = [pickToken(), pickToken()];
  yield `${text.slice(0, place.start)}${text.slice(moved.start, moved.end)} ${text.slice(place.start)}`;
  const misspelledToken = pickToken();
  yield text.slice(0, Math.max(misspelledToken.start, misspelledToken.end - 1)) +
    text.slice(misspelledToken.end);
}

/** Marks the problems of a text, `SELECT * ‹FROM› => e expected-table`, and lists how each can be fixed. */
function markProblems(text: string, context: ExpressionContext): readonly string[] {
  const problems = diagnose(text, context);
  const starts = new Set(problems.map(({ start }) => start));
  const ends = new Set(problems.map(({ end }) => end));
  const marked = Array.from({ length: text.length + 1 }, (_none, offset) =>
    [ends.has(offset) ? '›' : '', starts.has(offset) ? '‹' : '', text.charAt(offset)].join(''),
  );
  const reasons = problems.map(({ severity, reason, args }) =>
    [severity[0], reason, ...args].join(' ').trim(),
  );
  const fixes = problems.flatMap(({ start, end }) => codeActionsAt(text, start, end, context));
  return [
    `${marked.join('')} => ${reasons.length === 0 ? 'none' : reasons.join(', ')}`,
    ...fixes.map(
      ({ code, isPreferred, edits }) => `  ${code}${isPreferred ? '!' : ''}: ${applyEdits(text, edits)}`,
    ),
  ];
}

/** Breaks each text twice. */
const breakAll = (lines: string, context: ExpressionContext): readonly string[] =>
  [...lines.split('\n'), ...lines.split('\n')]
    .filter((line) => line !== '')
    .flatMap((line) => [...breakText(line.replaceAll('⏎', '\n'))])
    .map((text) =>
      markProblems(text, context)
        .map((line) => line.replaceAll('\n', '⏎'))
        .join('\n'),
    );

test('the problems of broken texts are those of the fixture; UPDATE=1 writes it', () => {
  const lines = [
    ...breakAll(CLEAN_STATEMENTS, tableContext),
    ...breakAll(scopedStatements.join('\n'), tableContext),
    ...breakAll(CLEAN_EXPRESSIONS, columnContext),
  ];
  const contents = `${[...new Set(lines)].join('\n')}\n`;
  if (process.env['UPDATE'] === '1') {
    writeFileSync(fixture, contents);
  }
  expect(contents).toBe(readFileSync(fixture, 'utf8'));
});
