import type { CatalogTable } from '../catalog.ts';
import type { ExpressionContext } from '../context.ts';
import type { Cte, FromItem, Name, Query, QueryBody, Select, SelectItem, Star } from '../syntax/tree.ts';
import {
  CatalogIndex,
  KnownShape,
  LazyShape,
  type OutColumn,
  type Shape,
  UNKNOWN_SHAPE,
} from './catalogIndex.ts';
import { findSource, lookUp } from './lookup.ts';
import { type CteEntry, type Env, type Scope, scopeOf } from './model.ts';
import type { Source, Target } from './source.ts';
import { type AliasSymbol, type CteSymbol, keyOf, type OutputSymbol } from './symbols.ts';

const NO_ENV: Env = { entry: undefined, parent: undefined };
/** CTEs and derived tables that build on each other deeper than this count as unknown. */
const MAX_CHAIN = 300;

/** How many columns a select may give; no real one comes near. */
const MAX_WIDTH = 10_000;

/** Builds scopes of queries on demand and remembers them, so that equal names get the same symbol object. */
export class ScopeBuilder {
  readonly index: CatalogIndex;
  /** The only table that a query may read, in the expression of a column. */
  readonly #own: CatalogTable | undefined;
  readonly #envs = new Map<Query, Env>();
  readonly #scopes = new Map<Select, Scope>();
  readonly #shapes = new Map<Query | Select | Cte, Shape>();
  readonly #outputs = new Map<Name, OutputSymbol>();
  readonly #ctes = new Map<Cte, CteEntry>();
  #chain = 0;

  constructor(context: ExpressionContext) {
    const { catalog, memory } = context;
    this.index = memory === undefined ? new CatalogIndex(catalog) : memory.index(catalog);
    this.#own = context.kind === 'column' ? this.index.table(context.table)?.symbol.table : undefined;
  }

  /** Whether a query may read the table. While the own table of a column is not known, any may be it. */
  isSeen(table: CatalogTable): boolean {
    return this.#own === undefined || this.#own === table;
  }

  /** The scope of a column expression: its own table and nothing else. */
  tableScope(table: string): Scope {
    const found = this.index.table(table);
    const source: Source = {
      item: undefined,
      name: table,
      key: keyOf(table),
      alias: undefined,
      target: found?.symbol ?? { kind: 'unknown' },
      shape: found?.shape ?? UNKNOWN_SHAPE,
    };
    return scopeOf({ select: undefined, sources: [source], env: NO_ENV, parent: undefined });
  }

  get rootEnv(): Env {
    return NO_ENV;
  }

  /** The CTEs that the body of a query sees. */
  enter(query: Query, env: Env, outer: Scope | undefined): Env {
    if (query.ctes.length === 0) {
      return env;
    }
    const known = this.#envs.get(query);
    if (known !== undefined) {
      return known;
    }
    let inner = env;
    const entries: CteEntry[] = [];
    for (const cte of query.ctes) {
      const symbol: CteSymbol = { kind: 'cte', name: cte.name, cte };
      const entry: CteEntry = { symbol, key: keyOf(cte.name.text), outer, env: inner };
      inner = { entry, parent: inner };
      // Without RECURSIVE the own name means a table if there is one.
      entry.env = this.index.table(cte.name.text) === undefined ? inner : entry.env;
      entries.push(entry);
      this.#ctes.set(cte, entry);
    }
    if (query.recursive) {
      for (const entry of entries) {
        entry.env = inner;
      }
    }
    this.#envs.set(query, inner);
    return inner;
  }

  /** A CTE of a query that has been entered. */
  entryOf(cte: Cte): CteEntry | undefined {
    return this.#ctes.get(cte);
  }

  cte(env: Env, name: string): CteEntry | undefined {
    const key = keyOf(name);
    for (let at: Env | undefined = env; at !== undefined; at = at.parent) {
      if (at.entry?.key === key) {
        return at.entry;
      }
    }
    return undefined;
  }

  /** The scope of a select; `parent` is what it sees beyond its own sources. */
  scope(select: Select, env: Env, parent: Scope | undefined): Scope {
    const known = this.#scopes.get(select);
    if (known !== undefined) {
      return known;
    }
    const sources: Source[] = [];
    const scope = scopeOf({ select, sources, env, parent });
    this.#scopes.set(select, scope);
    this.#addSources(select.from, scope, sources);
    return scope;
  }

  #addSources(items: readonly FromItem[], scope: Scope, sources: Source[]): void {
    for (const item of items) {
      if (item.source.kind === 'group' && item.alias === undefined) {
        this.#addSources(item.source.items, scope, sources);
      } else {
        sources.push(this.#source(item, scope));
      }
    }
  }

  #source(item: FromItem, scope: Scope): Source {
    const { source } = item;
    const path = source.kind === 'table' ? source.path : [];
    const { target, shape } = this.#target(item, scope, path);
    const name = item.alias?.text ?? sourceName(path, target);
    const table = target.kind === 'table' ? target.table : undefined;
    const alias: AliasSymbol | undefined =
      item.alias === undefined ? undefined : { kind: 'alias', name: item.alias, table };
    const columns = item.columns;
    const lazy = new LazyShape(() => this.#renamed(shape(), columns));
    return { item, name, key: keyOf(name), alias, target, shape: lazy };
  }

