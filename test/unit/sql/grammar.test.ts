import { describe, expect, test } from 'vitest';
import configuration from '../../../syntaxes/datamodel-sql.language-configuration.json' with { type: 'json' };
import grammar from '../../../syntaxes/datamodel-sql.tmLanguage.json' with { type: 'json' };

interface Rule {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly include?: string;
  readonly patterns?: readonly Rule[];
}

const repository: Readonly<Record<string, Rule>> = grammar.repository;

function expandRules(rules: readonly Rule[]): Rule[] {
  return rules.flatMap((rule) => {
    const included = rule.include === undefined ? undefined : repository[rule.include.slice(1)];
    return included === undefined ? [rule] : expandRules(included.patterns ?? []);
  });
}

function compilePattern(pattern: string): RegExp {
  return new RegExp(pattern.replace('(?i)', ''), pattern.includes('(?i)') ? 'iuy' : 'uy');
}

/** The grammar's scope for the start of a text: the first rule that matches there. */
function getScope(text: string): string {
  const rules = expandRules(grammar.patterns);
  const found = rules.find(({ match, begin }) => compilePattern(match ?? begin ?? '(?!)').test(text));
  return found?.name ?? 'none';
}

describe('the grammar', () => {
  test('every pattern compiles', () => {
    for (const { match, begin, end } of expandRules(grammar.patterns)) {
      for (const pattern of [match, begin, end]) {
        expect(() => (pattern === undefined ? undefined : compilePattern(pattern))).not.toThrow();
      }
    }
  });

  test.each([
    ['[Order Id]', 'variable.other.quoted.bracket.datamodel-sql'],
    ['"Order Id"', 'variable.other.quoted.double.datamodel-sql'],
    ['`Order Id`', 'variable.other.quoted.backtick.datamodel-sql'],
    ["'text'", 'string.quoted.single.datamodel-sql'],
    ['-- comment', 'comment.line.double-dash.datamodel-sql'],
    ['/* comment */', 'comment.block.datamodel-sql'],
    ['SELECT a', 'keyword.other.clause.datamodel-sql'],
    ['left outer join b', 'keyword.other.clause.datamodel-sql'],
    ['GROUP  BY a', 'keyword.other.clause.datamodel-sql'],
    ['CASE WHEN', 'keyword.control.case.datamodel-sql'],
    ['AND b', 'keyword.operator.word.datamodel-sql'],
    ['partition by', 'keyword.other.window.datamodel-sql'],
    ['Lookup(a)', 'entity.name.function.datamodel-sql'],
    ['NULL', 'constant.language.datamodel-sql'],
    ['007', 'constant.numeric.datamodel-sql'],
    ['||', 'keyword.operator.concat.datamodel-sql'],
    ['<>', 'keyword.operator.comparison.datamodel-sql'],
    ['Selection', 'none'],
    ['Größe', 'none'],
  ])('%s', (text, scope) => expect(getScope(text)).toBe(scope));

  test('names in quotes are not strings', () => {
    const scopes = expandRules(repository['names']?.patterns ?? []).map(({ name }) => name ?? '');
    expect(scopes.filter((scope) => scope.startsWith('string'))).toEqual([]);
  });
});

test('the language configuration closes all quotes and supports words of every script', () => {
  expect(configuration.autoClosingPairs.map(({ open }) => open)).toEqual(['(', '[', "'", '"', '`', '/*']);
  const { pattern, flags } = configuration.wordPattern;
  expect('Größe + 名前'.match(new RegExp(pattern, `g${flags}`))).toEqual(['Größe', '名前']);
});
