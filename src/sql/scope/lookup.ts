import type { SqlName } from '../syntax/tree.ts';
import type { SourceColumn } from './catalogIndex.ts';
import type { Scope } from './model.ts';
import type { FromSource } from './source.ts';
import { toNameKey } from './symbols.ts';

/** Returns the source that a qualifier refers to, in the scope or the nearest enclosing scope that has one. */
export function findSource(
  scope: Scope,
  qualifier: readonly SqlName[],
): { source: FromSource; scope: Scope } | undefined {
  const whole = toNameKey(qualifier.map((name) => name.text).join('.'));
  const last = toNameKey(qualifier.at(-1)?.text ?? '');
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const source =
      at.names.findByName(whole) ?? (qualifier.length > 1 ? at.names.findUnaliased(last) : undefined);
    if (source !== undefined) {
      return { source, scope: at };
    }
  }
  return undefined;
}

/** The result of looking up a column reference. */
export interface ColumnLookup {
  readonly source: FromSource | undefined;
  readonly column: SourceColumn | undefined;
  /** The sources of the same scope that have the column; more than one if the unqualified name is ambiguous. */
  readonly having: readonly FromSource[];
  /** True if the column was not found but may exist, because the columns of a source are not all known. */
  readonly unsure: boolean;
}

const NO_COLUMN: ColumnLookup = { source: undefined, column: undefined, having: [], unsure: false };

/** Looks up a column reference. If it has a qualifier that is not in scope, no source is found. */
export function lookUpColumn(scope: Scope, path: readonly SqlName[]): ColumnLookup {
  const name = path.at(-1);
  if (name === undefined) {
    return NO_COLUMN;
  }
  if (path.length > 1) {
    const found = findSource(scope, path.slice(0, -1));
    if (found === undefined) {
      return NO_COLUMN;
    }
    const { shape } = found.source;
    const column = shape.find(toNameKey(name.text), name.text);
    return {
      source: found.source,
      column,
      having: [found.source],
      unsure: column === undefined && !shape.complete,
    };
  }
  return lookUpUnqualified(scope, name.text);
}

function lookUpUnqualified(scope: Scope, name: string): ColumnLookup {
  const key = toNameKey(name);
  let unsure = false;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const having = at.names.findByColumn(key);
    const [first] = having;
    if (first !== undefined) {
      // An inner source whose columns are not all known may have a column that hides this one.
      return unsure
        ? { ...NO_COLUMN, unsure }
        : { source: first, column: first.shape.find(key, name), having, unsure: false };
    }
    unsure = unsure || !at.names.isComplete;
  }
  return { ...NO_COLUMN, unsure };
}

/** Returns a scope and its enclosing scopes, innermost first. */
export function getScopeChain(scope: Scope): Scope[] {
  const scopes: Scope[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    scopes.push(at);
  }
  return scopes;
}