  #target(item: FromItem, scope: Scope, path: readonly Name[]): { target: Target; shape: () => Shape } {
    const { source } = item;
    if (source.kind === 'derived') {
      const outer = source.lateral ? scope : scope.parent;
      return { target: { kind: 'derived' }, shape: () => this.queryShape(source.query, scope.env, outer) };
    }
    if (source.kind === 'table') {
      const cte = path.length === 1 ? this.cte(scope.env, path[0]?.text ?? '') : undefined;
      if (cte !== undefined) {
        return { target: cte.symbol, shape: () => this.cteShape(cte) };
      }
      const table = this.tableAt(path);
      if (table !== undefined) {
        return { target: table.symbol, shape: () => table.shape };
      }
    }
    return { target: { kind: 'unknown' }, shape: () => UNKNOWN_SHAPE };
  }

  /** The catalogue's table a path names: all of it joined by dots, or its last part. */
  tableAt(path: readonly Name[]): ReturnType<CatalogIndex['table']> {
    const whole = this.index.table(path.map((name) => name.text).join('.'));
    return whole ?? this.index.table(path.at(-1)?.text ?? '');
  }

  /** Columns of a source under the names of its column list. */
  #renamed(shape: Shape, names: readonly Name[]): Shape {
    if (names.length === 0) {
      return shape;
    }
    const columns = names.map((name, position): OutColumn => {
      const under = shape.columns[position];
      const origin = under?.symbol?.kind === 'column' ? under.symbol : under?.symbol?.origin;
      const symbol = this.output(name, { origin, source: undefined });
      return { name: name.text, symbol, type: under?.type, hidden: false };
    });
    return new KnownShape(
      [...columns, ...shape.columns.slice(names.length)],
      shape.complete || columns.length > 0,
    );
  }

  output(name: Name, facts: Pick<OutputSymbol, 'origin' | 'source'>): OutputSymbol {
    let symbol = this.#outputs.get(name);
    if (symbol === undefined) {
      symbol = { kind: 'output', name, ...facts };
      this.#outputs.set(name, symbol);
    }
    return symbol;
  }

  cteShape(entry: CteEntry): Shape {
    const { cte } = entry.symbol;
    return this.#remember(cte, () => {
      const inner =
        cte.query === undefined ? UNKNOWN_SHAPE : this.queryShape(cte.query, entry.env, entry.outer);
      return this.#renamed(inner, cte.columns);
    });
  }

  queryShape(query: Query, env: Env, outer: Scope | undefined): Shape {
    return this.#remember(query, () => this.#bodyShape(query.body, this.enter(query, env, outer), outer));
  }

  #bodyShape(body: QueryBody | undefined, env: Env, outer: Scope | undefined): Shape {
    let first = body;
    while (first?.kind === 'set') {
      first = first.left;
    }
    if (first?.kind === 'query') {
      return this.queryShape(first, env, outer);
    }
    return first?.kind === 'select' ? this.selectShape(first, env, outer) : UNKNOWN_SHAPE;
  }

  /** The columns that a select gives. */
  selectShape(select: Select, env: Env, outer: Scope | undefined): Shape {
    return this.#remember(select, () => {
      const scope = this.scope(select, env, outer);
      const columns: OutColumn[] = [];
      let complete = true;
      for (const item of select.items) {
        if (item.expr.kind === 'star') {
          complete = this.#star(item.expr, scope, columns) && complete;
        } else {
          columns.push(this.#itemColumn(item, scope));
        }
      }
      return new KnownShape(columns, complete);
    });
  }

  #star(star: Star, scope: Scope, columns: OutColumn[]): boolean {
    const sources = star.qualifier.length === 0 ? scope.sources : [findSource(scope, star.qualifier)?.source];
    let complete = sources.length > 0;
    for (const source of sources) {
      for (const column of source?.shape.columns ?? []) {
        // Stars of stars double with every level: beyond this a shape is called unknown rather than worked out.
        if (columns.length >= MAX_WIDTH) {
          return false;
        }
        columns.push(column);
      }
      complete = complete && source?.shape.complete === true;
    }
    return complete;
  }

  #itemColumn(item: SelectItem, scope: Scope): OutColumn {
    const found = item.expr.kind === 'column' ? lookUp(scope, item.expr.path) : undefined;
    if (item.alias !== undefined) {
      const under = found?.column?.symbol;
      const origin = under?.kind === 'column' ? under : under?.origin;
      const symbol = this.output(item.alias, { origin, source: item.expr });
      return { name: item.alias.text, symbol, type: found?.column?.type, hidden: false };
    }
    const name = item.expr.kind === 'column' ? (item.expr.path.at(-1)?.text ?? '') : '';
    return { name, symbol: found?.column?.symbol, type: found?.column?.type, hidden: false };
  }

  /** A recursive CTE meets itself while its columns are being worked out: they are unknown for that moment. */
  #remember(key: Query | Select | Cte, build: () => Shape): Shape {
    const known = this.#shapes.get(key);
    if (known !== undefined) {
      return known;
    }
    if (this.#chain >= MAX_CHAIN) {
      return UNKNOWN_SHAPE;
    }
    this.#shapes.set(key, UNKNOWN_SHAPE);
    this.#chain++;
    const shape = build();
    this.#chain--;
    this.#shapes.set(key, shape);
    return shape;
  }
}

function sourceName(path: readonly Name[], target: Target): string {
  if (target.kind === 'table' && path.length > 1) {
    const joined = path.map((name) => name.text).join('.');
    return keyOf(joined) === keyOf(target.table.name) ? joined : (path.at(-1)?.text ?? '');
  }
  return path.at(-1)?.text ?? '';
}
