import type { CatalogTable } from '../catalog.ts';
import type { ExpressionContext } from '../context.ts';
import type {
  Cte,
  FromItem,
  SqlName,
  SqlQuery,
  QueryBody,
  SelectQuery,
  SelectItem,
  Star,
} from '../syntax/tree.ts';
import {
  CatalogIndex,
  KnownSourceShape,
  LazySourceShape,
  type SourceColumn,
  type SourceShape,
  UNKNOWN_SOURCE_SHAPE,
} from './catalogIndex.ts';
import { findSource, lookUpColumn } from './lookup.ts';
import { type CteEntry, type CteEnvironment, type Scope, createScope } from './model.ts';
import type { FromSource, SourceTarget } from './source.ts';
import { type AliasSymbol, type CteSymbol, toNameKey, type OutputSymbol } from './symbols.ts';

const NO_ENV: CteEnvironment = { entry: undefined, parent: undefined };
/** Maximum depth of CTEs and derived tables that use each other; the columns of deeper ones are unknown. */
const MAX_CHAIN = 300;

/** Maximum number of columns of a select, far more than any real one has. */
const MAX_WIDTH = 10_000;

/** Builds the scopes of queries on demand and caches them, so that all uses of a name get the same symbol object. */
export class ScopeBuilder {
  readonly index: CatalogIndex;
  /** The table that contains the column, for the expression of a custom column, which can use no other table. */
  readonly #own: CatalogTable | undefined;
  readonly #envs = new Map<SqlQuery, CteEnvironment>();
  readonly #scopes = new Map<SelectQuery, Scope>();
  readonly #shapes = new Map<SqlQuery | SelectQuery | Cte, SourceShape>();
  readonly #outputs = new Map<SqlName, OutputSymbol>();
  readonly #ctes = new Map<Cte, CteEntry>();
  #chain = 0;

  constructor(context: ExpressionContext) {
    const { catalog, memory } = context;
    this.index = memory === undefined ? new CatalogIndex(catalog) : memory.getIndex(catalog);
    this.#own = context.kind === 'column' ? this.index.findTable(context.table)?.symbol.table : undefined;
  }

  /** True if the text can use a table in FROM. If the table of a custom column is unknown, all tables are visible. */
  isVisible(table: CatalogTable): boolean {
    return this.#own === undefined || this.#own === table;
  }

  /** Creates a scope with one table, as for a column expression. */
  createTableScope(table: string): Scope {
    const found = this.index.findTable(table);
    const source: FromSource = {
      item: undefined,
      name: table,
      key: toNameKey(table),
      alias: undefined,
      target: found?.symbol ?? { kind: 'unknown' },
      shape: found?.shape ?? UNKNOWN_SOURCE_SHAPE,
    };
    return createScope({ select: undefined, sources: [source], env: NO_ENV, parent: undefined });
  }

  get rootEnv(): CteEnvironment {
    return NO_ENV;
  }

