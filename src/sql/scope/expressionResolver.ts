import type { Call, ColumnRef, Expr, FromItem, Name, Query, WindowSpec } from '../syntax/tree.ts';
import { exprChildren, windowChildren } from '../syntax/walk.ts';
import type { Shape } from './catalogIndex.ts';
import type { NameProblem } from './problems.ts';
import { chain, type Found, findSource, lookUp } from './lookup.ts';
import type { MergedName } from './merged.ts';
import type { Scope } from './model.ts';
import type { Source, Target } from './source.ts';
import type { ScopeBuilder } from './scopes.ts';
import type { Occurrence } from './occurrence.ts';
import { keyOf, type SqlSymbol } from './symbols.ts';
import { mayBeUnit } from './units.ts';

interface Deps {
  readonly scopes: ScopeBuilder;
  readonly occurrences: Occurrence[];
  readonly problems: NameProblem[];
  readonly merged: MergedName[];
  subSelect(query: Query, scope: Scope): void;
}

interface Options {
  /** Columns of the result come before those of the sources: ORDER BY. */
  readonly outputsFirst?: boolean;
  /** Columns of the result that exist only later: WHERE. */
  readonly tooEarly?: Shape;
}

interface Work {
  readonly expr: Expr;
  readonly scope: Scope;
  /** A bare word here may be a unit or type. */
  readonly lenient: boolean;
}

/** The name of the function whose arguments belong to two tables. */
export function isLookup(call: Pick<Call, 'name'>): boolean {
  return call.name.text.toUpperCase() === 'LOOKUP';
}

/** Resolves the names inside expressions, without recursion. */
export class ExpressionResolver {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** `outputs` are the columns of the result that can be named here as well. */
  resolve(root: Expr, scope: Scope, outputs: readonly Shape[], options: Options = {}): void {
    const stack: Work[] = [{ expr: root, scope, lenient: false }];
    for (let work = stack.pop(); work !== undefined; work = stack.pop()) {
      const { expr, scope: at, lenient } = work;
      if (expr.kind === 'column') {
        this.#column(expr, at, outputs, { ...options, lenient });
      } else if (expr.kind === 'star') {
        this.#qualifier(expr.qualifier, at);
      } else if (expr.kind === 'call' && isLookup(expr) && expr.args.length > 0) {
        this.#lookupCall(expr, at, stack);
      } else {
        this.#push(expr, at, stack);
      }
    }
  }

