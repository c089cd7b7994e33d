import type { ExpressionContext } from '../context.ts';
import { getCaretHints, lexInContext } from '../parsing.ts';
import { writeName } from '../quoting.ts';
import { isLookupCall } from '../scope/expressionResolver.ts';
import { getScopeChain, findSource } from '../scope/lookup.ts';
import { type Scope, createScope } from '../scope/model.ts';
import type { FromSource } from '../scope/source.ts';
import { ScopeBuilder } from '../scope/scopes.ts';
import { toNameKey } from '../scope/symbols.ts';
import type { CallAtCaret, CaretHints } from '../syntax/hints.ts';
import { lex } from '../syntax/lexer.ts';
import { unquote } from '../syntax/tokens.ts';
import type { SqlName } from '../syntax/tree.ts';
import { TYPE_NAMES } from '../syntax/types.ts';
import { type CaretPosition, getCaretPosition } from './caret.ts';
import { expandStar, createMemberColumnDrafts, createVisibleColumnDrafts } from './columns.ts';
import { type CompletionItem, type CompletionDraft, rankDrafts } from './item.ts';
import { createJoinConditionDrafts, findJoinableTables } from './joins.ts';
import { type CaretScope, getVisibleCtes, getScopeAtCaret } from './scopeAtCaret.ts';
import { sortDirectionsFirst, createFunctionDrafts, createKeywordDrafts } from './words.ts';

/** Keywords that start queries, which are not proposed in a custom column. */
const QUERY_WORDS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'EXISTS']);

/** Returns the completions at the caret, best first. */
export function completionsAt(
  text: string,
  offset: number,
  context: ExpressionContext,
): readonly CompletionItem[] {
  const at = Math.min(Math.max(0, Math.trunc(offset) || 0), text.length);
  const place = getCaretPosition(lexInContext(text, context), at);
  return place === undefined ? [] : new Completer(place, context).createItems();
}

class Completer {
  readonly #place: CaretPosition;
  readonly #context: ExpressionContext;
  readonly #scopes: ScopeBuilder;
  readonly #hints: CaretHints;
  readonly #at: CaretScope;

  constructor(place: CaretPosition, context: ExpressionContext) {
    this.#place = place;
    this.#context = context;
    this.#scopes = new ScopeBuilder(context);
    this.#hints = getCaretHints(place, context);
    this.#at = getScopeAtCaret(this.#hints, this.#scopes);
  }

