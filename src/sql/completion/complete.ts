import type { ExpressionContext } from '../context.ts';
import { getCaretHints, lexInContext } from '../parsing.ts';
import { formatSqlName } from '../quoting.ts';
import { isLookupCall } from '../scope/expressionResolver.ts';
import { getScopeChain, findSource } from '../scope/lookup.ts';
import { type Scope, createScope } from '../scope/scope.ts';
import type { FromSource } from '../scope/source.ts';
import { ScopeBuilder } from '../scope/scopeBuilder.ts';
import { toNameKey } from '../scope/symbols.ts';
import type { CallAtCaret, CaretHints } from '../syntax/caretHints.ts';
import { lex } from '../syntax/lexer.ts';
import { unquoteName } from '../syntax/lexedText.ts';
import type { SqlName } from '../syntax/tree.ts';
import { TYPE_NAMES } from '../syntax/typeName.ts';
import { type CaretPosition, getCaretPosition } from './caretPosition.ts';
import { expandStar, createMemberColumnDrafts, createVisibleColumnDrafts } from './columnDrafts.ts';
import { type CompletionItem, type CompletionDraft, rankDrafts } from './completionItem.ts';
import { createJoinConditionDrafts, findJoinableTables } from './joinDrafts.ts';
import { type CaretScope, getVisibleCtes, getScopeAtCaret } from './scopeAtCaret.ts';
import { sortDirectionsFirst, createFunctionDrafts, createKeywordDrafts } from './wordDrafts.ts';

/** Keywords that start queries, which are not proposed in a custom column. */
const QUERY_WORDS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'EXISTS']);

/** Returns the completions at the caret, best first. */
export function completionsAt(
  text: string,
  offset: number,
  context: ExpressionContext,
): readonly CompletionItem[] {
  const caretOffset = Math.min(Math.max(0, Math.trunc(offset) || 0), text.length);
  const position = getCaretPosition(lexInContext(text, context), caretOffset);
  return position === undefined ? [] : new Completer(position, context).createItems();
}

class Completer {
  readonly #position: CaretPosition;
  readonly #context: ExpressionContext;
  readonly #scopeBuilder: ScopeBuilder;
  readonly #hints: CaretHints;
  readonly #caretScope: CaretScope;

  constructor(position: CaretPosition, context: ExpressionContext) {
    this.#position = position;
    this.#context = context;
    this.#scopeBuilder = new ScopeBuilder(context);
    this.#hints = getCaretHints(position, context);
    this.#caretScope = getScopeAtCaret(this.#hints, this.#scopeBuilder);
  }

