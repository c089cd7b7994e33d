import type { Name } from '../syntax/tree.ts';
import type { OutColumn } from './catalogIndex.ts';
import type { Scope } from './model.ts';
import type { Source } from './source.ts';
import { keyOf } from './symbols.ts';

/** The nearest source that a qualifier names, in the scope or around it. */
export function findSource(
  scope: Scope,
  qualifier: readonly Name[],
): { source: Source; scope: Scope } | undefined {
  const whole = keyOf(qualifier.map((name) => name.text).join('.'));
  const last = keyOf(qualifier.at(-1)?.text ?? '');
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const source =
      at.names.named(whole) ?? (qualifier.length > 1 ? at.names.namedWithoutAlias(last) : undefined);
    if (source !== undefined) {
      return { source, scope: at };
    }
  }
  return undefined;
}

/** What was found for a column reference. */
export interface Found {
  readonly source: Source | undefined;
  readonly column: OutColumn | undefined;
  /** The sources of the same scope that have the column; more than one where the name alone does not tell which. */
  readonly having: readonly Source[];
  /** The name may exist although it was not found: a source is not fully known. */
  readonly unsure: boolean;
}

const NOTHING: Found = { source: undefined, column: undefined, having: [], unsure: false };

/** Looks a column reference up. A qualified one whose qualifier is not in scope finds no source. */
export function lookUp(scope: Scope, path: readonly Name[]): Found {
  const name = path.at(-1);
  if (name === undefined) {
    return NOTHING;
  }
  if (path.length > 1) {
    const found = findSource(scope, path.slice(0, -1));
    if (found === undefined) {
      return NOTHING;
    }
    const { shape } = found.source;
    const column = shape.find(keyOf(name.text), name.text);
    return {
      source: found.source,
      column,
      having: [found.source],
      unsure: column === undefined && !shape.complete,
    };
  }
  return lookUpBare(scope, name.text);
}

function lookUpBare(scope: Scope, name: string): Found {
  const key = keyOf(name);
  let unsure = false;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const having = at.names.having(key);
    const [first] = having;
    if (first !== undefined) {
      // A column found further out may be hidden by one of a source that is not fully known.
      return unsure
        ? { ...NOTHING, unsure }
        : { source: first, column: first.shape.find(key, name), having, unsure: false };
    }
    unsure = unsure || !at.names.isComplete;
  }
  return { ...NOTHING, unsure };
}

/** A scope and those around it, the nearest first. */
export function chain(scope: Scope): Scope[] {
  const scopes: Scope[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    scopes.push(at);
  }
  return scopes;
}
