import type { CteEnvironment, Scope } from '../scope/scope.ts';
import type { ScopeBuilder } from '../scope/scopeBuilder.ts';
import type { CaretHints } from '../syntax/caretHints.ts';
import type { SqlQuery } from '../syntax/tree.ts';

/** The scope at the caret and the CTEs that are visible there. */
export interface CaretScope {
  readonly scope: Scope | undefined;
  readonly env: CteEnvironment;
  /** The innermost query; its ORDER BY can use its output columns. */
  readonly query: SqlQuery | undefined;
  /** The scope around the innermost query. */
  readonly outerScope: Scope | undefined;
}

/** Returns the scope at the caret. Builds only the scopes that contain the caret. */
export function getScopeAtCaret(hints: CaretHints, scopeBuilder: ScopeBuilder): CaretScope {
  let env = scopeBuilder.rootEnv;
  let outerScope: Scope | undefined;
  let scope: Scope | undefined;
  let query: SqlQuery | undefined;
  for (const node of hints.enclosingNodes) {
    if (node.kind === 'select') {
      scope = scopeBuilder.getScope(node, env, outerScope);
      continue;
    }
    const parent = query;
    query = node;
    if (node.role === 'cte') {
      const cte = parent?.ctes.find((candidate) => candidate.query === node);
      const entry = cte === undefined ? undefined : scopeBuilder.getCteEntry(cte);
      ({ env, outerScope } = entry ?? { env, outerScope });
    } else if (node.role === 'derived') {
      outerScope = scope === undefined ? outerScope : scope.parent;
    } else if (node.role !== 'set-operand') {
      outerScope = scope ?? outerScope;
    }
    env = scopeBuilder.enterQuery(node, env, outerScope);
    scope = undefined;
  }
  return { scope, env, query, outerScope };
}

/** Returns the names of the visible CTEs, innermost first. A CTE is visible in its own body only after RECURSIVE. */
export function getVisibleCtes(env: CteEnvironment, hints: CaretHints): string[] {
  const names: string[] = [];
  const ctesBeingDefined = new Set(
    hints.enclosingNodes
      .flatMap((node) => (node.kind === 'query' && !node.recursive ? node.ctes : []))
      .filter(({ query }) => query !== undefined && hints.enclosingNodes.includes(query)),
  );
  for (let current: CteEnvironment | undefined = env; current !== undefined; current = current.parent) {
    const symbol = current.entry?.symbol;
    if (symbol !== undefined && symbol.name.text !== '' && !ctesBeingDefined.has(symbol.cte)) {
      names.push(symbol.name.text);
    }
  }
  return names;
}
