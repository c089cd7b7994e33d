import type { ExpressionContext } from '../context.ts';
import type {
  FromItem,
  SqlName,
  SqlQuery,
  QueryBody,
  SelectQuery,
  SelectItem,
  SqlTree,
} from '../syntax/tree.ts';
import { ExpressionResolver } from './expressionResolver.ts';
import type { MergedName } from './mergedName.ts';
import type { NameProblem } from './nameProblem.ts';
import { type CteEnvironment, type Scope, createScope } from './scope.ts';
import type { FromSource } from './source.ts';
import type { NameResolution, SelectResult } from './nameResolution.ts';
import { ScopeBuilder } from './scopeBuilder.ts';
import type { Occurrence } from './occurrence.ts';
import { toNameKey } from './symbols.ts';

/** Resolves all names of a parsed text. */
export function resolveNames(tree: SqlTree, context: ExpressionContext): NameResolution {
  const { cache, catalog } = context;
  const table = context.kind === 'column' ? context.table : undefined;
  const resolve = (): NameResolution => resolveTree(tree, context);
  return cache === undefined ? resolve() : cache.getResolution(tree, { catalog, table }, resolve);
}

function resolveTree(tree: SqlTree, context: ExpressionContext): NameResolution {
  const resolver = new TreeResolver(context);
  const resolution = resolver.run(tree, context);
  resolution.occurrences.sort((a, b) => a.name.start - b.name.start);
  resolution.problems.sort((a, b) => a.start - b.start);
  return resolution;
}

interface MutableNameResolution extends NameResolution {
  readonly occurrences: Occurrence[];
  readonly problems: NameProblem[];
}

interface ResolveTask {
  readonly query: SqlQuery;
  readonly env: CteEnvironment;
  readonly outerScope: Scope | undefined;
}

class TreeResolver {
  readonly #scopeBuilder: ScopeBuilder;
  readonly #expressionResolver: ExpressionResolver;
  readonly #occurrences: Occurrence[] = [];
  readonly #problems: NameProblem[] = [];
  readonly #tasks: ResolveTask[] = [];
  readonly #selectScopes: Scope[] = [];
  readonly #results: SelectResult[] = [];
  readonly #mergedNames: MergedName[] = [];