  /** Registers the CTEs of a query, and returns the CTEs that its body can use. */
  enterQuery(query: SqlQuery, env: CteEnvironment, outer: Scope | undefined): CteEnvironment {
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
      const entry: CteEntry = { symbol, key: toNameKey(cte.name.text), outer, env: inner };
      inner = { entry, parent: inner };
      // Without RECURSIVE, the name of the CTE in its own body refers to a table if there is one.
      entry.env = this.index.findTable(cte.name.text) === undefined ? inner : entry.env;
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

  /** Returns the entry of a CTE after `enterQuery`. */
  getCteEntry(cte: Cte): CteEntry | undefined {
    return this.#ctes.get(cte);
  }

  findCte(env: CteEnvironment, name: string): CteEntry | undefined {
    const key = toNameKey(name);
    for (let at: CteEnvironment | undefined = env; at !== undefined; at = at.parent) {
      if (at.entry?.key === key) {
        return at.entry;
      }
    }
    return undefined;
  }

  /** Returns the scope of a select. `parent` is its enclosing scope, if the select can use it. */
  getScope(select: SelectQuery, env: CteEnvironment, parent: Scope | undefined): Scope {
    const known = this.#scopes.get(select);
    if (known !== undefined) {
      return known;
    }
    const sources: FromSource[] = [];
    const scope = createScope({ select, sources, env, parent });
    this.#scopes.set(select, scope);
    this.#addSources(select.from, scope, sources);
    return scope;
  }

  #addSources(items: readonly FromItem[], scope: Scope, sources: FromSource[]): void {
    for (const item of items) {
      if (item.source.kind === 'group' && item.alias === undefined) {
        this.#addSources(item.source.items, scope, sources);
      } else {
        sources.push(this.#createSource(item, scope));
      }
    }
  }

  #createSource(item: FromItem, scope: Scope): FromSource {
    const { source } = item;
    const path = source.kind === 'table' ? source.path : [];
    const { target, shape } = this.#getTarget(item, scope, path);
    const name = item.alias?.text ?? getTargetName(path, target);
    const table = target.kind === 'table' ? target.table : undefined;
    const alias: AliasSymbol | undefined =
      item.alias === undefined ? undefined : { kind: 'alias', name: item.alias, table };
    const columns = item.columns;
    const lazy = new LazySourceShape(() => this.#renameColumns(shape(), columns));
    return { item, name, key: toNameKey(name), alias, target, shape: lazy };
  }

  #getTarget(
    item: FromItem,
    scope: Scope,
    path: readonly SqlName[],
  ): { target: SourceTarget; shape: () => SourceShape } {
    const { source } = item;
    if (source.kind === 'derived') {
      const outer = source.lateral ? scope : scope.parent;
      return { target: { kind: 'derived' }, shape: () => this.getQueryShape(source.query, scope.env, outer) };
    }
    if (source.kind === 'table') {
      const cte = path.length === 1 ? this.findCte(scope.env, path[0]?.text ?? '') : undefined;
      if (cte !== undefined) {
        return { target: cte.symbol, shape: () => this.getCteShape(cte) };
      }
      const table = this.findTable(path);
      if (table !== undefined) {
        return { target: table.symbol, shape: () => table.shape };
      }
    }
    return { target: { kind: 'unknown' }, shape: () => UNKNOWN_SOURCE_SHAPE };
  }

  /** Finds the table of the catalog that a path refers to: by the whole path joined with dots, or by its last name. */
  findTable(path: readonly SqlName[]): ReturnType<CatalogIndex['findTable']> {
    const whole = this.index.findTable(path.map((name) => name.text).join('.'));
    return whole ?? this.index.findTable(path.at(-1)?.text ?? '');
  }

