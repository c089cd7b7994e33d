import type { CallExpr, ColumnRef, Expr, FromItem, SqlName, SqlQuery, WindowSpec } from '../syntax/tree.ts';
import { getExprChildren, getWindowChildren } from '../syntax/walk.ts';
import type { SourceShape } from './catalogIndex.ts';
import type { NameProblem } from './nameProblem.ts';
import { getScopeChain, type ColumnLookup, findSource, lookUpColumn } from './lookup.ts';
import type { MergedName } from './mergedName.ts';
import type { Scope } from './scope.ts';
import type { FromSource, SourceTarget } from './source.ts';
import type { ScopeBuilder } from './scopeBuilder.ts';
import type { Occurrence } from './occurrence.ts';
import { toNameKey, type SqlSymbol } from './symbols.ts';
import { isPossibleUnitOrType } from './units.ts';

interface ResolverDependencies {
  readonly scopeBuilder: ScopeBuilder;
  readonly occurrences: Occurrence[];
  readonly problems: NameProblem[];
  readonly mergedNames: MergedName[];
  resolveSubSelect(query: SqlQuery, scope: Scope): void;
}

interface ResolveOptions {
  /** True if output columns take precedence over columns of the sources, as in ORDER BY. */
  readonly prefersOutputs?: boolean;
  /** Output columns that cannot be used here, such as in WHERE, because they are computed later. */
  readonly laterOutputs?: SourceShape;
}