  createItems(): CompletionItem[] {
    return [...rankDrafts(this.#createDrafts(), this.#position), ...this.#createQuotedItems()];
  }

  /** Completes `"o.|`, where the quote was opened before the alias: the alias and the column get separate quotes. */
  #createQuotedItems(): CompletionItem[] {
    const { quote, prefix } = this.#position;
    const dot = prefix.lastIndexOf('.');
    if (quote === '' || dot < 0 || this.#hints.mode !== 'operand') {
      return [];
    }
    const name = { text: prefix.slice(0, dot), start: 0, end: 0, quote, unclosed: false, missing: false };
    const source =
      findSource(this.#getScope(), [name])?.source ?? this.#findTableBeforeFrom([name], this.#getScope());
    const columns = source === undefined ? [] : createMemberColumnDrafts(source, quote);
    const drafts = columns.map((draft) => ({
      ...draft,
      insertText: `${formatSqlName(source?.name ?? '', quote)}.${draft.insertText}`,
    }));
    return rankDrafts(drafts, { ...this.#position, prefix: prefix.slice(dot + 1) });
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
      case 'keyword':
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
    if (this.#position.quote !== '') {
      return [];
    }
    const isColumn = this.#context.kind === 'column';
    return createKeywordDrafts(
      isColumn ? [...words].filter((word) => !QUERY_WORDS.has(word)) : words,
      this.#position,
    );
  }

  /** Returns the innermost scope: that of the select around the caret, or of the table of a custom column. */
  #getScope(): Scope {
    if (this.#context.kind === 'column' && this.#caretScope.scope === undefined) {
      return this.#scopeBuilder.createTableScope(this.#context.table);
    }
    const { scope, env, outerScope } = this.#caretScope;
    return scope ?? createScope({ select: undefined, sources: [], env, parent: outerScope });
  }

  #createOperandDrafts(): CompletionDraft[] {
    const lookupDrafts = this.#createLookupDrafts();
    if (lookupDrafts !== undefined) {
      return lookupDrafts;
    }
    const scope = this.#getScope();
    const { nearestDrafts, outerDrafts } = createVisibleColumnDrafts(scope, this.#position.quote);
    const nameDrafts = [
      ...this.#createConditionDrafts(scope),
      ...nearestDrafts,
      ...this.#createOutputDrafts(),
      ...this.#createQualifierDrafts(scope),
      ...outerDrafts,
    ];
    if (this.#position.quote !== '') {
      // Without a FROM clause, a quoted name is probably a table.
      return nameDrafts.length > 0 || this.#context.kind === 'column'
        ? nameDrafts
        : this.#createCatalogTableDrafts();
    }
    return [
      ...nameDrafts,
      ...createFunctionDrafts(this.#position),
      ...this.#createKeywordDrafts(this.#hints.keywords),
    ];
  }

  #createConditionDrafts(scope: Scope): CompletionDraft[] {
    const { isConditionStart, joinedItem } = this.#hints;
    const relations = this.#context.catalog.relations ?? [];
    return isConditionStart && joinedItem !== undefined
      ? createJoinConditionDrafts(scope, joinedItem, relations)
      : [];
  }

  /** Creates drafts for output columns, in clauses that can use them. */
  #createOutputDrafts(): CompletionDraft[] {
    const { clause } = this.#hints;
    const { query, env, outerScope, scope } = this.#caretScope;
    if (query === undefined || !(clause === 'order' || clause === 'group' || clause === 'having')) {
      return [];
    }
    const select = scope?.select;
    const shape =
      clause === 'order' || select === undefined
        ? this.#scopeBuilder.getQueryShape(query, env, outerScope)
        : this.#scopeBuilder.getSelectShape(select, env, outerScope);
    return shape.columns
      .filter(({ name, symbol }) => name !== '' && (symbol?.kind === 'output' || scope === undefined))
      .map(({ name }) => ({
        label: name,
        insertText: formatSqlName(name, this.#position.quote),
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
    return { label: name, insertText: formatSqlName(name, this.#position.quote), kind, detail };
  }

  #createMemberDrafts(): CompletionDraft[] {
    const { qualifier, call } = this.#hints;
    if (this.#hints.clause === 'from' && call === undefined) {
      return this.#createQualifiedTableDrafts(qualifier);
    }
    const remoteScope = call === undefined ? undefined : this.#getRemoteTableScope(call);
    const scope = remoteScope ?? this.#getScope();
    const source = findSource(scope, qualifier)?.source ?? this.#findTableBeforeFrom(qualifier, scope);
    if (source === undefined) {
      return [];
    }
    const columns = createMemberColumnDrafts(source, this.#position.quote);
    const includesStar = this.#hints.clause === 'select' && this.#position.quote === '' && call === undefined;
    return includesStar
      ? [...columns, { label: '*', insertText: '*', kind: 'column', detail: 'all columns' }]
      : columns;
  }

  /** Completes `FROM a.|`, if the name of a table contains a dot and starts with this path. */
  #createQualifiedTableDrafts(qualifier: readonly SqlName[]): CompletionDraft[] {
    const start = qualifier[0]?.start ?? this.#position.start;
    const prefixKey = toNameKey(`${qualifier.map(({ text }) => text).join('.')}.`);
    return this.#createCatalogTableDrafts()
      .filter(({ label }) => toNameKey(label).startsWith(prefixKey))
      .map((draft) => ({ ...draft, start }));
  }

  /** Completes `SELECT Orders.|` without a FROM clause: the qualifier is probably a table. */
  #findTableBeforeFrom(qualifier: readonly SqlName[], scope: Scope): FromSource | undefined {
    const table = this.#scopeBuilder.findTable(qualifier);
    if (this.#context.kind === 'column' || scope.sources.length > 0 || table === undefined) {
      return undefined;
    }
    return this.#scopeBuilder.createTableScope(table.symbol.table.name).sources[0];
  }

  #createTableDrafts(): CompletionDraft[] {
    const { quote } = this.#position;
    const joinableKeys = findJoinableTables(this.#getScope(), this.#context.catalog.relations ?? []);
    const ctes: CompletionDraft[] = getVisibleCtes(this.#caretScope.env, this.#hints).map((name) => ({
      label: name,
      insertText: formatSqlName(name, quote),
      kind: 'cte',
    }));
    const cteKeys = new Set(ctes.map(({ label }) => toNameKey(label)));
    const tables = this.#createVisibleTableDrafts().filter(({ label }) => !cteKeys.has(toNameKey(label)));
    const joinableTables = tables.filter(({ label }) => joinableKeys.has(toNameKey(label)));
    const otherTables =
      joinableKeys.size === 0 ? tables : tables.filter(({ label }) => !joinableKeys.has(toNameKey(label)));
    return [...joinableTables, ...ctes, ...otherTables];
  }

  /** Creates drafts for the tables that FROM can use; in the expression of a column only its own table. */
  #createVisibleTableDrafts(): CompletionDraft[] {
    const tables = this.#createCatalogTableDrafts();
    if (this.#context.kind !== 'column') {
      return tables;
    }
    const ownKey = toNameKey(this.#context.table);
    return tables.filter(({ label }) => toNameKey(label) === ownKey);
  }

  #createCatalogTableDrafts(): CompletionDraft[] {
    const { quote } = this.#position;
    return this.#context.catalog.tables.map(({ name }) => ({
      label: name,
      insertText: formatSqlName(name, quote),
      kind: 'table',
    }));
  }

