import type { ExpressionContext } from '../context.ts';
import type { FromItem, Name, Query, QueryBody, Select, SelectItem, SqlTree } from '../syntax/tree.ts';
import { ExpressionResolver } from './expressionResolver.ts';
import type { MergedName } from './merged.ts';
import type { NameProblem } from './problems.ts';
import { type Env, type Scope, scopeOf } from './model.ts';
import type { Source } from './source.ts';
import type { Resolution, Result } from './resolution.ts';
import { ScopeBuilder } from './scopes.ts';
import type { Occurrence } from './occurrence.ts';
import { keyOf } from './symbols.ts';

/** Resolves every name of a parsed text. */
export function resolve(tree: SqlTree, context: ExpressionContext): Resolution {
  const { memory, catalog } = context;
  const table = context.kind === 'column' ? context.table : undefined;
  const look = (): Resolution => resolveAll(tree, context);
  return memory === undefined ? look() : memory.resolution(tree, { catalog, table }, look);
}

function resolveAll(tree: SqlTree, context: ExpressionContext): Resolution {
  const resolver = new TreeResolver(context);
  const found = resolver.run(tree, context);
  found.occurrences.sort((a, b) => a.name.start - b.name.start);
  found.problems.sort((a, b) => a.start - b.start);
  return found;
}

interface Found extends Resolution {
  readonly occurrences: Occurrence[];
  readonly problems: NameProblem[];
}

interface Task {
  readonly query: Query;
  readonly env: Env;
  readonly outer: Scope | undefined;
}

class TreeResolver {
  readonly #scopes: ScopeBuilder;
  readonly #expressions: ExpressionResolver;
  readonly #occurrences: Occurrence[] = [];
  readonly #problems: NameProblem[] = [];
  readonly #tasks: Task[] = [];
  readonly #selects: Scope[] = [];
  readonly #results: Result[] = [];
  readonly #merged: MergedName[] = [];

