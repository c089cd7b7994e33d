import type { CallExpr, ColumnRef, Expr, FromItem, SqlName, SqlQuery, WindowSpec } from '../syntax/tree.ts';
import { getExprChildren, getWindowChildren } from '../syntax/walk.ts';
import type { SourceShape } from './catalogIndex.ts';
import type { NameProblem } from './problems.ts';
import { getScopeChain, type ColumnLookup, findSource, lookUpColumn } from './lookup.ts';
import type { MergedName } from './merged.ts';
import type { Scope } from './model.ts';
import type { FromSource, SourceTarget } from './source.ts';
import type { ScopeBuilder } from './scopes.ts';
import type { Occurrence } from './occurrence.ts';
import { toNameKey, type SqlSymbol } from './symbols.ts';
import { isPossibleUnit } from './units.ts';

interface ResolverDependencies {
  readonly scopes: ScopeBuilder;
  readonly occurrences: Occurrence[];
  readonly problems: NameProblem[];
  readonly merged: MergedName[];
  resolveSubSelect(query: SqlQuery, scope: Scope): void;
}

interface ResolveOptions {
  /** True if output columns take precedence over columns of the sources, as in ORDER BY. */
  readonly outputsFirst?: boolean;
  /** Output columns that cannot be used here, such as in WHERE, because they are computed later. */
  readonly tooEarly?: SourceShape;
}

interface ResolveWork {
  readonly expr: Expr;
  readonly scope: Scope;
  /** True if an unquoted word may be a unit or a type instead of a column. */
  readonly lenient: boolean;
}

/** True for a call of LOOKUP, whose arguments belong to two tables. */
export function isLookupCall(call: Pick<CallExpr, 'name'>): boolean {
  return call.name.text.toUpperCase() === 'LOOKUP';
}

/** Resolves the names inside expressions, without recursion. */
export class ExpressionResolver {
  readonly #deps: ResolverDependencies;

  constructor(deps: ResolverDependencies) {
    this.#deps = deps;
  }

  /**
   * Resolves the names in an expression.
   * @param outputs the output columns that can be used in the expression
   */
  resolve(root: Expr, scope: Scope, outputs: readonly SourceShape[], options: ResolveOptions = {}): void {
    const stack: ResolveWork[] = [{ expr: root, scope, lenient: false }];
    for (let work = stack.pop(); work !== undefined; work = stack.pop()) {
      const { expr, scope: at, lenient } = work;
      if (expr.kind === 'column') {
        this.#resolveColumn(expr, at, outputs, { ...options, lenient });
      } else if (expr.kind === 'star') {
        this.#resolveQualifier(expr.qualifier, at);
      } else if (expr.kind === 'call' && isLookupCall(expr) && expr.args.length > 0) {
        this.#resolveLookupCall(expr, at, stack);
      } else {
        this.#push(expr, at, stack);
      }
    }
  }

