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
import { type CteEntry, type CteEnvironment, type Scope, createScope } from './scope.ts';
import type { FromSource, SourceTarget } from './source.ts';
import { type AliasSymbol, type CteSymbol, toNameKey, type OutputSymbol } from './symbols.ts';

const EMPTY_ENVIRONMENT: CteEnvironment = { entry: undefined, parent: undefined };
/** Maximum depth of CTEs and derived tables that use each other; the columns of deeper ones are unknown. */
const MAX_SHAPE_DEPTH = 300;

/** Maximum number of columns of a select, far more than any real one has. */
const MAX_COLUMNS = 10_000;

/** Builds the scopes of queries on demand and caches them, so that all uses of a name get the same symbol object. */
export class ScopeBuilder {
  readonly catalogIndex: CatalogIndex;
  /** The table that contains the column, for the expression of a custom column, which can use no other table. */
  readonly #ownTable: CatalogTable | undefined;
  readonly #envs = new Map<SqlQuery, CteEnvironment>();
  readonly #scopes = new Map<SelectQuery, Scope>();
  readonly #shapes = new Map<SqlQuery | SelectQuery | Cte, SourceShape>();
  readonly #outputs = new Map<SqlName, OutputSymbol>();
  readonly #ctes = new Map<Cte, CteEntry>();
  #shapeDepth = 0;

  constructor(context: ExpressionContext) {
    const { catalog, cache } = context;
    this.catalogIndex = cache === undefined ? new CatalogIndex(catalog) : cache.getCatalogIndex(catalog);
    this.#ownTable =
      context.kind === 'column' ? this.catalogIndex.findTable(context.table)?.symbol.table : undefined;
  }

  /** True if the text can use a table in FROM. If the table of a custom column is unknown, all tables are visible. */
  isVisible(table: CatalogTable): boolean {
    return this.#ownTable === undefined || this.#ownTable === table;
  }

  /** Creates a scope with one table, as for a column expression. */
  createTableScope(table: string): Scope {
    const tableEntry = this.catalogIndex.findTable(table);
    const source: FromSource = {
      item: undefined,
      name: table,
      key: toNameKey(table),
      alias: undefined,
      target: tableEntry?.symbol ?? { kind: 'unknown' },
      shape: tableEntry?.shape ?? UNKNOWN_SOURCE_SHAPE,
    };
    return createScope({ select: undefined, sources: [source], env: EMPTY_ENVIRONMENT, parent: undefined });
  }

  get rootEnv(): CteEnvironment {
    return EMPTY_ENVIRONMENT;
  }

  /** Registers the CTEs of a query, and returns the CTEs that its body can use. */
  enterQuery(query: SqlQuery, env: CteEnvironment, outerScope: Scope | undefined): CteEnvironment {
    if (query.ctes.length === 0) {
      return env;
    }
    const cached = this.#envs.get(query);
    if (cached !== undefined) {
      return cached;
    }
    let bodyEnv = env;
    const entries: CteEntry[] = [];
    for (const cte of query.ctes) {
      const symbol: CteSymbol = { kind: 'cte', name: cte.name, cte };
      const entry: CteEntry = { symbol, key: toNameKey(cte.name.text), outerScope, env: bodyEnv };
      entry.env = { entry, parent: bodyEnv, tablesComeFirst: true };
      bodyEnv = { entry, parent: bodyEnv };
      entries.push(entry);
      this.#ctes.set(cte, entry);
    }
    if (query.recursive) {
      for (const entry of entries) {
        entry.env = bodyEnv;
      }
    }
    this.#envs.set(query, bodyEnv);
    return bodyEnv;
  }

  /** Returns the entry of a CTE after `enterQuery`. */
  getCteEntry(cte: Cte): CteEntry | undefined {
    return this.#ctes.get(cte);
  }

