import type { ExpressionContext } from '../context.ts';
import { hintsFor, lexFor } from '../parsing.ts';
import { writeName } from '../quoting.ts';
import { isLookup } from '../scope/expressionResolver.ts';
import { chain, findSource } from '../scope/lookup.ts';
import { type Scope, scopeOf } from '../scope/model.ts';
import type { Source } from '../scope/source.ts';
import { ScopeBuilder } from '../scope/scopes.ts';
import { keyOf } from '../scope/symbols.ts';
import type { CallAtCaret, CaretHints } from '../syntax/hints.ts';
import { lex } from '../syntax/lexer.ts';
import { unquote } from '../syntax/tokens.ts';
import type { Name } from '../syntax/tree.ts';
import { TYPE_NAMES } from '../syntax/types.ts';
import { type CaretPlace, caretAt } from './caret.ts';
import { expandedStar, memberColumns, visibleColumns } from './columns.ts';
import { type CompletionItem, type Draft, ranked } from './item.ts';
import { joinConditions, relatedTables } from './joins.ts';
import { type CaretScope, ctesIn, scopeAtCaret } from './scopeAtCaret.ts';
import { directionsFirst, functionDrafts, keywordDrafts } from './words.ts';

/** Words of queries: a custom column has no use for them. */
const QUERY_WORDS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'EXISTS']);

/** What can be typed at the caret, best first. */
export function completionsAt(
  text: string,
  offset: number,
  context: ExpressionContext,
): readonly CompletionItem[] {
  const at = Math.min(Math.max(0, Math.trunc(offset) || 0), text.length);
  const place = caretAt(lexFor(text, context), at);
  return place === undefined ? [] : new Completer(place, context).items();
}

class Completer {
  readonly #place: CaretPlace;
  readonly #context: ExpressionContext;
  readonly #scopes: ScopeBuilder;
  readonly #hints: CaretHints;
  readonly #at: CaretScope;

  constructor(place: CaretPlace, context: ExpressionContext) {
    this.#place = place;
    this.#context = context;
    this.#scopes = new ScopeBuilder(context);
    this.#hints = hintsFor(place, context);
    this.#at = scopeAtCaret(this.#hints, this.#scopes);
  }

