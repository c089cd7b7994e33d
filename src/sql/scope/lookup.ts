import type { SqlName } from '../syntax/tree.ts';
import type { SourceColumn } from './catalogIndex.ts';
import type { Scope } from './scope.ts';
import type { FromSource } from './source.ts';
import { toNameKey } from './symbols.ts';

/** Returns the source that a qualifier refers to, in the scope or the nearest enclosing scope that has one. */
export function findSource(
  scope: Scope,
  qualifier: readonly SqlName[],
): { source: FromSource; scope: Scope } | undefined {
  const fullKey = toNameKey(qualifier.map((name) => name.text).join('.'));
  const lastKey = toNameKey(qualifier.at(-1)?.text ?? '');
  for (let current: Scope | undefined = scope; current !== undefined; current = current.parent) {
    const source =
      current.sourceIndex.findByName(fullKey) ??
      (qualifier.length > 1 ? current.sourceIndex.findUnaliased(lastKey) : undefined);
    if (source !== undefined) {
      return { source, scope: current };
    }
  }
  return undefined;
}

/** The result of looking up a column reference. */
export interface ColumnLookup {
  readonly source: FromSource | undefined;
  readonly column: SourceColumn | undefined;
  /** The sources of the same scope that have the column; more than one if the unqualified name is ambiguous. */
  readonly sources: readonly FromSource[];
  /** True if an unqualified column was not found but may exist, because the columns of a source are not all known. */
  readonly isUncertain: boolean;
}

const NO_COLUMN: ColumnLookup = { source: undefined, column: undefined, sources: [], isUncertain: false };

/** Looks up a column reference. If it has a qualifier that is not in scope, no source is found. */
export function lookUpColumn(scope: Scope, path: readonly SqlName[]): ColumnLookup {
  const name = path.at(-1);
  if (name === undefined) {
    return NO_COLUMN;
  }
  if (path.length > 1) {
    const match = findSource(scope, path.slice(0, -1));
    if (match === undefined) {
      return NO_COLUMN;
    }
    const { shape } = match.source;
    const column = shape.find(toNameKey(name.text), name.text);
    return { ...NO_COLUMN, source: match.source, column, sources: [match.source] };
  }
  return lookUpUnqualified(scope, name.text);
}

function lookUpUnqualified(scope: Scope, name: string): ColumnLookup {
  const key = toNameKey(name);
  let isUncertain = false;
  for (let current: Scope | undefined = scope; current !== undefined; current = current.parent) {
    const sources = current.sourceIndex.findByColumn(key);
    const [first] = sources;
    if (first !== undefined) {
      // An inner source whose columns are not all known may have a column that hides this one.
      return isUncertain
        ? { ...NO_COLUMN, isUncertain }
        : { source: first, column: first.shape.find(key, name), sources, isUncertain: false };
    }
    isUncertain = isUncertain || !current.sourceIndex.isComplete;
  }
  return { ...NO_COLUMN, isUncertain };
}

/** Returns a scope and its enclosing scopes, innermost first; none without a scope. */
export function getScopeChain(scope: Scope | undefined): Scope[] {
  const scopes: Scope[] = [];
  for (let current: Scope | undefined = scope; current !== undefined; current = current.parent) {
    scopes.push(current);
  }
  return scopes;
}