interface ResolveWork {
  readonly expr: Expr;
  readonly scope: Scope;
  /** True if an unquoted word may be a unit or a type instead of a column. */
  readonly allowsUnits: boolean;
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
    const stack: ResolveWork[] = [{ expr: root, scope, allowsUnits: false }];
    for (let work = stack.pop(); work !== undefined; work = stack.pop()) {
      const { expr, scope: workScope, allowsUnits } = work;
      if (expr.kind === 'column') {
        this.#resolveColumn(expr, workScope, outputs, { ...options, allowsUnits });
      } else if (expr.kind === 'star') {
        this.#resolveQualifier(expr.qualifier, workScope);
      } else if (expr.kind === 'call' && isLookupCall(expr) && expr.args.length > 0) {
        this.#resolveLookupCall(expr, workScope, stack);
      } else {
        this.#pushChildren(expr, workScope, stack);
      }
    }
  }

  #pushChildren(expr: Expr, scope: Scope, stack: ResolveWork[]): void {
    const allowsUnits = expr.kind === 'call';
    for (const child of getExprChildren(expr)) {
      if (child.kind === 'query') {
        this.#deps.resolveSubSelect(child, scope);
      } else if (child.kind !== 'select' && child.kind !== 'set' && child.kind !== 'values') {
        stack.push({ expr: child, scope, allowsUnits });
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
    const [table, ...columnArgs] = call.args;
    let remoteScope: Scope | undefined;
    if (table?.kind === 'column') {
      const tableEntry = this.#deps.scopeBuilder.findTable(table.path);
      this.#resolveTable(table.path, tableEntry?.symbol ?? { kind: 'unknown' }, scope);
      remoteScope =
        tableEntry === undefined
          ? undefined
          : this.#deps.scopeBuilder.createTableScope(tableEntry.symbol.table.name);
    } else if (table !== undefined) {
      stack.push({ expr: table, scope, allowsUnits: false });
    }
    columnArgs.forEach((expr, position) => {
      const isRemote = position === 0 || position === 2;
      const argumentScope = isRemote ? remoteScope : scope;
      if (argumentScope !== undefined) {
        stack.push({ expr, scope: argumentScope, allowsUnits: false });
      }
    });
  }

  /**
   * Resolves a table in FROM. The expression of a column can use only its own table, and other tables through Lookup.
   */
  resolveFromTable(path: readonly SqlName[], target: SourceTarget, scope: Scope): void {
    this.#resolveTable(path, target, scope);
    const name = joinPath(path);
    if (target.kind === 'table' && name !== undefined && !this.#deps.scopeBuilder.isVisible(target.table)) {
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
      const coversWholePath =
        path.length === 1 ||
        (target.kind === 'table' && toNameKey(target.table.name) === toNameKey(name.text));
      this.#addOccurrence(coversWholePath ? name : (path.at(-1) ?? name), target);
    } else if (target.kind === 'unknown') {
      this.#report({ code: 'unknown-table', reason: 'no-table', name, scope, path });
    }
  }

  /** Resolves a column of USING, which must exist in the joined source and in a source before it. */
  resolveUsing(name: SqlName, scope: Scope, joinedItem: FromItem): void {
    const key = toNameKey(name.text);
    const position = scope.sources.findIndex(({ item }) => item === joinedItem);
    const right = scope.sources.slice(position, position + 1);
    const left = scope.sources.slice(0, Math.max(0, position));
    const sourcesWithColumn = [...left, ...right].filter(({ shape }) => shape.find(key) !== undefined);
    this.#deps.mergedNames.push({ name, sources: sourcesWithColumn });
    const symbols = new Set(sourcesWithColumn.map(({ shape }) => shape.find(key)?.symbol));
    const [symbol] = symbols;
    if (symbols.size === 1 && symbol !== undefined && sourcesWithColumn.length > 1) {
      this.#addOccurrence(name, symbol);
    }
    const isColumnMissingIn = (sources: readonly FromSource[]): boolean =>
      sources.length > 0 && sources.every(({ shape }) => shape.complete && shape.find(key) === undefined);
    if (!name.missing && (isColumnMissingIn(left) || isColumnMissingIn(right))) {
      this.#report({ code: 'unknown-column', reason: 'no-column', name, scope, path: [name] });
    }
  }

  #resolveQualifier(qualifier: readonly SqlName[], scope: Scope): FromSource | undefined {
    const name = joinPath(qualifier);
    if (name === undefined) {
      return undefined;
    }
    const match = findSource(scope, qualifier);
    if (match === undefined) {
      this.#reportUnknownQualifier(qualifier, name, scope);
      return undefined;
    }
    const { source } = match;
    const symbol = source.alias ?? (source.target.kind === 'derived' ? undefined : source.target);
    if (symbol !== undefined && symbol.kind !== 'unknown') {
      this.#addOccurrence(toNameKey(name.text) === source.key ? name : (qualifier.at(-1) ?? name), symbol);
    }
    return source;
  }

  #reportUnknownQualifier(path: readonly SqlName[], name: SqlName, scope: Scope): void {
    const key = toNameKey(name.text);
    const aliasedSources = getScopeChain(scope).flatMap((scopeInChain) =>
      scopeInChain.sourceIndex.findAliased(key),
    );
    const reason = aliasedSources.length > 0 ? 'hidden-by-alias' : 'not-in-scope';
    this.#report({ code: 'unknown-table', reason, name, scope, path, sources: aliasedSources });
  }

  #resolveColumn(
    ref: ColumnRef,
    scope: Scope,
    outputs: readonly SourceShape[],
    options: ResolveOptions & { allowsUnits: boolean },
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
    if (options.prefersOutputs === true && output !== undefined) {
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
    lookup: ColumnLookup,
    scope: Scope,
    options: ResolveOptions & { allowsUnits: boolean; output: SqlSymbol | undefined; hasOutput: boolean },
  ): void {
    const key = toNameKey(name.text);
    if (lookup.column !== undefined) {
      const sources = lookup.sources;
      if (sources.length === 1) {
        this.#addOccurrenceIfKnown(name, lookup.column.symbol, scope);
      } else if (isMergedInScopes(scope, key)) {
        this.#deps.mergedNames.push({ name, sources });
      } else {
        this.#report({ code: 'ambiguous-column', reason: 'ambiguous', name, scope, path: ref.path, sources });
      }
      return;
    }
    if (options.hasOutput) {
      this.#addOccurrenceIfKnown(name, options.output);
    } else if (!lookup.isUncertain && !isNonColumnWord(name, options.allowsUnits)) {
      this.#reportUnknownColumn(ref, name, scope, options.laterOutputs);
    }
  }

  #reportUnknownColumn(
    ref: ColumnRef,
    name: SqlName,
    scope: Scope,
    laterOutputs: SourceShape | undefined,
  ): void {
    const laterColumn = laterOutputs?.find(toNameKey(name.text));
    if (laterColumn !== undefined) {
      this.#addOccurrenceIfKnown(name, laterColumn.symbol);
    }
    const reason = laterColumn === undefined ? 'no-column' : 'alias-too-early';
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

  #addOccurrenceIfKnown(name: SqlName, symbol: SqlSymbol | undefined, scope?: Scope): void {
    if (symbol !== undefined) {
      this.#addOccurrence(name, symbol, scope);
    }
  }

  #addOccurrence(name: SqlName, symbol: SqlSymbol, scope?: Scope): void {
    if (!name.missing) {
      this.#deps.occurrences.push({ name, symbol, isDeclaration: false, scope });
    }
  }

  #report(
    problem: Pick<NameProblem, 'code' | 'reason' | 'scope' | 'path'> & {
      name: SqlName;
      sources?: readonly FromSource[];
    },
  ): void {
    const { name, sources = [], ...details } = problem;
    if (name.missing || name.unclosed) {
      return;
    }
    const severity = problem.reason === 'alias-too-early' ? 'warning' : 'error';
    this.#deps.problems.push({
      ...details,
      severity,
      name: name.text,
      start: name.start,
      end: name.end,
      sources,
    });
  }
}

/** True for an unquoted word that may be something other than a column: a unit or type, or a variable of the engine. */
function isNonColumnWord({ quote, text }: SqlName, allowsUnits: boolean): boolean {
  return quote === '' && (/^[@$]/.test(text) || (allowsUnits && isPossibleUnitOrType(text)));
}

function isMergedInScopes(scope: Scope, key: string): boolean {
  return getScopeChain(scope).some((scopeInChain) => scopeInChain.sourceIndex.isMerged(key));
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
    unclosed: last.unclosed,
    quote: '',
  };
}