  #push(expr: Expr, scope: Scope, stack: ResolveWork[]): void {
    const lenient = expr.kind === 'call';
    for (const child of getExprChildren(expr)) {
      if (child.kind === 'query') {
        this.#deps.resolveSubSelect(child, scope);
      } else if (child.kind !== 'select' && child.kind !== 'set' && child.kind !== 'values') {
        stack.push({ expr: child, scope, lenient });
      }
    }
  }

  resolveWindow(spec: WindowSpec, scope: Scope): void {
    for (const expr of getWindowChildren(spec)) {
      this.resolve(expr, scope, []);
    }
  }

  /**
   * Resolves `Lookup(table, result, local key, remote key)`: the second and fourth arguments belong to the table in the
   * first argument.
   */
  #resolveLookupCall(call: CallExpr, scope: Scope, stack: ResolveWork[]): void {
    const [table, ...rest] = call.args;
    let remote: Scope | undefined;
    if (table?.kind === 'column') {
      const found = this.#deps.scopes.findTable(table.path);
      this.#resolveTable(table.path, found?.symbol ?? { kind: 'unknown' }, scope);
      remote = found === undefined ? undefined : this.#deps.scopes.createTableScope(found.symbol.table.name);
    } else if (table !== undefined) {
      stack.push({ expr: table, scope, lenient: false });
    }
    rest.forEach((expr, position) => {
      const isRemote = position === 0 || position === 2;
      const at = isRemote ? remote : scope;
      if (at !== undefined) {
        stack.push({ expr, scope: at, lenient: false });
      }
    });
  }

  /**
   * Resolves a table in FROM. The expression of a column can use only its own table, and other tables through Lookup.
   */
  resolveTable(path: readonly SqlName[], target: SourceTarget, scope: Scope): void {
    this.#resolveTable(path, target, scope);
    const name = joinPath(path);
    if (target.kind === 'table' && name !== undefined && !this.#deps.scopes.isVisible(target.table)) {
      this.#report({ code: 'unknown-table', reason: 'other-table', name, scope, path });
    }
  }

  /** Resolves a table in FROM or in the first argument of Lookup. */
  #resolveTable(path: readonly SqlName[], target: SourceTarget, scope: Scope): void {
    const name = joinPath(path);
    if (name === undefined) {
      return;
    }
    if (target.kind === 'table' || target.kind === 'cte') {
      const isWhole =
        path.length === 1 ||
        (target.kind === 'table' && toNameKey(target.table.name) === toNameKey(name.text));
      this.#addOccurrence(isWhole ? name : (path.at(-1) ?? name), target);
    } else if (target.kind === 'unknown') {
      this.#report({ code: 'unknown-table', reason: 'no-table', name, scope, path });
    }
  }

  /** Resolves a column of USING, which must exist in the joined source and in a source before it. */
  resolveUsing(name: SqlName, scope: Scope, joined: FromItem): void {
    const key = toNameKey(name.text);
    const position = scope.sources.findIndex(({ item }) => item === joined);
    const right = scope.sources.slice(position, position + 1);
    const left = scope.sources.slice(0, Math.max(0, position));
    const having = [...left, ...right].filter(({ shape }) => shape.find(key) !== undefined);
    this.#deps.merged.push({ name, sources: having });
    const symbols = new Set(having.map(({ shape }) => shape.find(key)?.symbol));
    const [symbol] = symbols;
    if (symbols.size === 1 && symbol !== undefined && having.length > 1) {
      this.#addOccurrence(name, symbol);
    }
    const lacks = (sources: readonly FromSource[]): boolean =>
      sources.length > 0 && sources.every(({ shape }) => shape.complete && shape.find(key) === undefined);
    if (!name.missing && (lacks(left) || lacks(right))) {
      this.#report({ code: 'unknown-column', reason: 'no-column', name, scope, path: [name] });
    }
  }

  #resolveQualifier(qualifier: readonly SqlName[], scope: Scope): FromSource | undefined {
    const name = joinPath(qualifier);
    if (name === undefined) {
      return undefined;
    }
    const found = findSource(scope, qualifier);
    if (found === undefined) {
      this.#reportUnknownQualifier(qualifier, name, scope);
      return undefined;
    }
    const { source } = found;
    const symbol = source.alias ?? (source.target.kind === 'derived' ? undefined : source.target);
    if (symbol !== undefined && symbol.kind !== 'unknown') {
      this.#addOccurrence(toNameKey(name.text) === source.key ? name : (qualifier.at(-1) ?? name), symbol);
    }
    return source;
  }

  #reportUnknownQualifier(path: readonly SqlName[], name: SqlName, scope: Scope): void {
    const key = toNameKey(name.text);
    const hidden = getScopeChain(scope).flatMap((at) => at.names.findAliased(key));
    const reason = hidden.length > 0 ? 'hidden-by-alias' : 'not-in-scope';
    this.#report({ code: 'unknown-table', reason, name, scope, path, sources: hidden });
  }

  #resolveColumn(
    ref: ColumnRef,
    scope: Scope,
    outputs: readonly SourceShape[],
    options: ResolveOptions & { lenient: boolean },
  ): void {
    const { path } = ref;
    const name = path.at(-1);
    if (name === undefined) {
      return;
    }
    if (path.length > 1) {
      this.#resolveQualified(path, name, scope);
      return;
    }
    if (name.missing) {
      return;
    }
    const key = toNameKey(name.text);
    const output = outputs.map((shape) => shape.find(key)).find((column) => column !== undefined);
    if (options.outputsFirst === true && output !== undefined) {
      this.#addOccurrenceIfKnown(name, output.symbol);
      return;
    }
    this.#resolveUnqualified(ref, name, lookUpColumn(scope, path), scope, {
      ...options,
      output: output?.symbol,
      hasOutput: output !== undefined,
    });
  }

  #resolveUnqualified(
    ref: ColumnRef,
    name: SqlName,
    found: ColumnLookup,
    scope: Scope,
    options: ResolveOptions & { lenient: boolean; output: SqlSymbol | undefined; hasOutput: boolean },
  ): void {
    const key = toNameKey(name.text);
    if (found.column !== undefined) {
      const sources = found.having;
      if (sources.length === 1) {
        this.#addOccurrenceIfKnown(name, found.column.symbol, scope);
      } else if (isMergedInScopes(scope, key)) {
        this.#deps.merged.push({ name, sources });
      } else {
        this.#report({ code: 'ambiguous-column', reason: 'several', name, scope, path: ref.path, sources });
      }
      return;
    }
    if (options.hasOutput) {
      this.#addOccurrenceIfKnown(name, options.output);
    } else if (!found.unsure && !isNonColumnWord(name, options.lenient)) {
      this.#reportUnknownColumn(ref, name, scope, options.tooEarly);
    }
  }

  #reportUnknownColumn(ref: ColumnRef, name: SqlName, scope: Scope, tooEarly: SourceShape | undefined): void {
    const later = tooEarly?.find(toNameKey(name.text));
    if (later !== undefined) {
      this.#addOccurrenceIfKnown(name, later.symbol);
    }
    const reason = later === undefined ? 'no-column' : 'alias-too-early';
    this.#report({ code: 'unknown-column', reason, name, scope, path: ref.path, sources: scope.sources });
  }

  #resolveQualified(path: readonly SqlName[], name: SqlName, scope: Scope): void {
    const first = path[0];
    if (first === undefined || (first.missing && path.length === 2)) {
      return;
    }
    const source = this.#resolveQualifier(path.slice(0, -1), scope);
    if (source === undefined || name.missing) {
      return;
    }
    const column = source.shape.find(toNameKey(name.text), name.text);
    if (column !== undefined) {
      this.#addOccurrenceIfKnown(name, column.symbol);
    } else if (source.shape.complete) {
      this.#report({ code: 'unknown-column', reason: 'no-column', name, scope, path, sources: [source] });
    }
  }

  #addOccurrenceIfKnown(name: SqlName, symbol: SqlSymbol | undefined, bareIn?: Scope): void {
    if (symbol !== undefined) {
      this.#addOccurrence(name, symbol, bareIn);
    }
  }

  #addOccurrence(name: SqlName, symbol: SqlSymbol, scope?: Scope): void {
    if (!name.missing) {
      this.#deps.occurrences.push({ name, symbol, declares: false, scope });
    }
  }

  #report(
    problem: Pick<NameProblem, 'code' | 'reason' | 'scope' | 'path'> & {
      name: SqlName;
      sources?: readonly FromSource[];
    },
  ): void {
    const { name, sources = [], ...rest } = problem;
    if (name.missing || name.open) {
      return;
    }
    const severity = problem.reason === 'alias-too-early' ? 'warning' : 'error';
    this.#deps.problems.push({
      ...rest,
      severity,
      name: name.text,
      start: name.start,
      end: name.end,
      sources,
    });
  }
}

/** True for an unquoted word that may be something other than a column: a unit or type, or a variable of the engine. */
function isNonColumnWord({ quote, text }: SqlName, isInCall: boolean): boolean {
  return quote === '' && (/^[@$]/.test(text) || (isInCall && isPossibleUnit(text)));
}

function isMergedInScopes(scope: Scope, key: string): boolean {
  return getScopeChain(scope).some((at) => at.names.isMerged(key));
}

/** Joins a dotted path into one name with the range of the whole path; `undefined` if part of it is missing. */
function joinPath(path: readonly SqlName[]): SqlName | undefined {
  const first = path[0];
  const last = path.at(-1);
  if (first === undefined || last === undefined || path.some(({ missing }) => missing)) {
    return undefined;
  }
  if (path.length === 1) {
    return first;
  }
  return {
    ...first,
    text: path.map(({ text }) => text).join('.'),
    end: last.end,
    open: last.open,
    quote: '',
  };
}
