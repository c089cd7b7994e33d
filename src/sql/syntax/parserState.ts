import type { Caret } from './caret.ts';
import { type CaretHints, type CaretMode, type Clause, createEmptyHints, type OpenCall } from './hints.ts';
import { isClauseWord, isReserved } from './keywords.ts';
import type { SelectReuse, SelectContext } from './selectCache.ts';
import type { Token } from './token.ts';
import { type Lexed, quoteAt, unquote } from './tokens.ts';
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
  parseExpr(p: ParserState, minPrecedence?: number): Expr;
  parseQuery(p: ParserState, role: QueryRole): SqlQuery;
}

/** The state of the parser: reads tokens one by one, and collects syntax errors and the hints at the caret. */
export class ParserState {
  readonly lexed: Lexed;
  readonly rules: GrammarRules;
  readonly syntaxErrors: SqlSyntaxError[] = [];
  readonly hints: CaretHints = createEmptyHints();
  /** The queries and selects that contain the current token, outermost first. */
  readonly open: (SqlQuery | SelectQuery)[] = [];
  /** The calls that contain the current token; `undefined` for a sub-query, in which the outer calls don't apply. */
  readonly calls: (OpenCall | undefined)[] = [];
  /** The clause that contains the current token. */
  clause: Clause = 'none';
  /** The FROM item whose join condition contains the current token. */
  joined: FromItem | undefined;
  /** The number of open parentheses around the current token. */
  parens = 0;
  index = 0;
  token: Token;
  readonly #caret: Caret | undefined;
  readonly #caretIndex: number;
  readonly #end: Token;
  #phantom: boolean;
  readonly #reuse: SelectReuse | undefined;
  #depth = 0;
  /** The highest index of all tokens that were read, including by `peek`. */
  #seen = 0;
  /** Token index of the last reported error. */
  #lastError = -1;
  /** True if an error at the caret was reported, after which no more hints are added. */
  #sealed = false;

  constructor(lexed: Lexed, rules: GrammarRules, caret?: Caret, reuse?: SelectReuse) {
    this.lexed = lexed;
    this.rules = rules;
    this.#reuse = reuse;
    this.#caret = caret;
    this.#caretIndex = caret?.index ?? -1;
    this.#phantom = caret?.phantom ?? false;
    const { length } = lexed.text;
    this.#end = { kind: 'end', start: length, end: length, text: '', open: false };
    this.token = lexed.tokens.get(0) ?? this.#end;
  }

  /** The end of the token before the current one. */
  get previousEnd(): number {
    if (this.atCaret && this.#caret !== undefined && this.#caret.phantom && !this.#phantom) {
      return this.#caret.offset;
    }
    return this.lexed.tokens.get(this.index - 1)?.end ?? 0;
  }

  get previous(): Token | undefined {
    return this.lexed.tokens.get(this.index - 1);
  }

  get atEnd(): boolean {
    return this.token.kind === 'end';
  }

  get atCaret(): boolean {
    return this.index === this.#caretIndex;
  }

  peek(distance = 1): Token {
    const index = this.index + distance;
    this.#seen = Math.max(this.#seen, index);
    return this.lexed.tokens.get(index) ?? this.#end;
  }

  next(): Token {
    const { token } = this;
    if (token.kind !== 'end') {
      this.index++;
      this.token = this.lexed.tokens.get(this.index) ?? this.#end;
    }
    return token;
  }

  is(text: string): boolean {
    return this.token.text === text;
  }

  accept(text: string): Token | undefined {
    return this.token.text === text ? this.next() : undefined;
  }

  /** Consumes the current token if it has the given text; otherwise reports the text as missing. */
  expect(text: string): Token | undefined {
    if (this.token.text !== text && text.length > 1) {
      this.hint('after', text);
    }
    return this.accept(text) ?? this.reportMissing('expected', text);
  }

  /** True at a quoted name, or an unquoted word that is not reserved. */
  get atName(): boolean {
    const { token } = this;
    return token.kind === 'name' || (token.kind === 'word' && !isReserved(token.text));
  }

  /** True if the current token starts a clause. `LEFT(` and `RIGHT(` do not, because they are functions. */
  get atClause(): boolean {
    return this.isClause(0);
  }

  isClause(distance: number): boolean {
    const token = this.peek(distance);
    if (token.kind !== 'word' || !isClauseWord(token.text)) {
      return false;
    }
    return (token.text !== 'LEFT' && token.text !== 'RIGHT') || this.peek(distance + 1).text !== '(';
  }