  findCte(env: CteEnvironment, name: string): CteEntry | undefined {
    const key = toNameKey(name);
    for (let current: CteEnvironment | undefined = env; current !== undefined; current = current.parent) {
      if (current.entry?.key === key && !this.#isHiddenByTable(current)) {
        return current.entry;
      }
    }
    return undefined;
  }

  #isHiddenByTable({ entry, tablesComeFirst = false }: CteEnvironment): boolean {
    return tablesComeFirst && this.catalogIndex.findTable(entry?.symbol.name.text ?? '') !== undefined;
  }

  /** Returns the scope of a select. `parent` is its enclosing scope, if the select can use it. */
  getScope(select: SelectQuery, env: CteEnvironment, parent: Scope | undefined): Scope {
    const cached = this.#scopes.get(select);
    if (cached !== undefined) {
      return cached;
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
    const { target, getShape } = this.#getTarget(item, scope, path);
    const name = item.alias?.text ?? getTargetName(path, target);
    const table = target.kind === 'table' ? target.table : undefined;
    const alias: AliasSymbol | undefined =
      item.alias === undefined ? undefined : { kind: 'alias', name: item.alias, table };
    const columns = item.columns;
    const lazyShape = new LazySourceShape(() => this.#renameColumns(getShape(), columns));
    return { item, name, key: toNameKey(name), alias, target, shape: lazyShape };
  }

  #getTarget(
    item: FromItem,
    scope: Scope,
    path: readonly SqlName[],
  ): { target: SourceTarget; getShape: () => SourceShape } {
    const { source } = item;
    if (source.kind === 'derived') {
      const outerScope = source.lateral ? scope : scope.parent;
      return {
        target: { kind: 'derived' },
        getShape: () => this.getQueryShape(source.query, scope.env, outerScope),
      };
    }
    if (source.kind === 'table') {
      const cte = path.length === 1 ? this.findCte(scope.env, path[0]?.text ?? '') : undefined;
      if (cte !== undefined) {
        return { target: cte.symbol, getShape: () => this.getCteShape(cte) };
      }
      const table = this.findTable(path);
      if (table !== undefined) {
        return { target: table.symbol, getShape: () => table.shape };
      }
    }
    return { target: { kind: 'unknown' }, getShape: () => UNKNOWN_SOURCE_SHAPE };
  }

  /** Finds the table of the catalog that a path refers to: by the whole path joined with dots, or by its last name. */
  findTable(path: readonly SqlName[]): ReturnType<CatalogIndex['findTable']> {
    const wholeMatch = this.catalogIndex.findTable(path.map((name) => name.text).join('.'));
    return wholeMatch ?? this.catalogIndex.findTable(path.at(-1)?.text ?? '');
  }

  /** Renames the first columns of a shape, as a column list does (`AS t(a, b)`). */
  #renameColumns(shape: SourceShape, names: readonly SqlName[]): SourceShape {
    if (names.length === 0) {
      return shape;
    }
    const columns = names.map((name, position): SourceColumn => {
      const underlyingColumn = shape.columns[position];
      const origin =
        underlyingColumn?.symbol?.kind === 'column'
          ? underlyingColumn.symbol
          : underlyingColumn?.symbol?.origin;
      const symbol = this.getOutputSymbol(name, { origin, source: undefined });
      return { name: name.text, symbol, type: underlyingColumn?.type, hidden: false };
    });
    // The list may name only some of the columns, so it doesn't make an incomplete shape complete.
    return new KnownSourceShape([...columns, ...shape.columns.slice(names.length)], shape.complete);
  }

  getOutputSymbol(name: SqlName, properties: Pick<OutputSymbol, 'origin' | 'source'>): OutputSymbol {
    let symbol = this.#outputs.get(name);
    if (symbol === undefined) {
      symbol = { kind: 'output', name, ...properties };
      this.#outputs.set(name, symbol);
    }
    return symbol;
  }

  getCteShape(entry: CteEntry): SourceShape {
    const { cte } = entry.symbol;
    return this.#getOrBuildShape(cte, () => {
      const queryShape =
        cte.query === undefined
          ? UNKNOWN_SOURCE_SHAPE
          : this.getQueryShape(cte.query, entry.env, entry.outerScope);
      return this.#renameColumns(queryShape, cte.columns);
    });
  }

  getQueryShape(query: SqlQuery, env: CteEnvironment, outerScope: Scope | undefined): SourceShape {
    return this.#getOrBuildShape(query, () =>
      this.#getBodyShape(query.body, this.enterQuery(query, env, outerScope), outerScope),
    );
  }

  #getBodyShape(
    body: QueryBody | undefined,
    env: CteEnvironment,
    outerScope: Scope | undefined,
  ): SourceShape {
    let firstOperand = body;
    while (firstOperand?.kind === 'set') {
      firstOperand = firstOperand.left;
    }
    if (firstOperand?.kind === 'query') {
      return this.getQueryShape(firstOperand, env, outerScope);
    }
    return firstOperand?.kind === 'select'
      ? this.getSelectShape(firstOperand, env, outerScope)
      : UNKNOWN_SOURCE_SHAPE;
  }

  /** Returns the output columns of a select. */
  getSelectShape(select: SelectQuery, env: CteEnvironment, outerScope: Scope | undefined): SourceShape {
    return this.#getOrBuildShape(select, () => {
      const scope = this.getScope(select, env, outerScope);
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

  /** Adds the columns that a star stands for; returns whether these are all. */
  #addStarColumns(star: Star, scope: Scope, columns: SourceColumn[]): boolean {
    const sources = star.qualifier.length === 0 ? scope.sources : [findSource(scope, star.qualifier)?.source];
    let complete = sources.length > 0;
    for (const source of sources) {
      for (const column of source?.shape.columns ?? []) {
        // Nested queries with `*` can double the number of columns at every level. The shape is then incomplete.
        if (columns.length >= MAX_COLUMNS) {
          return false;
        }
        columns.push(column);
      }
      complete = complete && source?.shape.complete === true;
    }
    return complete;
  }

  #createItemColumn(item: SelectItem, scope: Scope): SourceColumn {
    const lookup = item.expr.kind === 'column' ? lookUpColumn(scope, item.expr.path) : undefined;
    if (item.alias !== undefined) {
      const underlyingSymbol = lookup?.column?.symbol;
      const origin = underlyingSymbol?.kind === 'column' ? underlyingSymbol : underlyingSymbol?.origin;
      const symbol = this.getOutputSymbol(item.alias, { origin, source: item.expr });
      return { name: item.alias.text, symbol, type: lookup?.column?.type, hidden: false };
    }
    const name = item.expr.kind === 'column' ? (item.expr.path.at(-1)?.text ?? '') : '';
    return { name, symbol: lookup?.column?.symbol, type: lookup?.column?.type, hidden: false };
  }

  /**
   * Returns a cached shape or builds it. While it is being built, its columns are unknown: a recursive CTE uses itself.
   */
  #getOrBuildShape(key: SqlQuery | SelectQuery | Cte, build: () => SourceShape): SourceShape {
    const cached = this.#shapes.get(key);
    if (cached !== undefined) {
      return cached;
    }
    if (this.#shapeDepth >= MAX_SHAPE_DEPTH) {
      return UNKNOWN_SOURCE_SHAPE;
    }
    this.#shapes.set(key, UNKNOWN_SOURCE_SHAPE);
    this.#shapeDepth++;
    const shape = build();
    this.#shapeDepth--;
    this.#shapes.set(key, shape);
    return shape;
  }
}

function getTargetName(path: readonly SqlName[], target: SourceTarget): string {
  if (target.kind === 'table' && path.length > 1) {
    const joinedName = path.map((name) => name.text).join('.');
    return toNameKey(joinedName) === toNameKey(target.table.name) ? joinedName : (path.at(-1)?.text ?? '');
  }
  return path.at(-1)?.text ?? '';
}