  #createUsingDrafts(): CompletionDraft[] {
    const { joinedItem } = this.#hints;
    const { sources } = this.#getScope();
    const joinedIndex = sources.findIndex(({ item }) => item === joinedItem);
    const joinedSource = sources[joinedIndex];
    const previousSources = sources.slice(0, joinedIndex);
    return (joinedSource?.shape.columns ?? [])
      .filter(({ name }) => previousSources.some(({ shape }) => shape.find(toNameKey(name)) !== undefined))
      .map(({ name }) => ({
        label: name,
        insertText: formatSqlName(name, this.#position.quote),
        kind: 'column',
      }));
  }

  /** Completes `*|`: replaces the star with the list of all columns. */
  #createStarDrafts(): CompletionDraft[] {
    const { lexed, caret } = this.#position;
    const lastToken = lexed.tokens.get(caret.index - 1);
    const previousToken = lexed.tokens.get(caret.index - 2);
    const isStar =
      lastToken?.symbol === '*' && lastToken.end === this.#position.start && this.#hints.clause === 'select';
    if (!isStar || this.#position.prefix !== '') {
      return [];
    }
    const qualifier = lexed.tokens.get(caret.index - 3);
    if (previousToken?.symbol === '.' && qualifier !== undefined) {
      const source = this.#findSource(unquoteName(lexed.text, qualifier));
      const columns = source === undefined ? undefined : expandStar([source], true);
      return columns === undefined ? [] : [this.#createExpansionDraft(columns, qualifier.start)];
    }
    const startsItem =
      previousToken?.symbol === ',' ||
      previousToken?.symbol === 'SELECT' ||
      previousToken?.symbol === 'DISTINCT';
    const { sources } = this.#getScope();
    const columns = startsItem ? expandStar(sources, sources.length > 1) : undefined;
    return columns === undefined ? [] : [this.#createExpansionDraft(columns, lastToken.start)];
  }

  #findSource(name: string): FromSource | undefined {
    return this.#getScope().sources.find(({ key }) => key === toNameKey(name));
  }

  #createExpansionDraft(columns: string, start: number): CompletionDraft {
    return { label: '*', insertText: columns, kind: 'column', detail: 'expand to all columns', start };
  }

  /** Creates drafts for the arguments of Lookup that name the searched table or its columns; `undefined` elsewhere. */
  #createLookupDrafts(): CompletionDraft[] | undefined {
    const { call } = this.#hints;
    if (call === undefined || !isLookupCall(call)) {
      return undefined;
    }
    if (call.argumentIndex === 0) {
      return this.#createCatalogTableDrafts();
    }
    const isRemote = call.argumentIndex === 1 || call.argumentIndex === 3;
    if (!isRemote) {
      return undefined;
    }
    const source = this.#getRemoteTableScope(call)?.sources[0];
    return source === undefined ? [] : createMemberColumnDrafts(source, this.#position.quote);
  }

  #getRemoteTableScope(call: CallAtCaret): Scope | undefined {
    const firstArgument = call.previousArguments[0];
    const isRemote = call.argumentIndex === 1 || call.argumentIndex === 3;
    if (!isLookupCall(call) || !isRemote || firstArgument === undefined) {
      return undefined;
    }
    const { tokens, text } = lex(this.#position.lexed.text.slice(firstArgument.start, firstArgument.end));
    const names = [...tokens].filter(({ kind }) => kind === 'word' || kind === 'quotedName');
    const table = this.#scopeBuilder.catalogIndex.findTable(
      names.map((token) => unquoteName(text, token)).join('.'),
    );
    return table === undefined ? undefined : this.#scopeBuilder.createTableScope(table.symbol.table.name);
  }
}