  toName(token: Token): SqlName {
    const { text } = this.lexed;
    return {
      text: unquote(text, token),
      start: token.start,
      end: token.end,
      quote: token.kind === 'name' ? quoteAt(text, token.start) : '',
      open: token.open,
      missing: false,
    };
  }

  /** Creates an empty name at an offset where a name is missing. */
  createMissingName(offset: number): SqlName {
    return { text: '', start: offset, end: offset, quote: '', open: false, missing: true };
  }

  /** Reports that something is missing after the previous token. */
  reportMissing(reason: SqlSyntaxErrorReason, detail: string): undefined {
    // What follows the missing part must not be proposed at the caret.
    this.#sealed ||= this.atCaret;
    const at = this.previous ?? this.token;
    this.#addError(reason, detail, at);
  }

  /** Reports the current token as unexpected. */
  reportUnexpected(reason: SqlSyntaxErrorReason = 'unexpected'): void {
    const { start, end } = this.token;
    this.#addError(reason, this.lexed.text.slice(start, Math.min(end, start + 40)), this.token);
  }

  /** Adds an error, unless there is already one at the current token. */
  #addError(reason: SqlSyntaxErrorReason, detail: string, at: Token): void {
    if (this.#lastError === this.index) {
      return;
    }
    this.#lastError = this.index;
    this.syntaxErrors.push({ reason, detail, start: at.start, end: at.end });
  }

  /** Skips one token, or a whole parenthesized group. */
  skip(): void {
    let depth = 0;
    do {
      depth += this.is('(') ? 1 : 0;
      depth -= this.is(')') ? 1 : 0;
      this.next();
    } while (depth > 0 && !this.atEnd);
  }

  /** Parses a closing parenthesis, skipping unexpected tokens; returns the offset of `)`, or -1 if it is missing. */
  closeParen(): number {
    this.hint('after');
    if (!this.is(')')) {
      this.reportMissing('expected', ')');
      while (!this.is(')') && !this.atEnd && !this.atClause && !this.is(',') && !this.is(';')) {
        this.skip();
      }
    }
    this.parens--;
    return this.accept(')')?.start ?? -1;
  }

  openParen(): Token {
    this.parens++;
    return this.next();
  }

  /** Returns the cached select at the current token, if any, and skips its tokens. */
  findCachedSelect(role: QueryRole): SelectQuery | undefined {
    const known = this.#reuse?.find(this.index, this.#getSelectContext(role));
    if (known !== undefined) {
      this.index = known.to;
      this.token = this.lexed.tokens.get(known.to) ?? this.#end;
      this.#seen = Math.max(this.#seen, known.seen);
    }
    return known?.select;
  }

  /** Caches a select that ends before the current token. */
  cacheSelect(select: SelectQuery, role: QueryRole, from: number): void {
    const seen = Math.max(this.#seen, this.index);
    this.#reuse?.keep({ ...this.#getSelectContext(role), select, from, to: this.index, seen });
  }

  #getSelectContext(role: QueryRole): SelectContext {
    return { role, depth: this.#depth, isInParens: this.parens > 0 };
  }

  /** Runs a rule one level deeper, or reports an error and runs the fallback if the text is nested too deeply. */
  nested<T>(rule: () => T, tooDeep: () => T): T {
    if (this.#depth >= MAX_DEPTH) {
      this.reportUnexpected('too-deep');
      this.skip();
      return tooDeep();
    }
    this.#depth++;
    try {
      return rule();
    } finally {
      this.#depth--;
    }
  }

  /**
   * Records what is possible at the current token, if the caret is there; returns whether `mode` applies at the caret.
   */
  hint(mode: CaretMode, ...keywords: readonly string[]): boolean {
    if (!this.atCaret || this.#sealed) {
      return false;
    }
    const { hints } = this;
    if (hints.mode === undefined) {
      hints.mode = mode;
      hints.open = [...this.open];
      hints.clause = this.clause;
      hints.joined = this.joined;
      hints.call = this.#callAtCaret();
    }
    if (hints.mode === mode) {
      for (const keyword of keywords) {
        hints.keywords.add(keyword);
      }
    }
    return hints.mode === mode;
  }

  #callAtCaret(): CaretHints['call'] {
    const call = this.calls.at(-1);
    if (call === undefined) {
      return undefined;
    }
    return { name: call.name, open: call.open, index: call.args.length, before: [...call.args] };
  }

  /** Returns a name for the word that was removed at the caret, only once. */
  takePhantom(): SqlName | undefined {
    if (!this.atCaret || !this.#phantom || this.#caret === undefined) {
      return undefined;
    }
    this.#phantom = false;
    return { ...this.createMissingName(this.#caret.offset), missing: false };
  }
}