  constructor(context: ExpressionContext) {
    this.#scopeBuilder = new ScopeBuilder(context);
    this.#expressionResolver = new ExpressionResolver({
      scopeBuilder: this.#scopeBuilder,
      occurrences: this.#occurrences,
      problems: this.#problems,
      mergedNames: this.#mergedNames,
      // Sub-selects are queued, because recursion could overflow the stack.
      resolveSubSelect: (query, scope) => this.#tasks.push({ query, env: scope.env, outerScope: scope }),
    });
  }

  run(tree: SqlTree, context: ExpressionContext): MutableNameResolution {
    if (tree.kind === 'statement') {
      for (const query of tree.queries) {
        this.#tasks.push({ query, env: this.#scopeBuilder.rootEnv, outerScope: undefined });
      }
    } else if (tree.expr !== undefined && context.kind === 'column') {
      this.#expressionResolver.resolve(tree.expr, this.#scopeBuilder.createTableScope(context.table), []);
    }
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) {
      this.#resolveQuery(task);
    }
    return {
      occurrences: this.#occurrences,
      problems: this.#problems,
      scopes: this.#selectScopes,
      results: this.#results,
      mergedNames: this.#mergedNames,
    };
  }

  #resolveQuery({ query, env, outerScope }: ResolveTask): void {
    const bodyEnv = this.#scopeBuilder.enterQuery(query, env, outerScope);
    const declaredKeys = new Set<string>();
    for (const cte of query.ctes) {
      this.#reportIfDuplicate(cte.name, declaredKeys, 'cte-twice');
      const entry = this.#scopeBuilder.getCteEntry(cte);
      if (entry === undefined) {
        continue;
      }
      this.#occurrences.push({ name: cte.name, symbol: entry.symbol, isDeclaration: true });
      const shape = this.#scopeBuilder.getCteShape(entry);
      cte.columns.forEach((name, position) =>
        this.#addOutputDeclaration(name, shape.columns[position]?.symbol),
      );
      if (cte.query !== undefined) {
        this.#tasks.push({ query: cte.query, env: entry.env, outerScope: entry.outerScope });
      }
    }
    this.#resolveBody(query, bodyEnv, outerScope);
  }

  #addOutputDeclaration(name: SqlName, symbol: Occurrence['symbol'] | undefined): void {
    if (symbol?.kind === 'output' && symbol.name === name) {
      this.#occurrences.push({ name, symbol, isDeclaration: true });
    }
  }

  #resolveBody(query: SqlQuery, env: CteEnvironment, outerScope: Scope | undefined): void {
    const operands = getSetOperands(query.body);
    for (const operand of operands) {
      if (operand.kind === 'query') {
        this.#tasks.push({ query: operand, env, outerScope });
      } else if (operand.kind === 'select') {
        this.#resolveSelect(operand, env, outerScope, query.role !== 'expression' && operand === operands[0]);
      } else if (operand.kind === 'values') {
        const scope = createScope({ select: undefined, sources: [], env, parent: outerScope });
        for (const row of operand.rows) {
          this.#expressionResolver.resolve(row, scope, []);
        }
      }
    }
    this.#resolveOrderAndLimit(query, operands, env, outerScope);
  }

  /**
   * Resolves ORDER BY and LIMIT: first to output columns, then, if the query is a single select, to columns of its
   * sources.
   */
  #resolveOrderAndLimit(
    query: SqlQuery,
    operands: readonly QueryBody[],
    env: CteEnvironment,
    outerScope: Scope | undefined,
  ): void {
    if (query.orderBy.length === 0 && query.limits.length === 0) {
      return;
    }
    const outputShape = this.#scopeBuilder.getQueryShape(query, env, outerScope);
    const singleSelect = operands.length === 1 && operands[0]?.kind === 'select' ? operands[0] : undefined;
    const scope: Scope =
      singleSelect === undefined
        ? createScope({ select: undefined, sources: [], env, parent: outerScope })
        : this.#scopeBuilder.getScope(singleSelect, env, outerScope);
    for (const { expr } of query.orderBy) {
      this.#expressionResolver.resolve(expr, scope, [outputShape], { prefersOutputs: true });
    }
    for (const limit of query.limits) {
      this.#expressionResolver.resolve(limit, scope, []);
    }
  }

  #resolveSelect(
    select: SelectQuery,
    env: CteEnvironment,
    outerScope: Scope | undefined,
    providesOutputColumns: boolean,
  ): void {
    const scope = this.#scopeBuilder.getScope(select, env, outerScope);
    this.#selectScopes.push(scope);
    this.#resolveSources(scope, select.from);
    const outputs = this.#scopeBuilder.getSelectShape(select, env, outerScope);
    for (const item of select.items) {
      this.#expressionResolver.resolve(item.expr, scope, []);
      if (item.alias !== undefined) {
        this.#addOutputDeclaration(
          item.alias,
          this.#scopeBuilder.getOutputSymbol(item.alias, { origin: undefined, source: item.expr }),
        );
      }
    }
    if (providesOutputColumns) {
      this.#results.push({ select, shape: outputs });
      this.#checkOutputNames(select.items);
    }
    if (select.top !== undefined) {
      this.#expressionResolver.resolve(select.top, scope, []);
    }
    if (select.where !== undefined) {
      this.#expressionResolver.resolve(select.where, scope, [], { laterOutputs: outputs });
    }
    for (const expr of [...select.groupBy, select.having, select.qualify]) {
      if (expr !== undefined) {
        this.#expressionResolver.resolve(expr, scope, [outputs]);
      }
    }
    for (const { spec } of select.windows) {
      this.#expressionResolver.resolveWindow(spec, scope);
    }
  }

  #checkOutputNames(items: readonly SelectItem[]): void {
    const declaredKeys = new Set<string>();
    for (const { alias } of items) {
      if (alias !== undefined) {
        this.#reportIfDuplicate(alias, declaredKeys, 'output-twice');
      }
    }
  }

  #reportIfDuplicate(
    name: SqlName,
    declaredKeys: Set<string>,
    reason: 'cte-twice' | 'output-twice' | 'alias-twice',
  ): void {
    const key = toNameKey(name.text);
    if (key !== '' && declaredKeys.has(key)) {
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
    declaredKeys.add(key);
  }

  #resolveSources(scope: Scope, items: readonly FromItem[]): void {
    const declaredKeys = new Set<string>();
    for (const source of scope.sources) {
      this.#resolveSource(source, scope, declaredKeys);
    }
    this.#resolveConditions(items, scope);
  }

  #resolveSource(source: FromSource, scope: Scope, declaredKeys: Set<string>): void {
    const { item, alias } = source;
    if (item === undefined) {
      return;
    }
    const sourceName = alias?.name ?? (item.source.kind === 'table' ? item.source.path.at(-1) : undefined);
    const hasKnownName = alias !== undefined || source.target.kind !== 'unknown';
    if (sourceName !== undefined && !sourceName.missing && hasKnownName) {
      this.#reportIfDuplicate({ ...sourceName, text: source.name }, declaredKeys, 'alias-twice');
    }
    if (item.source.kind === 'table') {
      this.#expressionResolver.resolveFromTable(item.source.path, source.target, scope);
    } else if (item.source.kind === 'derived') {
      const outerScope = item.source.lateral ? scope : scope.parent;
      this.#tasks.push({ query: item.source.query, env: scope.env, outerScope });
    } else if (item.source.kind === 'function') {
      this.#expressionResolver.resolve(item.source.call, scope, []);
    }
    if (alias !== undefined) {
      this.#occurrences.push({ name: alias.name, symbol: alias, isDeclaration: true });
    }
    item.columns.forEach((name, position) =>
      this.#addOutputDeclaration(name, source.shape.columns[position]?.symbol),
    );
  }

  #resolveConditions(items: readonly FromItem[], scope: Scope): void {
    for (const item of items) {
      if (item.source.kind === 'group') {
        this.#resolveConditions(item.source.items, scope);
      }
      if (item.on !== undefined) {
        this.#expressionResolver.resolve(item.on, scope, []);
      }
      for (const name of item.using) {
        this.#expressionResolver.resolveUsing(name, scope, item);
      }
    }
  }
}

/**
 * Returns the operands of the set operators (UNION and similar) of a query body in order. Not recursive, because chains
 * of set operators can be long.
 */
function getSetOperands(body: QueryBody | undefined): QueryBody[] {
  const operands: QueryBody[] = [];
  const stack = body === undefined ? [] : [body];
  for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
    if (current.kind === 'set') {
      stack.push(current.right, current.left);
    } else {
      operands.push(current);
    }
  }
  return operands;
}