  createItems(): CompletionItem[] {
    return [...rankDrafts(this.#createDrafts(), this.#place), ...this.#createQuotedItems()];
  }

  /** Completes `"o.|`, where the quote was opened before the alias: the alias and the column get separate quotes. */
  #createQuotedItems(): CompletionItem[] {
    const { quote, prefix } = this.#place;
    const dot = prefix.lastIndexOf('.');
    if (quote === '' || dot < 0 || this.#hints.mode !== 'operand') {
      return [];
    }
    const name = { text: prefix.slice(0, dot), start: 0, end: 0, quote, open: false, missing: false };
    const source =
      findSource(this.#getScope(), [name])?.source ?? this.#findTableOutside([name], this.#getScope());
    const columns = source === undefined ? [] : createMemberColumnDrafts(source, quote);
    const drafts = columns.map((draft) => ({
      ...draft,
      insertText: `${writeName(source?.name ?? '', quote)}.${draft.insertText}`,
    }));
    return rankDrafts(drafts, { ...this.#place, prefix: prefix.slice(dot + 1) });
  }

  #createDrafts(): CompletionDraft[] {
    switch (this.#hints.mode) {
      case 'operand':
        return this.#createOperandDrafts();
      case 'member':
        return this.#createMemberDrafts();
      case 'table':
        return [...this.#createTableDrafts(), ...this.#createKeywordDrafts(this.#hints.keywords)];
      case 'using':
        return this.#createUsingDrafts();
      case 'type':
        return this.#createKeywordDrafts(TYPE_NAMES);
      case 'after':
        return [
          ...this.#createStarDrafts(),
          ...this.#createKeywordDrafts(sortDirectionsFirst(this.#hints.keywords)),
        ];
      case 'name':
        return this.#createKeywordDrafts(this.#hints.keywords);
      case undefined:
        return [];
    }
  }

  /** Creates drafts for keywords, unless a quote is open, because only names can be in quotes. */
  #createKeywordDrafts(words: Iterable<string>): CompletionDraft[] {
    if (this.#place.quote !== '') {
      return [];
    }
    const isColumn = this.#context.kind === 'column';
    return createKeywordDrafts(
      isColumn ? [...words].filter((word) => !QUERY_WORDS.has(word)) : words,
      this.#place,
    );
  }

  /** Returns the innermost scope: that of the select around the caret, or of the table of a custom column. */
  #getScope(): Scope {
    if (this.#context.kind === 'column' && this.#at.scope === undefined) {
      return this.#scopes.createTableScope(this.#context.table);
    }
    const { scope, env, outer } = this.#at;
    return scope ?? createScope({ select: undefined, sources: [], env, parent: outer });
  }

  #createOperandDrafts(): CompletionDraft[] {
    const lookup = this.#createLookupDrafts();
    if (lookup !== undefined) {
      return lookup;
    }
    const scope = this.#getScope();
    const { near, far } = createVisibleColumnDrafts(scope, this.#place.quote);
    const inside = [
      ...this.#createConditionDrafts(scope),
      ...near,
      ...this.#createOutputDrafts(),
      ...this.#createQualifierDrafts(scope),
      ...far,
    ];
    if (this.#place.quote !== '') {
      // Without a FROM clause, a quoted name is probably a table.
      return inside.length > 0 || this.#context.kind === 'column' ? inside : this.#createCatalogTableDrafts();
    }
    return [
      ...inside,
      ...createFunctionDrafts(this.#place),
      ...this.#createKeywordDrafts(this.#hints.keywords),
    ];
  }

  #createConditionDrafts(scope: Scope): CompletionDraft[] {
    const { conditionStart, joined } = this.#hints;
    const relations = this.#context.catalog.relations ?? [];
    return conditionStart && joined !== undefined ? createJoinConditionDrafts(scope, joined, relations) : [];
  }

  /** Creates drafts for output columns, in clauses that can use them. */
  #createOutputDrafts(): CompletionDraft[] {
    const { clause } = this.#hints;
    const { query, env, outer, scope } = this.#at;
    if (query === undefined || !(clause === 'order' || clause === 'group' || clause === 'having')) {
      return [];
    }
    const single = scope?.select;
    const shape =
      clause === 'order' || single === undefined
        ? this.#scopes.getQueryShape(query, env, outer)
        : this.#scopes.getSelectShape(single, env, outer);
    return shape.columns
      .filter(({ name, symbol }) => name !== '' && (symbol?.kind === 'output' || scope === undefined))
      .map(({ name }) => ({
        label: name,
        insertText: writeName(name, this.#place.quote),
        kind: 'column',
        detail: 'result',
      }));
  }

  /** Creates drafts for the names of sources, which qualify columns. */
  #createQualifierDrafts(scope: Scope): CompletionDraft[] {
    if (this.#context.kind === 'column') {
      return [];
    }
    return getScopeChain(scope).flatMap(({ sources }) =>
      sources.filter(({ name }) => name !== '').map((source) => this.#createQualifierDraft(source)),
    );
  }

  #createQualifierDraft({ name, alias, target }: FromSource): CompletionDraft {
    const table = target.kind === 'table' ? target.table.name : undefined;
    const cte = target.kind === 'cte' ? target.name.text : undefined;
    const kind = alias !== undefined ? 'alias' : cte === undefined ? 'table' : 'cte';
    const detail = alias === undefined ? undefined : (table ?? cte);
    return { label: name, insertText: writeName(name, this.#place.quote), kind, detail };
  }

  #createMemberDrafts(): CompletionDraft[] {
    const { qualifier, call } = this.#hints;
    if (this.#hints.clause === 'from' && call === undefined) {
      return this.#createQualifiedTableDrafts(qualifier);
    }
    const remote = call === undefined ? undefined : this.#getRemoteTableScope(call);
    const scope = remote ?? this.#getScope();
    const source = findSource(scope, qualifier)?.source ?? this.#findTableOutside(qualifier, scope);
    if (source === undefined) {
      return [];
    }
    const columns = createMemberColumnDrafts(source, this.#place.quote);
    const withStar = this.#hints.clause === 'select' && this.#place.quote === '' && call === undefined;
    return withStar
      ? [...columns, { label: '*', insertText: '*', kind: 'column', detail: 'all columns' }]
      : columns;
  }

  /** Completes `FROM a.|`, if the name of a table contains a dot and starts with this path. */
  #createQualifiedTableDrafts(qualifier: readonly SqlName[]): CompletionDraft[] {
    const start = qualifier[0]?.start ?? this.#place.start;
    const begun = toNameKey(`${qualifier.map(({ text }) => text).join('.')}.`);
    return this.#createCatalogTableDrafts()
      .filter(({ label }) => toNameKey(label).startsWith(begun))
      .map((draft) => ({ ...draft, start }));
  }

  /** Completes `SELECT Orders.|` without a FROM clause: the qualifier is probably a table. */
  #findTableOutside(qualifier: readonly SqlName[], scope: Scope): FromSource | undefined {
    const table = this.#scopes.findTable(qualifier);
    if (this.#context.kind === 'column' || scope.sources.length > 0 || table === undefined) {
      return undefined;
    }
    return this.#scopes.createTableScope(table.symbol.table.name).sources[0];
  }

  #createTableDrafts(): CompletionDraft[] {
    const { quote } = this.#place;
    const related = findJoinableTables(this.#getScope(), this.#context.catalog.relations ?? []);
    const ctes: CompletionDraft[] = getVisibleCtes(this.#at.env, this.#hints).map((name) => ({
      label: name,
      insertText: writeName(name, quote),
      kind: 'cte',
    }));
    const hidden = new Set(ctes.map(({ label }) => toNameKey(label)));
    const tables = this.#createVisibleTableDrafts().filter(({ label }) => !hidden.has(toNameKey(label)));
    const first = tables.filter(({ label }) => related.has(toNameKey(label)));
    const rest = related.size === 0 ? tables : tables.filter(({ label }) => !related.has(toNameKey(label)));
    return [...first, ...ctes, ...rest];
  }

  /** Creates drafts for the tables that FROM can use; in the expression of a column only its own table. */
  #createVisibleTableDrafts(): CompletionDraft[] {
    const tables = this.#createCatalogTableDrafts();
    if (this.#context.kind !== 'column') {
      return tables;
    }
    const own = toNameKey(this.#context.table);
    return tables.filter(({ label }) => toNameKey(label) === own);
  }

  #createCatalogTableDrafts(): CompletionDraft[] {
    const { quote } = this.#place;
    return this.#context.catalog.tables.map(({ name }) => ({
      label: name,
      insertText: writeName(name, quote),
      kind: 'table',
    }));
  }

  #createUsingDrafts(): CompletionDraft[] {
    const { joined } = this.#hints;
    const { sources } = this.#getScope();
    const position = sources.findIndex(({ item }) => item === joined);
    const right = sources[position];
    const before = sources.slice(0, position);
    return (right?.shape.columns ?? [])
      .filter(({ name }) => before.some(({ shape }) => shape.find(toNameKey(name)) !== undefined))
      .map(({ name }) => ({ label: name, insertText: writeName(name, this.#place.quote), kind: 'column' }));
  }

  /** Completes `*|`: replaces the star with the list of all columns. */
  #createStarDrafts(): CompletionDraft[] {
    const { lexed, caret } = this.#place;
    const last = lexed.tokens.get(caret.index - 1);
    const before = lexed.tokens.get(caret.index - 2);
    const isStar = last?.text === '*' && last.end === this.#place.start && this.#hints.clause === 'select';
    if (!isStar || this.#place.prefix !== '') {
      return [];
    }
    const qualifier = lexed.tokens.get(caret.index - 3);
    if (before?.text === '.' && qualifier !== undefined) {
      const source = this.#findSource(unquote(lexed.text, qualifier));
      const columns = source === undefined ? undefined : expandStar([source], true);
      return columns === undefined ? [] : [this.#createExpansionDraft(columns, qualifier.start)];
    }
    const startsItem = before?.text === ',' || before?.text === 'SELECT' || before?.text === 'DISTINCT';
    const { sources } = this.#getScope();
    const columns = startsItem ? expandStar(sources, sources.length > 1) : undefined;
    return columns === undefined ? [] : [this.#createExpansionDraft(columns, last.start)];
  }

  #findSource(name: string): FromSource | undefined {
    return this.#getScope().sources.find(({ key }) => key === toNameKey(name));
  }

  #createExpansionDraft(columns: string, start: number): CompletionDraft {
    return { label: '*', insertText: columns, kind: 'column', detail: 'expand to all columns', start };
  }

  /** Creates drafts for the arguments of Lookup that belong to the other table; `undefined` in any other place. */
  #createLookupDrafts(): CompletionDraft[] | undefined {
    const { call } = this.#hints;
    if (call === undefined || !isLookupCall(call)) {
      return undefined;
    }
    if (call.index === 0) {
      return this.#createCatalogTableDrafts();
    }
    const isRemote = call.index === 1 || call.index === 3;
    if (!isRemote) {
      return undefined;
    }
    const source = this.#getRemoteTableScope(call)?.sources[0];
    return source === undefined ? [] : createMemberColumnDrafts(source, this.#place.quote);
  }

  #getRemoteTableScope(call: CallAtCaret): Scope | undefined {
    const first = call.before[0];
    const isRemote = call.index === 1 || call.index === 3;
    if (!isLookupCall(call) || !isRemote || first === undefined) {
      return undefined;
    }
    const { tokens, text } = lex(this.#place.lexed.text.slice(first.start, first.end));
    const names = [...tokens].filter(({ kind }) => kind === 'word' || kind === 'name');
    const table = this.#scopes.index.findTable(names.map((token) => unquote(text, token)).join('.'));
    return table === undefined ? undefined : this.#scopes.createTableScope(table.symbol.table.name);
  }
}