  #push(expr: Expr, scope: Scope, stack: Work[]): void {
    const lenient = expr.kind === 'call';
    for (const child of exprChildren(expr)) {
      if (child.kind === 'query') {
        this.#deps.subSelect(child, scope);
      } else if (child.kind !== 'select' && child.kind !== 'set' && child.kind !== 'values') {
        stack.push({ expr: child, scope, lenient });
      }
    }
  }

  window(spec: WindowSpec, scope: Scope): void {
    for (const expr of windowChildren(spec)) {
      this.resolve(expr, scope, []);
    }
  }

  /** `Lookup(table, result, local key, remote key)`: the second and fourth belong to the table named first. */
  #lookupCall(call: Call, scope: Scope, stack: Work[]): void {
    const [table, ...rest] = call.args;
    let remote: Scope | undefined;
    if (table?.kind === 'column') {
      const found = this.#deps.scopes.tableAt(table.path);
      this.#table(table.path, found?.symbol ?? { kind: 'unknown' }, scope);
      remote = found === undefined ? undefined : this.#deps.scopes.tableScope(found.symbol.table.name);
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

  /** A table named in FROM. The expression of a column sees its own table alone; others it reaches by Lookup. */
  table(path: readonly Name[], target: Target, scope: Scope): void {
    this.#table(path, target, scope);
    const name = joinedName(path);
    if (target.kind === 'table' && name !== undefined && !this.#deps.scopes.isSeen(target.table)) {
      this.#report({ code: 'unknown-table', reason: 'other-table', name, scope, path });
    }
  }

  /** A table named in FROM or as the first argument of Lookup. */
  #table(path: readonly Name[], target: Target, scope: Scope): void {
    const name = joinedName(path);
    if (name === undefined) {
      return;
    }
    if (target.kind === 'table' || target.kind === 'cte') {
      const isWhole =
        path.length === 1 || (target.kind === 'table' && keyOf(target.table.name) === keyOf(name.text));
      this.#note(isWhole ? name : (path.at(-1) ?? name), target);
    } else if (target.kind === 'unknown') {
      this.#report({ code: 'unknown-table', reason: 'no-table', name, scope, path });
    }
  }

  /** A column of USING: the joined source must have it, and one of those before. */
  using(name: Name, scope: Scope, joined: FromItem): void {
    const key = keyOf(name.text);
    const position = scope.sources.findIndex(({ item }) => item === joined);
    const right = scope.sources.slice(position, position + 1);
    const left = scope.sources.slice(0, Math.max(0, position));
    const having = [...left, ...right].filter(({ shape }) => shape.find(key) !== undefined);
    this.#deps.merged.push({ name, sources: having });
    const symbols = new Set(having.map(({ shape }) => shape.find(key)?.symbol));
    const [symbol] = symbols;
    if (symbols.size === 1 && symbol !== undefined && having.length > 1) {
      this.#note(name, symbol);
    }
    const lacks = (sources: readonly Source[]): boolean =>
      sources.length > 0 && sources.every(({ shape }) => shape.complete && shape.find(key) === undefined);
    if (!name.missing && (lacks(left) || lacks(right))) {
      this.#report({ code: 'unknown-column', reason: 'no-column', name, scope, path: [name] });
    }
  }

  #qualifier(qualifier: readonly Name[], scope: Scope): Source | undefined {
    const name = joinedName(qualifier);
    if (name === undefined) {
      return undefined;
    }
    const found = findSource(scope, qualifier);
    if (found === undefined) {
      this.#unknownQualifier(qualifier, name, scope);
      return undefined;
    }
    const { source } = found;
    const symbol = source.alias ?? (source.target.kind === 'derived' ? undefined : source.target);
    if (symbol !== undefined && symbol.kind !== 'unknown') {
      this.#note(keyOf(name.text) === source.key ? name : (qualifier.at(-1) ?? name), symbol);
    }
    return source;
  }

  #unknownQualifier(path: readonly Name[], name: Name, scope: Scope): void {
    const key = keyOf(name.text);
    const hidden = chain(scope).flatMap((at) => at.names.aliased(key));
    const reason = hidden.length > 0 ? 'hidden-by-alias' : 'not-in-scope';
    this.#report({ code: 'unknown-table', reason, name, scope, path, sources: hidden });
  }

  #column(
    ref: ColumnRef,
    scope: Scope,
    outputs: readonly Shape[],
    options: Options & { lenient: boolean },
  ): void {
    const { path } = ref;
    const name = path.at(-1);
    if (name === undefined) {
      return;
    }
    if (path.length > 1) {
      this.#qualified(path, name, scope);
      return;
    }
    if (name.missing) {
      return;
    }
    const key = keyOf(name.text);
    const output = outputs.map((shape) => shape.find(key)).find((column) => column !== undefined);
    if (options.outputsFirst === true && output !== undefined) {
      this.#noteMaybe(name, output.symbol);
      return;
    }
    this.#bare(ref, name, lookUp(scope, path), scope, {
      ...options,
      output: output?.symbol,
      hasOutput: output !== undefined,
    });
  }

  #bare(
    ref: ColumnRef,
    name: Name,
    found: Found,
    scope: Scope,
    options: Options & { lenient: boolean; output: SqlSymbol | undefined; hasOutput: boolean },
  ): void {
    const key = keyOf(name.text);
    if (found.column !== undefined) {
      const sources = found.having;
      if (sources.length === 1) {
        this.#noteMaybe(name, found.column.symbol, scope);
      } else if (isMergedSomewhere(scope, key)) {
        this.#deps.merged.push({ name, sources });
      } else {
        this.#report({ code: 'ambiguous-column', reason: 'several', name, scope, path: ref.path, sources });
      }
      return;
    }
    if (options.hasOutput) {
      this.#noteMaybe(name, options.output);
    } else if (!found.unsure && !isOther(name, options.lenient)) {
      this.#unknownColumn(ref, name, scope, options.tooEarly);
    }
  }

  #unknownColumn(ref: ColumnRef, name: Name, scope: Scope, tooEarly: Shape | undefined): void {
    const later = tooEarly?.find(keyOf(name.text));
    if (later !== undefined) {
      this.#noteMaybe(name, later.symbol);
    }
    const reason = later === undefined ? 'no-column' : 'alias-too-early';
    this.#report({ code: 'unknown-column', reason, name, scope, path: ref.path, sources: scope.sources });
  }

  #qualified(path: readonly Name[], name: Name, scope: Scope): void {
    const first = path[0];
    if (first === undefined || (first.missing && path.length === 2)) {
      return;
    }
    const source = this.#qualifier(path.slice(0, -1), scope);
    if (source === undefined || name.missing) {
      return;
    }
    const column = source.shape.find(keyOf(name.text), name.text);
    if (column !== undefined) {
      this.#noteMaybe(name, column.symbol);
    } else if (source.shape.complete) {
      this.#report({ code: 'unknown-column', reason: 'no-column', name, scope, path, sources: [source] });
    }
  }

  #noteMaybe(name: Name, symbol: SqlSymbol | undefined, bareIn?: Scope): void {
    if (symbol !== undefined) {
      this.#note(name, symbol, bareIn);
    }
  }

  #note(name: Name, symbol: SqlSymbol, scope?: Scope): void {
    if (!name.missing) {
      this.#deps.occurrences.push({ name, symbol, declares: false, scope });
    }
  }

  #report(
    problem: Pick<NameProblem, 'code' | 'reason' | 'scope' | 'path'> & {
      name: Name;
      sources?: readonly Source[];
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

/** A bare word that need not be a column: a unit in a call, or a variable of the engine. */
function isOther({ quote, text }: Name, isInCall: boolean): boolean {
  return quote === '' && (/^[@$]/.test(text) || (isInCall && mayBeUnit(text)));
}

function isMergedSomewhere(scope: Scope, key: string): boolean {
  return chain(scope).some((at) => at.names.merges(key));
}

/** A dotted path as one name that covers it all; `undefined` when part of it is missing. */
function joinedName(path: readonly Name[]): Name | undefined {
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
