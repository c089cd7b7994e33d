import type { Caret } from './caret.ts';
import {
  type CaretHints,
  type CaretMode,
  type Clause,
  createEmptyHints,
  type OpenCall,
} from './caretHints.ts';
import { isClauseWord, isReserved } from './keywords.ts';
import type { SelectCacheView, SelectContext } from './selectCache.ts';
import type { Token } from './token.ts';
import { type LexedText, getQuoteAt, unquoteName } from './lexedText.ts';
import type {
  Expr,
  FromItem,
  SqlName,
  SqlQuery,
  QueryRole,
  SelectQuery,
  SqlSyntaxError,
  SqlSyntaxErrorReason,
} from './tree.ts';

/** Text that is nested deeper is skipped, so that the parser cannot overflow the stack. */
const MAX_DEPTH = 160;

/** The grammar rules that are used recursively, passed to the parser to avoid circular imports. */
export interface GrammarRules {
  parseExpr(parser: ParserState, minPrecedence?: number): Expr;
  parseQuery(parser: ParserState, role: QueryRole): SqlQuery;
}

/** The state of the parser: reads tokens one by one, and collects syntax errors and the hints at the caret. */
export class ParserState {
  readonly lexed: LexedText;
  readonly rules: GrammarRules;
  readonly syntaxErrors: SqlSyntaxError[] = [];
  readonly hints: CaretHints = createEmptyHints();
  /** The queries and selects that contain the current token, outermost first. */
  readonly enclosingNodes: (SqlQuery | SelectQuery)[] = [];
  /** The calls that contain the current token; `undefined` for a sub-query, in which the outer calls don't apply. */
  readonly openCalls: (OpenCall | undefined)[] = [];
  /** The clause that contains the current token. */
  clause: Clause = 'none';
  /** The FROM item whose join condition contains the current token. */
  joinedItem: FromItem | undefined;
  /** The number of open parentheses around the current token. */
  parenDepth = 0;
  index = 0;
  token: Token;
  readonly #caret: Caret | undefined;
  readonly #caretIndex: number;
  readonly #endToken: Token;
  #isIncompleteWordPending: boolean;
  readonly #selectCache: SelectCacheView | undefined;
  #depth = 0;
  /** The highest token index that was read ahead, by `peek` or in cached selects. */
  #furthestIndex = 0;
  /** Token index of the last reported error. */
  #lastErrorIndex = -1;
  /** True if something was reported as missing at the caret, after which no more hints are added. */
  #areHintsClosed = false;

  constructor(lexed: LexedText, rules: GrammarRules, caret?: Caret, selectCache?: SelectCacheView) {
    this.lexed = lexed;
    this.rules = rules;
    this.#selectCache = selectCache;
    this.#caret = caret;
    this.#caretIndex = caret?.index ?? -1;
    this.#isIncompleteWordPending = caret?.hasIncompleteWord ?? false;
    const { length } = lexed.text;
    this.#endToken = { kind: 'end', start: length, end: length, symbol: '', unclosed: false };
    this.token = lexed.tokens.get(0) ?? this.#endToken;
  }

  /** The end of the token before the current one. */
  get previousEnd(): number {
    if (
      this.isAtCaret &&
      this.#caret !== undefined &&
      this.#caret.hasIncompleteWord &&
      !this.#isIncompleteWordPending
    ) {
      return this.#caret.offset;
    }
    return this.lexed.tokens.get(this.index - 1)?.end ?? 0;
  }

  get previous(): Token | undefined {
    return this.lexed.tokens.get(this.index - 1);
  }

  get isAtEnd(): boolean {
    return this.token.kind === 'end';
  }

  get isAtCaret(): boolean {
    return this.index === this.#caretIndex;
  }

  peek(distance = 1): Token {
    const index = this.index + distance;
    this.#furthestIndex = Math.max(this.#furthestIndex, index);
    return this.lexed.tokens.get(index) ?? this.#endToken;
  }

  next(): Token {
    const { token } = this;
    if (token.kind !== 'end') {
      this.index++;
      this.token = this.lexed.tokens.get(this.index) ?? this.#endToken;
    }
    return token;
  }

  is(symbol: string): boolean {
    return this.token.symbol === symbol;
  }

  accept(symbol: string): Token | undefined {
    return this.token.symbol === symbol ? this.next() : undefined;
  }

  /** Consumes the current token if it is a keyword or an operator; otherwise reports this symbol as missing. */
  expect(symbol: string): Token | undefined {
    if (this.token.symbol !== symbol && symbol.length > 1) {
      this.addHint('keyword', symbol);
    }
    return this.accept(symbol) ?? this.reportMissing('expected', symbol);
  }

  /** True at a quoted name, or an unquoted word that is not reserved. */
  get isAtName(): boolean {
    const { token } = this;
    return token.kind === 'quotedName' || (token.kind === 'word' && !isReserved(token.symbol));
  }

  /** True if the current token starts a clause. `LEFT(` and `RIGHT(` do not, because they are functions. */
  get isAtClause(): boolean {
    return this.isClauseAt(0);
  }

  isClauseAt(distance: number): boolean {
    const token = this.peek(distance);
    if (token.kind !== 'word' || !isClauseWord(token.symbol)) {
      return false;
    }
    return (token.symbol !== 'LEFT' && token.symbol !== 'RIGHT') || this.peek(distance + 1).symbol !== '(';
  }