  constructor(context: ExpressionContext) {
    this.#scopes = new ScopeBuilder(context);
    this.#expressions = new ExpressionResolver({
      scopes: this.#scopes,
      occurrences: this.#occurrences,
      problems: this.#problems,
      merged: this.#merged,
      // Sub-selects wait their turn: a chain of them must not eat the stack.
      subSelect: (query, scope) => this.#tasks.push({ query, env: scope.env, outer: scope }),
    });
  }

  run(tree: SqlTree, context: ExpressionContext): Found {
    if (tree.kind === 'statement') {
      for (const query of tree.queries) {
        this.#tasks.push({ query, env: this.#scopes.rootEnv, outer: undefined });
      }
    } else if (tree.expr !== undefined && context.kind === 'column') {
      this.#expressions.resolve(tree.expr, this.#scopes.tableScope(context.table), []);
    }
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) {
      this.#query(task);
    }
    return {
      occurrences: this.#occurrences,
      problems: this.#problems,
      scopes: this.#selects,
      results: this.#results,
      merged: this.#merged,
    };
  }

  #query({ query, env, outer }: Task): void {
    const inner = this.#scopes.enter(query, env, outer);
    const seen = new Set<string>();
    for (const cte of query.ctes) {
      this.#declare(cte.name, seen, 'cte-twice');
      const entry = this.#scopes.entryOf(cte);
      if (entry === undefined) {
        continue;
      }
      this.#occurrences.push({ name: cte.name, symbol: entry.symbol, declares: true });
      const shape = this.#scopes.cteShape(entry);
      cte.columns.forEach((name, position) => this.#output(name, shape.columns[position]?.symbol));
      if (cte.query !== undefined) {
        this.#tasks.push({ query: cte.query, env: entry.env, outer: entry.outer });
      }
    }
    this.#body(query, inner, outer);
  }

  #output(name: Name, symbol: Occurrence['symbol'] | undefined): void {
    if (symbol?.kind === 'output' && symbol.name === name) {
      this.#occurrences.push({ name, symbol, declares: true });
    }
  }

  #body(query: Query, env: Env, outer: Scope | undefined): void {
    const arms = armsOf(query.body);
    for (const arm of arms) {
      if (arm.kind === 'query') {
        this.#tasks.push({ query: arm, env, outer });
      } else if (arm.kind === 'select') {
        this.#select(arm, env, outer, query.role !== 'expression' && arm === arms[0]);
      } else if (arm.kind === 'values') {
        const scope = scopeOf({ select: undefined, sources: [], env, parent: outer });
        for (const row of arm.rows) {
          this.#expressions.resolve(row, scope, []);
        }
      }
    }
    this.#ordering(query, arms, env, outer);
  }

  /** ORDER BY sees the columns of the result first; of a single select also what the select sees. */
  #ordering(query: Query, arms: readonly QueryBody[], env: Env, outer: Scope | undefined): void {
    if (query.orderBy.length === 0 && query.limits.length === 0) {
      return;
    }
    const result = this.#scopes.queryShape(query, env, outer);
    const only = arms.length === 1 && arms[0]?.kind === 'select' ? arms[0] : undefined;
    const scope: Scope =
      only === undefined
        ? scopeOf({ select: undefined, sources: [], env, parent: outer })
        : this.#scopes.scope(only, env, outer);
    for (const { expr } of query.orderBy) {
      this.#expressions.resolve(expr, scope, [result], { outputsFirst: true });
    }
    for (const limit of query.limits) {
      this.#expressions.resolve(limit, scope, []);
    }
  }

  #select(select: Select, env: Env, outer: Scope | undefined, givesColumns: boolean): void {
    const scope = this.#scopes.scope(select, env, outer);
    this.#selects.push(scope);
    this.#sources(scope, select.from);
    const outputs = this.#scopes.selectShape(select, env, outer);
    for (const item of select.items) {
      this.#expressions.resolve(item.expr, scope, []);
      if (item.alias !== undefined) {
        this.#output(item.alias, this.#scopes.output(item.alias, { origin: undefined, source: item.expr }));
      }
    }
    if (givesColumns) {
      this.#results.push({ select, shape: outputs });
      this.#outputNames(select.items);
    }
    if (select.top !== undefined) {
      this.#expressions.resolve(select.top, scope, []);
    }
    if (select.where !== undefined) {
      this.#expressions.resolve(select.where, scope, [], { tooEarly: outputs });
    }
    for (const expr of [...select.groupBy, select.having, select.qualify]) {
      if (expr !== undefined) {
        this.#expressions.resolve(expr, scope, [outputs]);
      }
    }
    for (const { spec } of select.windows) {
      this.#expressions.window(spec, scope);
    }
  }

  #outputNames(items: readonly SelectItem[]): void {
    const seen = new Set<string>();
    for (const { alias } of items) {
      if (alias !== undefined) {
        this.#declare(alias, seen, 'output-twice');
      }
    }
  }

  #declare(name: Name, seen: Set<string>, reason: 'cte-twice' | 'output-twice' | 'alias-twice'): void {
    const key = keyOf(name.text);
    if (key !== '' && seen.has(key)) {
      this.#problems.push({
        code: 'duplicate-alias',
        severity: reason === 'output-twice' ? 'warning' : 'error',
        name: name.text,
        reason,
        start: name.start,
        end: name.end,
        scope: undefined,
        sources: [],
        path: [name],
      });
    }
    seen.add(key);
  }

  #sources(scope: Scope, items: readonly FromItem[]): void {
    const seen = new Set<string>();
    for (const source of scope.sources) {
      this.#source(source, scope, seen);
    }
    this.#conditions(items, scope);
  }

  #source(source: Source, scope: Scope, seen: Set<string>): void {
    const { item, alias } = source;
    if (item === undefined) {
      return;
    }
    const named = alias?.name ?? (item.source.kind === 'table' ? item.source.path.at(-1) : undefined);
    const isNamed = alias !== undefined || source.target.kind !== 'unknown';
    if (named !== undefined && !named.missing && isNamed) {
      this.#declare({ ...named, text: source.name }, seen, 'alias-twice');
    }
    if (item.source.kind === 'table') {
      this.#expressions.table(item.source.path, source.target, scope);
    } else if (item.source.kind === 'derived') {
      const outer = item.source.lateral ? scope : scope.parent;
      this.#tasks.push({ query: item.source.query, env: scope.env, outer });
    } else if (item.source.kind === 'function') {
      this.#expressions.resolve(item.source.call, scope, []);
    }
    if (alias !== undefined) {
      this.#occurrences.push({ name: alias.name, symbol: alias, declares: true });
    }
    item.columns.forEach((name, position) => this.#output(name, source.shape.columns[position]?.symbol));
  }

  #conditions(items: readonly FromItem[], scope: Scope): void {
    for (const item of items) {
      if (item.source.kind === 'group') {
        this.#conditions(item.source.items, scope);
      }
      if (item.on !== undefined) {
        this.#expressions.resolve(item.on, scope, []);
      }
      for (const name of item.using) {
        this.#expressions.using(name, scope, item);
      }
    }
  }
}

/** The selects of a body, the first first; chains of set operators lean left and may be long. */
function armsOf(body: QueryBody | undefined): QueryBody[] {
  const arms: QueryBody[] = [];
  const stack = body === undefined ? [] : [body];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.kind === 'set') {
      stack.push(at.right, at.left);
    } else {
      arms.push(at);
    }
  }
  return arms;
}
