import type { FromItem, Name } from '../syntax/tree.ts';
import type { OutColumn } from './catalogIndex.ts';
import type { Scope, Source } from './model.ts';
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
      at.sources.find(({ key }) => key === whole) ??
      (qualifier.length > 1
        ? at.sources.find(({ key, alias }) => key === last && alias === undefined)
        : undefined);
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
  /** More than one source of the same scope has the column. */
  readonly rivals: readonly Source[];
  /** The name may exist although it was not found: a source is not fully known. */
  readonly unsure: boolean;
}

const NOTHING: Found = { source: undefined, column: undefined, rivals: [], unsure: false };

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
    return { source: found.source, column, rivals: [], unsure: column === undefined && !shape.complete };
  }
  return lookUpBare(scope, name.text);
}

function lookUpBare(scope: Scope, name: string): Found {
  const key = keyOf(name);
  let unsure = false;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const having = at.sources.filter((source) => source.shape.find(key) !== undefined);
    const first = having[0];
    if (first !== undefined) {
      // A column found further out may be hidden by one of a source that is not fully known.
      return unsure
        ? { ...NOTHING, unsure }
        : { source: first, column: first.shape.find(key, name), rivals: having.slice(1), unsure: false };
    }
    unsure = unsure || at.sources.some(({ shape }) => !shape.complete);
  }
  return { ...NOTHING, unsure };
}

/** Column names that USING or NATURAL makes one of: they are never ambiguous. */
export function isMerged(scope: Scope, key: string): boolean {
  return itemsOf(scope.select?.from ?? []).some((item) => {
    if (item.join?.natural === true) {
      return true;
    }
    return item.using.some((name) => keyOf(name.text) === key);
  });
}

function itemsOf(items: readonly FromItem[]): readonly FromItem[] {
  return items.flatMap((item) =>
    item.source.kind === 'group' ? [item, ...itemsOf(item.source.items)] : [item],
  );
}

/** A scope and those around it, the nearest first. */
export function chain(scope: Scope): Scope[] {
  const scopes: Scope[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    scopes.push(at);
  }
  return scopes;
}