  items(): CompletionItem[] {
    return [...ranked(this.#drafts(), this.#place), ...this.#withinQuote()];
  }

  /** `"o.|`: the quote was opened before the alias and holds the column too; both get quotes of their own. */
  #withinQuote(): CompletionItem[] {
    const { quote, prefix } = this.#place;
    const dot = prefix.lastIndexOf('.');
    if (quote === '' || dot < 0 || this.#hints.mode !== 'operand') {
      return [];
    }
    const name = { text: prefix.slice(0, dot), start: 0, end: 0, quote, open: false, missing: false };
    const source = findSource(this.#scope(), [name])?.source ?? this.#tableOutside([name], this.#scope());
    const columns = source === undefined ? [] : memberColumns(source, quote);
    const drafts = columns.map((draft) => ({
      ...draft,
      insertText: `${writeName(source?.name ?? '', quote)}.${draft.insertText}`,
    }));
    return ranked(drafts, { ...this.#place, prefix: prefix.slice(dot + 1) });
  }

  #drafts(): Draft[] {
    switch (this.#hints.mode) {
      case 'operand':
        return this.#operand();
      case 'member':
        return this.#member();
      case 'table':
        return [...this.#tables(), ...this.#keywords(this.#hints.keywords)];
      case 'using':
        return this.#using();
      case 'type':
        return this.#keywords(TYPE_NAMES);
      case 'after':
        return [...this.#star(), ...this.#keywords(directionsFirst(this.#hints.keywords))];
      case 'name':
        return this.#keywords(this.#hints.keywords);
      case undefined:
        return [];
    }
  }

  /** Keywords, unless a quote is open: only names stand in quotes. */
  #keywords(words: Iterable<string>): Draft[] {
    if (this.#place.quote !== '') {
      return [];
    }
    const isColumn = this.#context.kind === 'column';
    return keywordDrafts(isColumn ? [...words].filter((word) => !QUERY_WORDS.has(word)) : words, this.#place);
  }

  /** The nearest scope: that of the select around the caret, or of the own table of a column. */
  #scope(): Scope {
    if (this.#context.kind === 'column' && this.#at.scope === undefined) {
      return this.#scopes.tableScope(this.#context.table);
    }
    const { scope, env, outer } = this.#at;
    return scope ?? scopeOf({ select: undefined, sources: [], env, parent: outer });
  }

  #operand(): Draft[] {
    const lookup = this.#lookup();
    if (lookup !== undefined) {
      return lookup;
    }
    const scope = this.#scope();
    const { near, far } = visibleColumns(scope, this.#place.quote);
    const inside = [
      ...this.#conditions(scope),
      ...near,
      ...this.#outputs(),
      ...this.#qualifiers(scope),
      ...far,
    ];
    if (this.#place.quote !== '') {
      // Before any FROM a name in quotes is likely to be a table's.
      return inside.length > 0 || this.#context.kind === 'column' ? inside : this.#catalogTables();
    }
    return [...inside, ...functionDrafts(this.#place), ...this.#keywords(this.#hints.keywords)];
  }

  #conditions(scope: Scope): Draft[] {
    const { conditionStart, joined } = this.#hints;
    const relations = this.#context.catalog.relations ?? [];
    return conditionStart && joined !== undefined ? joinConditions(scope, joined, relations) : [];
  }

  /** Columns of the result, where they can be named. */
  #outputs(): Draft[] {
    const { clause } = this.#hints;
    const { query, env, outer, scope } = this.#at;
    if (query === undefined || !(clause === 'order' || clause === 'group' || clause === 'having')) {
      return [];
    }
    const single = scope?.select;
    const shape =
      clause === 'order' || single === undefined
        ? this.#scopes.queryShape(query, env, outer)
        : this.#scopes.selectShape(single, env, outer);
    return shape.columns
      .filter(({ name, symbol }) => name !== '' && (symbol?.kind === 'output' || scope === undefined))
      .map(({ name }) => ({
        label: name,
        insertText: writeName(name, this.#place.quote),
        kind: 'column',
        detail: 'result',
      }));
  }

  /** Aliases and names that qualify columns. */
  #qualifiers(scope: Scope): Draft[] {
    if (this.#context.kind === 'column') {
      return [];
    }
    return chain(scope).flatMap(({ sources }) =>
      sources.filter(({ name }) => name !== '').map((source) => this.#qualifier(source)),
    );
  }

  #qualifier({ name, alias, target }: Source): Draft {
    const table = target.kind === 'table' ? target.table.name : undefined;
    const cte = target.kind === 'cte' ? target.name.text : undefined;
    const kind = alias !== undefined ? 'alias' : cte === undefined ? 'table' : 'cte';
    const detail = alias === undefined ? undefined : (table ?? cte);
    return { label: name, insertText: writeName(name, this.#place.quote), kind, detail };
  }

  #member(): Draft[] {
    const { qualifier, call } = this.#hints;
    if (this.#hints.clause === 'from' && call === undefined) {
      return this.#tablesWithin(qualifier);
    }
    const remote = call === undefined ? undefined : this.#remoteTable(call);
    const scope = remote ?? this.#scope();
    const source = findSource(scope, qualifier)?.source ?? this.#tableOutside(qualifier, scope);
    if (source === undefined) {
      return [];
    }
    const columns = memberColumns(source, this.#place.quote);
    const withStar = this.#hints.clause === 'select' && this.#place.quote === '' && call === undefined;
    return withStar
      ? [...columns, { label: '*', insertText: '*', kind: 'column', detail: 'all columns' }]
      : columns;
  }

  /** `FROM a.|`: tables whose names have dots and begin so; they are one name. */
  #tablesWithin(qualifier: readonly Name[]): Draft[] {
    const start = qualifier[0]?.start ?? this.#place.start;
    const begun = keyOf(`${qualifier.map(({ text }) => text).join('.')}.`);
    return this.#catalogTables()
      .filter(({ label }) => keyOf(label).startsWith(begun))
      .map((draft) => ({ ...draft, start }));
  }

  /** `SELECT Orders.|` before any FROM: the table's columns are a good guess. */
  #tableOutside(qualifier: readonly Name[], scope: Scope): Source | undefined {
    const table = this.#scopes.tableAt(qualifier);
    if (this.#context.kind === 'column' || scope.sources.length > 0 || table === undefined) {
      return undefined;
    }
    return this.#scopes.tableScope(table.symbol.table.name).sources[0];
  }

  #tables(): Draft[] {
    const { quote } = this.#place;
    const related = relatedTables(this.#scope(), this.#context.catalog.relations ?? []);
    const ctes: Draft[] = ctesIn(this.#at.env, this.#hints).map((name) => ({
      label: name,
      insertText: writeName(name, quote),
      kind: 'cte',
    }));
    const hidden = new Set(ctes.map(({ label }) => keyOf(label)));
    const tables = this.#tablesSeen().filter(({ label }) => !hidden.has(keyOf(label)));
    const first = tables.filter(({ label }) => related.has(keyOf(label)));
    const rest = related.size === 0 ? tables : tables.filter(({ label }) => !related.has(keyOf(label)));
    return [...first, ...ctes, ...rest];
  }

  /** The tables that FROM may name: the expression of a column sees its own alone. */
  #tablesSeen(): Draft[] {
    const tables = this.#catalogTables();
    if (this.#context.kind !== 'column') {
      return tables;
    }
    const own = keyOf(this.#context.table);
    return tables.filter(({ label }) => keyOf(label) === own);
  }

  #catalogTables(): Draft[] {
    const { quote } = this.#place;
    return this.#context.catalog.tables.map(({ name }) => ({
      label: name,
      insertText: writeName(name, quote),
      kind: 'table',
    }));
  }

  #using(): Draft[] {
    const { joined } = this.#hints;
    const { sources } = this.#scope();
    const position = sources.findIndex(({ item }) => item === joined);
    const right = sources[position];
    const before = sources.slice(0, position);
    return (right?.shape.columns ?? [])
      .filter(({ name }) => before.some(({ shape }) => shape.find(keyOf(name)) !== undefined))
      .map(({ name }) => ({ label: name, insertText: writeName(name, this.#place.quote), kind: 'column' }));
  }

  /** `*|`: the columns it stands for. */
  #star(): Draft[] {
    const { lexed, caret } = this.#place;
    const last = lexed.tokens.get(caret.index - 1);
    const before = lexed.tokens.get(caret.index - 2);
    const isStar = last?.text === '*' && last.end === this.#place.start && this.#hints.clause === 'select';
    if (!isStar || this.#place.prefix !== '') {
      return [];
    }
    const qualifier = lexed.tokens.get(caret.index - 3);
    if (before?.text === '.' && qualifier !== undefined) {
      const source = this.#sourceNamed(unquote(lexed.text, qualifier));
      const columns = source === undefined ? undefined : expandedStar([source], true);
      return columns === undefined ? [] : [this.#expansion(columns, qualifier.start)];
    }
    const startsItem = before?.text === ',' || before?.text === 'SELECT' || before?.text === 'DISTINCT';
    const { sources } = this.#scope();
    const columns = startsItem ? expandedStar(sources, sources.length > 1) : undefined;
    return columns === undefined ? [] : [this.#expansion(columns, last.start)];
  }

  #sourceNamed(name: string): Source | undefined {
    return this.#scope().sources.find(({ key }) => key === keyOf(name));
  }

  #expansion(columns: string, start: number): Draft {
    return { label: '*', insertText: columns, kind: 'column', detail: 'expand to all columns', start };
  }

  /** Proposals inside the arguments of Lookup that belong to the other table. */
  #lookup(): Draft[] | undefined {
    const { call } = this.#hints;
    if (call === undefined || !isLookup(call)) {
      return undefined;
    }
    if (call.index === 0) {
      return this.#catalogTables();
    }
    const isRemote = call.index === 1 || call.index === 3;
    if (!isRemote) {
      return undefined;
    }
    const source = this.#remoteTable(call)?.sources[0];
    return source === undefined ? [] : memberColumns(source, this.#place.quote);
  }

  #remoteTable(call: CallAtCaret): Scope | undefined {
    const first = call.before[0];
    const isRemote = call.index === 1 || call.index === 3;
    if (!isLookup(call) || !isRemote || first === undefined) {
      return undefined;
    }
    const { tokens, text } = lex(this.#place.lexed.text.slice(first.start, first.end));
    const names = [...tokens].filter(({ kind }) => kind === 'word' || kind === 'name');
    const table = this.#scopes.index.table(names.map((token) => unquote(text, token)).join('.'));
    return table === undefined ? undefined : this.#scopes.tableScope(table.symbol.table.name);
  }
}
