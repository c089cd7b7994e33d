import type { CteEnvironment, Scope } from '../scope/model.ts';
import type { ScopeBuilder } from '../scope/scopes.ts';
import type { CaretHints } from '../syntax/hints.ts';
import type { SqlQuery } from '../syntax/tree.ts';

/** The scope and the names that are visible at the caret. */
export interface CaretScope {
  readonly scope: Scope | undefined;
  readonly env: CteEnvironment;
  /** The innermost query, for the columns that its ORDER BY sees. */
  readonly query: SqlQuery | undefined;
  readonly outer: Scope | undefined;
}

/** Builds only the scopes on the path from the whole text down to the caret. */
export function getScopeAtCaret(hints: CaretHints, scopes: ScopeBuilder): CaretScope {
  let env = scopes.rootEnv;
  let outer: Scope | undefined;
  let scope: Scope | undefined;
  let query: SqlQuery | undefined;
  for (const node of hints.open) {
    if (node.kind === 'select') {
      scope = scopes.getScope(node, env, outer);
      continue;
    }
    const parent = query;
    query = node;
    if (node.role === 'cte') {
      const cte = parent?.ctes.find((candidate) => candidate.query === node);
      const entry = cte === undefined ? undefined : scopes.getCteEntry(cte);
      ({ env, outer } = entry ?? { env, outer });
    } else if (node.role === 'derived') {
      outer = scope === undefined ? outer : scope.parent;
    } else if (node.role !== 'arm') {
      outer = scope ?? outer;
    }
    env = scopes.enterQuery(node, env, outer);
    scope = undefined;
  }
  return { scope, env, query, outer };
}

/** Returns the names of the visible CTEs, nearest first. One can name itself only after RECURSIVE. */
export function getVisibleCtes(env: CteEnvironment, hints: CaretHints): string[] {
  const names: string[] = [];
  const around = new Set(
    hints.open
      .flatMap((node) => (node.kind === 'query' && !node.recursive ? node.ctes : []))
      .filter(({ query }) => query !== undefined && hints.open.includes(query)),
  );
  for (let at: CteEnvironment | undefined = env; at !== undefined; at = at.parent) {
    const symbol = at.entry?.symbol;
    if (symbol !== undefined && symbol.name.text !== '' && !around.has(symbol.cte)) {
      names.push(symbol.name.text);
    }
  }
  return names;
}