  /** Renames the first columns of a shape, as a column list does (`AS t(a, b)`). */
  #renameColumns(shape: SourceShape, names: readonly SqlName[]): SourceShape {
    if (names.length === 0) {
      return shape;
    }
    const columns = names.map((name, position): SourceColumn => {
      const under = shape.columns[position];
      const origin = under?.symbol?.kind === 'column' ? under.symbol : under?.symbol?.origin;
      const symbol = this.getOutputSymbol(name, { origin, source: undefined });
      return { name: name.text, symbol, type: under?.type, hidden: false };
    });
    return new KnownSourceShape(
      [...columns, ...shape.columns.slice(names.length)],
      shape.complete || columns.length > 0,
    );
  }

  getOutputSymbol(name: SqlName, facts: Pick<OutputSymbol, 'origin' | 'source'>): OutputSymbol {
    let symbol = this.#outputs.get(name);
    if (symbol === undefined) {
      symbol = { kind: 'output', name, ...facts };
      this.#outputs.set(name, symbol);
    }
    return symbol;
  }

  getCteShape(entry: CteEntry): SourceShape {
    const { cte } = entry.symbol;
    return this.#getOrBuildShape(cte, () => {
      const inner =
        cte.query === undefined
          ? UNKNOWN_SOURCE_SHAPE
          : this.getQueryShape(cte.query, entry.env, entry.outer);
      return this.#renameColumns(inner, cte.columns);
    });
  }

  getQueryShape(query: SqlQuery, env: CteEnvironment, outer: Scope | undefined): SourceShape {
    return this.#getOrBuildShape(query, () =>
      this.#getBodyShape(query.body, this.enterQuery(query, env, outer), outer),
    );
  }

  #getBodyShape(body: QueryBody | undefined, env: CteEnvironment, outer: Scope | undefined): SourceShape {
    let first = body;
    while (first?.kind === 'set') {
      first = first.left;
    }
    if (first?.kind === 'query') {
      return this.getQueryShape(first, env, outer);
    }
    return first?.kind === 'select' ? this.getSelectShape(first, env, outer) : UNKNOWN_SOURCE_SHAPE;
  }

  /** Returns the output columns of a select. */
  getSelectShape(select: SelectQuery, env: CteEnvironment, outer: Scope | undefined): SourceShape {
    return this.#getOrBuildShape(select, () => {
      const scope = this.getScope(select, env, outer);
      const columns: SourceColumn[] = [];
      let complete = true;
      for (const item of select.items) {
        if (item.expr.kind === 'star') {
          complete = this.#addStarColumns(item.expr, scope, columns) && complete;
        } else {
          columns.push(this.#createItemColumn(item, scope));
        }
      }
      return new KnownSourceShape(columns, complete);
    });
  }

  #addStarColumns(star: Star, scope: Scope, columns: SourceColumn[]): boolean {
    const sources = star.qualifier.length === 0 ? scope.sources : [findSource(scope, star.qualifier)?.source];
    let complete = sources.length > 0;
    for (const source of sources) {
      for (const column of source?.shape.columns ?? []) {
        // Nested queries with `*` can double the number of columns at every level. The shape is then incomplete.
        if (columns.length >= MAX_WIDTH) {
          return false;
        }
        columns.push(column);
      }
      complete = complete && source?.shape.complete === true;
    }
    return complete;
  }

  #createItemColumn(item: SelectItem, scope: Scope): SourceColumn {
    const found = item.expr.kind === 'column' ? lookUpColumn(scope, item.expr.path) : undefined;
    if (item.alias !== undefined) {
      const under = found?.column?.symbol;
      const origin = under?.kind === 'column' ? under : under?.origin;
      const symbol = this.getOutputSymbol(item.alias, { origin, source: item.expr });
      return { name: item.alias.text, symbol, type: found?.column?.type, hidden: false };
    }
    const name = item.expr.kind === 'column' ? (item.expr.path.at(-1)?.text ?? '') : '';
    return { name, symbol: found?.column?.symbol, type: found?.column?.type, hidden: false };
  }

  /**
   * Returns a cached shape or builds it. While it is being built, its columns are unknown: a recursive CTE uses itself.
   */
  #getOrBuildShape(key: SqlQuery | SelectQuery | Cte, build: () => SourceShape): SourceShape {
    const known = this.#shapes.get(key);
    if (known !== undefined) {
      return known;
    }
    if (this.#chain >= MAX_CHAIN) {
      return UNKNOWN_SOURCE_SHAPE;
    }
    this.#shapes.set(key, UNKNOWN_SOURCE_SHAPE);
    this.#chain++;
    const shape = build();
    this.#chain--;
    this.#shapes.set(key, shape);
    return shape;
  }
}

function getTargetName(path: readonly SqlName[], target: SourceTarget): string {
  if (target.kind === 'table' && path.length > 1) {
    const joined = path.map((name) => name.text).join('.');
    return toNameKey(joined) === toNameKey(target.table.name) ? joined : (path.at(-1)?.text ?? '');
  }
  return path.at(-1)?.text ?? '';
}
