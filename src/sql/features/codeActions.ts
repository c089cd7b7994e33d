import { assertNever } from '../../base/assertNever.ts';
import { expandStar, formatSourceTitle } from '../completion/columns.ts';
import type { ExpressionContext } from '../context.ts';
import { parseInContext } from '../parsing.ts';
import { needsQuotes, writeName } from '../quoting.ts';
import type { TextEdit } from '../../base/textEdit.ts';
import { findClosestNames } from '../../base/similarNames.ts';
import { getScopeChain } from '../scope/lookup.ts';
import type { Scope } from '../scope/model.ts';
import type { NameProblem } from '../scope/problems.ts';
import { resolveNames } from '../scope/resolve.ts';
import { toNameKey } from '../scope/symbols.ts';
import type { Star } from '../syntax/tree.ts';
import { quoteAt } from '../syntax/tokens.ts';

/** A quick fix or rewrite. `args` are the placeholder values for its translated title. */
export interface CodeAction {
  readonly code: 'did-you-mean' | 'use-alias' | 'qualify' | 'quote' | 'expand-star' | 'split-name';
  readonly title: string;
  readonly args: readonly string[];
  readonly edits: readonly TextEdit[];
  /** True for the most likely fix. */
  readonly preferred: boolean;
}

/** Maximum number of problems, and of stars, for which actions are created. */
const maxProblems = 100;

/** Maximum number of fixes for one problem. */
const maxFixesPerProblem = 20;

/** Returns the quick fixes and rewrites for a range. */
export function codeActionsAt(
  text: string,
  start: number,
  end: number,
  context: ExpressionContext,
): readonly CodeAction[] {
  const tree = parseInContext(text, context);
  const { problems, occurrences, scopes } = resolveNames(tree, context);
  const touches = (range: { start: number; end: number }): boolean =>
    range.start <= end && start <= range.end;
  const actions = context.catalog.complete
    ? problems
        .filter(touches)
        .slice(0, maxProblems)
        .flatMap((problem) => createProblemActions(problem, text, context))
    : [];
  for (const { name } of occurrences.filter((occurrence) => touches(occurrence.name))) {
    if (name.quote === '' && !name.text.includes('.') && needsQuotes(name.text)) {
      actions.push(createAction('quote', `Write as ${writeName(name.text)}`, name, writeName(name.text)));
    }
  }
  for (const { star, scope } of findStars(scopes)
    .filter((found) => touches(found.star))
    .slice(0, maxProblems)) {
    const qualify = star.qualifier.length > 0 || scope.sources.length > 1;
    const sources =
      star.qualifier.length === 0
        ? scope.sources
        : scope.sources.filter(
            ({ key }) => key === toNameKey(star.qualifier.map((name) => name.text).join('.')),
          );
    const columns = sources.length > 0 ? expandStar(sources, qualify) : undefined;
    if (columns !== undefined) {
      actions.push(createAction('expand-star', 'Expand * to all columns', star, columns));
    }
  }
  return actions;
}

/** Returns all `*` in select lists, with their scopes. */
function findStars(scopes: readonly Scope[]): { star: Star; scope: Scope }[] {
  return scopes.flatMap((scope) =>
    (scope.select?.items ?? []).flatMap(({ expr }) => (expr.kind === 'star' ? [{ star: expr, scope }] : [])),
  );
}

function createAction(
  code: CodeAction['code'],
  title: string,
  at: { start: number; end: number },
  newText: string,
  preferred = false,
): CodeAction {
  return { code, title, args: [newText], edits: [{ start: at.start, end: at.end, newText }], preferred };
}

function createProblemActions(problem: NameProblem, text: string, context: ExpressionContext): CodeAction[] {
  switch (problem.reason) {
    case 'several':
      return problem.sources
        .slice(0, maxFixesPerProblem)
        .filter(({ name }) => name !== '')
        .map((source) => {
          const written = text.slice(problem.start, problem.end);
          const title = `Take it from ${formatSourceTitle(source)}`;
          return createAction('qualify', title, problem, `${writeName(source.name)}.${written}`);
        });
    case 'hidden-by-alias':
      return problem.sources
        .slice(0, maxFixesPerProblem)
        .map((source) =>
          createAction('use-alias', `Use the alias ${source.name}`, problem, writeName(source.name), true),
        );
    case 'no-column':
      return [
        ...createSplitNameActions(problem),
        ...createSimilarNameActions(problem, text, getColumnNames(problem)),
      ];
    case 'no-table':
      return createSimilarNameActions(
        problem,
        text,
        context.catalog.tables.map(({ name }) => name),
      );
    case 'not-in-scope':
      return createSimilarNameActions(problem, text, getScopeSourceNames(problem.scope));
    case 'other-table':
    case 'alias-too-early':
    case 'alias-twice':
    case 'cte-twice':
    case 'output-twice':
      return [];
    default:
      return assertNever(problem.reason);
  }
}

function getColumnNames(problem: NameProblem): string[] {
  const scopes = problem.scope === undefined ? [] : getScopeChain(problem.scope);
  const sources = problem.path.length > 1 ? problem.sources : scopes.flatMap((scope) => scope.sources);
  return sources.flatMap(({ shape }) => shape.columns.map(({ name }) => name)).filter((name) => name !== '');
}

function getScopeSourceNames(scope: Scope | undefined): string[] {
  const scopes = scope === undefined ? [] : getScopeChain(scope);
  return scopes.flatMap(({ sources }) => sources.map(({ name }) => name)).filter((name) => name !== '');
}

function createSimilarNameActions(
  problem: NameProblem,
  text: string,
  names: readonly string[],
): CodeAction[] {
  const quote = quoteAt(text, problem.start);
  return findClosestNames(problem.name, names).map((name, position) =>
    createAction('did-you-mean', `Did you mean ${name}?`, problem, writeName(name, quote), position === 0),
  );
}

/** Proposes `[Orders].[Amount]` for `[Orders.Amount]`. */
function createSplitNameActions(problem: NameProblem): CodeAction[] {
  const dot = problem.name.indexOf('.');
  if (dot < 0 || problem.path.length > 1 || problem.scope === undefined) {
    return [];
  }
  const key = toNameKey(problem.name.slice(0, dot));
  const column = problem.name.slice(dot + 1);
  const source = problem.scope.sources.find((candidate) => {
    const own = candidate.target.kind === 'table' ? toNameKey(candidate.target.table.name) : '';
    return (candidate.key === key || own === key) && candidate.shape.find(toNameKey(column)) !== undefined;
  });
  if (source === undefined) {
    return [];
  }
  const newText = `${writeName(source.name)}.${writeName(column, '[')}`;
  return [createAction('split-name', `Write as ${newText}`, problem, newText, true)];
}