  toName(token: Token): SqlName {
    const { text } = this.lexed;
    return {
      text: unquoteName(text, token),
      start: token.start,
      end: token.end,
      quote: token.kind === 'quotedName' ? getQuoteAt(text, token.start) : '',
      unclosed: token.unclosed,
      missing: false,
    };
  }

  /** Creates an empty name at an offset where a name is missing. */
  createMissingName(offset: number): SqlName {
    return { text: '', start: offset, end: offset, quote: '', unclosed: false, missing: true };
  }

  /** Reports that something is missing after the previous token. */
  reportMissing(reason: SqlSyntaxErrorReason, detail: string): undefined {
    // What follows the missing part must not be proposed at the caret.
    this.#areHintsClosed ||= this.isAtCaret;
    const token = this.previous ?? this.token;
    this.#addError(reason, detail, token);
  }

  /** Reports the current token as unexpected. */
  reportUnexpected(reason: SqlSyntaxErrorReason = 'unexpected'): void {
    const { start, end } = this.token;
    this.#addError(reason, this.lexed.text.slice(start, Math.min(end, start + 40)), this.token);
  }

  /** Adds an error, unless there is already one at the current token. */
  #addError(reason: SqlSyntaxErrorReason, detail: string, range: Token): void {
    if (this.#lastErrorIndex === this.index) {
      return;
    }
    this.#lastErrorIndex = this.index;
    this.syntaxErrors.push({ reason, detail, start: range.start, end: range.end });
  }

  /** Skips one token, or a whole parenthesized group. */
  skip(): void {
    let depth = 0;
    do {
      depth += this.is('(') ? 1 : 0;
      depth -= this.is(')') ? 1 : 0;
      this.next();
    } while (depth > 0 && !this.isAtEnd);
  }

  /** Parses a closing parenthesis, skipping unexpected tokens; returns the offset of `)`, or -1 if it is missing. */
  closeParen(): number {
    this.addHint('keyword');
    if (!this.is(')')) {
      this.reportMissing('expected', ')');
      while (!this.is(')') && !this.isAtEnd && !this.isAtClause && !this.is(',') && !this.is(';')) {
        this.skip();
      }
    }
    this.parenDepth--;
    return this.accept(')')?.start ?? -1;
  }

  openParen(): Token {
    this.parenDepth++;
    return this.next();
  }

  /** Returns the cached select at the current token, if any, and skips its tokens. */
  acceptCachedSelect(role: QueryRole): SelectQuery | undefined {
    const cached = this.#selectCache?.find(this.index, this.#getSelectContext(role));
    if (cached !== undefined) {
      this.index = cached.endIndex;
      this.token = this.lexed.tokens.get(cached.endIndex) ?? this.#endToken;
      this.#furthestIndex = Math.max(this.#furthestIndex, cached.lastReadIndex);
    }
    return cached?.select;
  }

  /** Caches a select that ends before the current token. */
  cacheSelect(select: SelectQuery, role: QueryRole, startIndex: number): void {
    const lastReadIndex = Math.max(this.#furthestIndex, this.index);
    this.#selectCache?.add({
      ...this.#getSelectContext(role),
      select,
      startIndex,
      endIndex: this.index,
      lastReadIndex,
    });
  }

  #getSelectContext(role: QueryRole): SelectContext {
    return { role, depth: this.#depth, isInParens: this.parenDepth > 0 };
  }

  /** Runs a rule one level deeper, or reports an error and runs the fallback if the text is nested too deeply. */
  runNested<T>(rule: () => T, createFallback: () => T): T {
    if (this.#depth >= MAX_DEPTH) {
      this.reportUnexpected('too-deep');
      this.skip();
      return createFallback();
    }
    this.#depth++;
    try {
      return rule();
    } finally {
      this.#depth--;
    }
  }

  /**
   * Records what is possible at the current token, if the caret is there.
   * @returns true if the caret is there and its mode is `mode`
   */
  addHint(mode: CaretMode, ...keywords: readonly string[]): boolean {
    if (!this.isAtCaret || this.#areHintsClosed) {
      return false;
    }
    const { hints } = this;
    if (hints.mode === undefined) {
      hints.mode = mode;
      hints.enclosingNodes = [...this.enclosingNodes];
      hints.clause = this.clause;
      hints.joinedItem = this.joinedItem;
      hints.call = this.#getCallAtCaret();
    }
    if (hints.mode === mode) {
      for (const keyword of keywords) {
        hints.keywords.add(keyword);
      }
    }
    return hints.mode === mode;
  }

  #getCallAtCaret(): CaretHints['call'] {
    const call = this.openCalls.at(-1);
    if (call === undefined) {
      return undefined;
    }
    return {
      name: call.name,
      openParenOffset: call.openParenOffset,
      argumentIndex: call.args.length,
      previousArguments: [...call.args],
    };
  }

  /**
   * Accepts the incomplete word at the caret, which completion has removed from the tokens (see {@link Caret}): returns
   * a name for it, only once; `undefined` if the current token is not at the caret or there is no such word.
   */
  acceptIncompleteWord(): SqlName | undefined {
    if (!this.isAtCaret || !this.#isIncompleteWordPending || this.#caret === undefined) {
      return undefined;
    }
    this.#isIncompleteWordPending = false;
    return { ...this.createMissingName(this.#caret.offset), missing: false };
  }
}
