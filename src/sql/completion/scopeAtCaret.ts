import type { Env, Scope } from '../scope/model.ts';
import type { ScopeBuilder } from '../scope/scopes.ts';
import type { CaretHints } from '../syntax/hints.ts';
import type { Query } from '../syntax/tree.ts';

/** What can be named at the caret. */
export interface CaretScope {
  readonly scope: Scope | undefined;
  readonly env: Env;
  /** The innermost query, for the columns that its ORDER BY sees. */
  readonly query: Query | undefined;
  readonly outer: Scope | undefined;
}

/** Builds the scopes on the way from the whole text down to the caret, and no others. */
export function scopeAtCaret(hints: CaretHints, scopes: ScopeBuilder): CaretScope {
  let env = scopes.rootEnv;
  let outer: Scope | undefined;
  let scope: Scope | undefined;
  let query: Query | undefined;
  for (const node of hints.open) {
    if (node.kind === 'select') {
      scope = scopes.scope(node, env, outer);
      continue;
    }
    const parent = query;
    query = node;
    if (node.role === 'cte') {
      const cte = parent?.ctes.find((candidate) => candidate.query === node);
      const entry = cte === undefined ? undefined : scopes.entryOf(cte);
      ({ env, outer } = entry ?? { env, outer });
    } else if (node.role === 'derived') {
      outer = scope === undefined ? outer : scope.parent;
    } else if (node.role !== 'arm') {
      outer = scope ?? outer;
    }
    env = scopes.enter(node, env, outer);
    scope = undefined;
  }
  return { scope, env, query, outer };
}

/** Names of the CTEs that can be named here, nearest first. One names itself only after RECURSIVE. */
export function ctesIn(env: Env, hints: CaretHints): string[] {
  const names: string[] = [];
  const around = new Set(
    hints.open
      .flatMap((node) => (node.kind === 'query' && !node.recursive ? node.ctes : []))
      .filter(({ query }) => query !== undefined && hints.open.includes(query)),
  );
  for (let at: Env | undefined = env; at !== undefined; at = at.parent) {
    const symbol = at.entry?.symbol;
    if (symbol !== undefined && symbol.name.text !== '' && !around.has(symbol.cte)) {
      names.push(symbol.name.text);
    }
  }
  return names;
}
