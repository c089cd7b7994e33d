import type { Caret } from './caret.ts';
import { findLineEnd } from './chars.ts';
import { parseExpr } from './expressions.ts';
import type { CaretHints } from './caretHints.ts';
import { lex } from './lexer.ts';
import { type SelectCache, SelectCacheView } from './selectCache.ts';
import { ParserState, type GrammarRules } from './parserState.ts';
import { parseQuery } from './queries.ts';
import { TokenList } from './tokenList.ts';
import type { LexedText } from './lexedText.ts';
import type {
  Expr,
  ExpressionTree,
  SqlQuery,
  SqlTree,
  StatementTree,
  SqlSyntaxError,
  SqlSyntaxErrorReason,
} from './tree.ts';

/** Longer texts are not parsed, so that they cannot block the editor; real ones are far shorter. */
const MAX_TEXT_LENGTH = 1_000_000;

export const isTooLong = ({ length }: string): boolean => length > MAX_TEXT_LENGTH;

const RULES: GrammarRules = { parseExpr, parseQuery };

/** Parses the query of a custom table, with error recovery. Never throws. */
export function parseStatement(text: string): StatementTree {
  return parseStatementTokens(lexBounded(text));
}

/** Parses the expression of a custom column, with error recovery. Never throws. */
export function parseExpression(text: string): ExpressionTree {
  return parseExpressionTokens(lexBounded(text));
}

/** {@link lex} with a maximum length; a longer text is treated as empty. */
export function lexBounded(text: string): LexedText {
  if (!isTooLong(text)) {
    return lex(text);
  }
  const { length } = text;
  const tokens = new TokenList();
  tokens.push({ kind: 'end', start: length, end: length, text: '', unclosed: false });
  return {
    text,
    tokens,
    comments: [],
    hasUnclosed: false,
    canRelex: false,
  };
}

/** {@link parseStatement} for a text that is already split into tokens. */
export function parseStatementTokens(lexed: LexedText): StatementTree {
  const p = new ParserState(lexed, RULES);
  const queries = parseQueries(p);
  return { ...lexed, kind: 'statement', queries, syntaxErrors: addQuoteErrors(lexed, p.syntaxErrors) };
}

/** {@link parseExpression} for a text that is already split into tokens. */
export function parseExpressionTokens(lexed: LexedText): ExpressionTree {
  const p = new ParserState(lexed, RULES);
  const expr = parseSingleExpression(p);
  return { ...lexed, kind: 'expression', expr, syntaxErrors: addQuoteErrors(lexed, p.syntaxErrors) };
}

/**
 * Returns the parser's hints at a caret. Selects that do not contain the caret are taken from the cache, or added to
 * it.
 */
export function computeCaretHints(
  { lexed, caret }: { readonly lexed: LexedText; readonly caret: Caret },
  kind: SqlTree['kind'],
  cache?: SelectCache,
): CaretHints {
  const p = new ParserState(lexed, RULES, caret, cache && new SelectCacheView(cache, caret));
  if (kind === 'statement') {
    parseQueries(p);
  } else {
    parseSingleExpression(p);
  }
  return p.hints;
}

function parseQueries(p: ParserState): SqlQuery[] {
  const queries: SqlQuery[] = [];
  do {
    if (p.isAtEnd && !(p.isAtCaret && queries.length === 0)) {
      break;
    }
    const startIndex = p.index;
    queries.push(parseQuery(p, 'root'));
    p.parenDepth = 0;
    if (p.is(';')) {
      while (p.is(';')) {
        p.next();
      }
    } else if (!p.isAtEnd) {
      p.reportUnexpected();
      if (p.index === startIndex || !p.is('SELECT')) {
        p.skip();
      }
    }
  } while (!p.isAtEnd);
  return queries;
}

/**
 * Parses the expression of a custom column. A leading SELECT is allowed and ignored, as in the vendor's demo: `select
 * [first name] + ' ' + [last name]` (datamodels-demo, custom column "full name"). Several values or a FROM clause are
 * errors.
 */
function parseSingleExpression(p: ParserState): Expr | undefined {
  if (p.isAtEnd && !p.isAtCaret) {
    return undefined;
  }
  const isSelect = p.accept('SELECT') !== undefined;
  let expr = parseExpr(p);
  while (p.is(';') && p.peek().kind === 'end') {
    p.next();
  }
  while (!p.isAtEnd) {
    p.reportUnexpected(isSelect ? getSelectErrorReason(p) : 'unexpected');
    p.skip();
    expr = parseAfterSkipped(p, expr);
  }
  return expr;
}

function getSelectErrorReason(p: ParserState): SqlSyntaxErrorReason {
  return p.is(',') ? 'second-value' : p.is('FROM') ? 'from-in-column' : 'unexpected';
}

/** Parses the text after a skipped token, so that completion and rename work for its names. */
function parseAfterSkipped(p: ParserState, expr: Expr): Expr {
  const startsOperand =
    p.isAtName || p.token.kind === 'number' || p.token.kind === 'string' || p.is('(') || p.is('CASE');
  if (!startsOperand) {
    return expr;
  }
  const nextExpr = parseExpr(p);
  const items = expr.kind === 'paren' && expr.start === expr.end ? expr.items : [expr];
  return {
    kind: 'paren',
    start: expr.start,
    end: Math.max(expr.end, nextExpr.end),
    items: [...items, nextExpr],
  };
}

function addQuoteErrors(lexed: LexedText, syntaxErrors: readonly SqlSyntaxError[]): SqlSyntaxError[] {
  if (isTooLong(lexed.text)) {
    const detail = String(MAX_TEXT_LENGTH);
    return [{ reason: 'too-long', detail, start: 0, end: findLineEnd(lexed.text, 0) }];
  }
  if (!lexed.hasUnclosed) {
    return [...syntaxErrors];
  }
  const allErrors = [...syntaxErrors];
  for (const token of lexed.tokens) {
    if (token.unclosed) {
      const reason = token.kind === 'string' ? 'unclosed-string' : 'unclosed-quote';
      allErrors.push({ reason, detail: lexed.text.charAt(token.start), start: token.start, end: token.end });
    }
  }
  for (const comment of lexed.comments) {
    if (comment.unclosed) {
      allErrors.push({ reason: 'unclosed-comment', detail: '/*', start: comment.start, end: comment.end });
    }
  }
  return allErrors.sort((a, b) => a.start - b.start);
}
