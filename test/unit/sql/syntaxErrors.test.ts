import { describe, expect, test } from 'vitest';
import { diagnose, type ExpressionContext } from '../../../src/sql/index.ts';
import { parseExpression, parseStatement } from '../../../src/sql/syntax/parser.ts';
import type { SqlSyntaxError } from '../../../src/sql/syntax/tree.ts';
import { EXPRESSION_ROOT_PROBLEMS, ROOT_PROBLEMS } from './cases/rootProblems.ts';
import { EXPRESSION_SYNTAX_ERRORS, SYNTAX_ERRORS } from './cases/syntaxErrors.ts';
import { UNFINISHED_STATEMENTS } from './cases/unfinishedTexts.ts';
import { columnContext, tableContext } from './model.ts';

const getLines = (lines: string): readonly string[] => lines.split('\n').filter((line) => line !== '');

/** Marks the errors in a text: `SELECT * ‹FROM› => expected-table`. */
function markErrors(text: string, errors: readonly SqlSyntaxError[]): string {
  const starts = new Set(errors.map(({ start }) => start));
  const ends = new Set(errors.map(({ end }) => end));
  const marked = Array.from({ length: text.length + 1 }, (_, offset) =>
    [ends.has(offset) ? '›' : '', starts.has(offset) ? '‹' : '', text.charAt(offset)].join(''),
  );
  const reasons = errors.map(({ reason, detail }) => (detail === '' ? reason : `${reason} ${detail}`));
  return `${marked.join('').replaceAll('\n', '⏎')} => ${reasons.join(', ')}`;
}

function runCases(
  lines: string,
  parse: (text: string) => { readonly syntaxErrors: readonly SqlSyntaxError[] },
): void {
  test.each(getLines(lines))('the marked errors are found: %s', (line) => {
    const [marked = ''] = line.split(' => ');
    const text = marked.replaceAll(/[‹›]/g, '').replaceAll('⏎', '\n');
    expect(markErrors(text, parse(text).syntaxErrors)).toBe(line);
  });
}

describe('syntax errors of statements', () => runCases(SYNTAX_ERRORS, parseStatement));
describe('syntax errors of statements that are being typed', () =>
  runCases(UNFINISHED_STATEMENTS, parseStatement));
describe('syntax errors of expressions', () => runCases(EXPRESSION_SYNTAX_ERRORS, parseExpression));

function runProblemCases(lines: string, context: ExpressionContext): void {
  test.each(getLines(lines))('only the root problem is reported: %s', (line) => {
    const [text = ''] = line.split(' => ');
    const problems = diagnose(text, context).map(
      ({ code, start, end }) => `${code} ${text.slice(start, end)}`,
    );
    expect(`${text} => ${problems.join(', ') || 'nothing'}`).toBe(line);
  });
}

describe('one mistake in a statement is reported once', () => runProblemCases(ROOT_PROBLEMS, tableContext));
describe('one mistake in an expression is reported once', () =>
  runProblemCases(EXPRESSION_ROOT_PROBLEMS, columnContext));
