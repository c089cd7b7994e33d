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
  tokens.push({ kind: 'end', start: length, end: length, symbol: '', unclosed: false });
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
  const parser = new ParserState(lexed, RULES);
  const queries = parseQueries(parser);
  return { ...lexed, kind: 'statement', queries, syntaxErrors: addQuoteErrors(lexed, parser.syntaxErrors) };
}

/** {@link parseExpression} for a text that is already split into tokens. */
export function parseExpressionTokens(lexed: LexedText): ExpressionTree {
  const parser = new ParserState(lexed, RULES);
  const expr = parseSingleExpression(parser);
  return { ...lexed, kind: 'expression', expr, syntaxErrors: addQuoteErrors(lexed, parser.syntaxErrors) };
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
  const parser = new ParserState(lexed, RULES, caret, cache && new SelectCacheView(cache, caret));
  if (kind === 'statement') {
    parseQueries(parser);
  } else {
    parseSingleExpression(parser);
  }
  return parser.hints;
}

function parseQueries(parser: ParserState): SqlQuery[] {
  const queries: SqlQuery[] = [];
  do {
    if (parser.isAtEnd && !(parser.isAtCaret && queries.length === 0)) {
      break;
    }
    const startIndex = parser.index;
    queries.push(parseQuery(parser, 'root'));
    parser.parenDepth = 0;
    if (parser.is(';')) {
      while (parser.is(';')) {
        parser.next();
      }
    } else if (!parser.isAtEnd) {
      parser.reportUnexpected();
      if (parser.index === startIndex || !parser.is('SELECT')) {
        parser.skip();
      }
    }
  } while (!parser.isAtEnd);
  return queries;
}

/**
 * Parses the expression of a custom column. A leading SELECT is allowed and ignored, as in a demo datamodel of the
 * vendor: `select [first name] + ' ' + [last name]`. Several values or a FROM clause are errors.
 */
function parseSingleExpression(parser: ParserState): Expr | undefined {
  if (parser.isAtEnd && !parser.isAtCaret) {
    return undefined;
  }
  const isSelect = parser.accept('SELECT') !== undefined;
  let expr = parseExpr(parser);
  while (parser.is(';') && parser.peek().kind === 'end') {
    parser.next();
  }
  while (!parser.isAtEnd) {
    parser.reportUnexpected(isSelect ? getSelectErrorReason(parser) : 'unexpected');
    parser.skip();
    expr = parseAfterSkipped(parser, expr);
  }
  return expr;
}

function getSelectErrorReason(parser: ParserState): SqlSyntaxErrorReason {
  return parser.is(',') ? 'second-value' : parser.is('FROM') ? 'from-in-column' : 'unexpected';
}

/** Parses the text after a skipped token, so that completion and rename work for its names. */
function parseAfterSkipped(parser: ParserState, expr: Expr): Expr {
  const startsOperand =
    parser.isAtName ||
    parser.token.kind === 'number' ||
    parser.token.kind === 'string' ||
    parser.is('(') ||
    parser.is('CASE');
  if (!startsOperand) {
    return expr;
  }
  const nextExpr = parseExpr(parser);
  return {
    kind: 'paren',
    start: expr.start,
    end: Math.max(expr.end, nextExpr.end),
    items: [expr, nextExpr],
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
