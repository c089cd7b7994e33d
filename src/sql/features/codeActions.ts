import { assertNever } from '../../base/assertNever.ts';
import { expandStar } from '../completion/columnDrafts.ts';
import type { ExpressionContext } from '../context.ts';
import { parseInContext } from '../parsing.ts';
import { needsQuotes, formatSqlName } from '../quoting.ts';
import type { TextEdit } from '../../base/textEdit.ts';
import { findClosestNames } from '../../base/similarNames.ts';
import { getScopeChain } from '../scope/lookup.ts';
import type { Scope } from '../scope/scope.ts';
import type { NameProblem } from '../scope/nameProblem.ts';
import { resolveNames } from '../scope/resolveNames.ts';
import { toNameKey } from '../scope/symbols.ts';
import type { Star } from '../syntax/tree.ts';
import { getQuoteAt } from '../syntax/lexedText.ts';

/** A quick fix or rewrite. `code` and `args` make its title. */
export interface CodeAction {
  readonly code: 'did-you-mean' | 'use-alias' | 'qualify' | 'quote' | 'expand-star' | 'split-name';
  readonly args: readonly string[];
  readonly edits: readonly TextEdit[];
  /** True for the most likely fix. */
  readonly isPreferred: boolean;
}

/** Maximum number of problems, and of stars, for which actions are created. */
const maxItems = 100;

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
  const overlaps = (range: { start: number; end: number }): boolean =>
    range.start <= end && start <= range.end;
  const actions = context.catalog.complete
    ? problems
        .filter(overlaps)
        .slice(0, maxItems)
        .flatMap((problem) => createProblemActions(problem, text, context))
    : [];
  for (const { name } of occurrences.filter((occurrence) => overlaps(occurrence.name))) {
    if (name.quote === '' && !name.text.includes('.') && needsQuotes(name.text)) {
      actions.push(createAction('quote', name, formatSqlName(name.text)));
    }
  }
  for (const { star, scope } of findStars(scopes)
    .filter((starInScope) => overlaps(starInScope.star))
    .slice(0, maxItems)) {
    const needsQualifier = star.qualifier.length > 0 || scope.sources.length > 1;
    const sources =
      star.qualifier.length === 0
        ? scope.sources
        : scope.sources.filter(
            ({ key }) => key === toNameKey(star.qualifier.map((name) => name.text).join('.')),
          );
    const columns = sources.length > 0 ? expandStar(sources, needsQualifier) : undefined;
    if (columns !== undefined) {
      actions.push(createAction('expand-star', star, columns));
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
  range: { start: number; end: number },
  newText: string,
  isPreferred = false,
): CodeAction {
  return {
    code,
    args: [newText],
    edits: [{ start: range.start, end: range.end, newText }],
    isPreferred,
  };
}

function createProblemActions(problem: NameProblem, text: string, context: ExpressionContext): CodeAction[] {
  switch (problem.reason) {
    case 'ambiguous':
      return problem.sources
        .slice(0, maxFixesPerProblem)
        .filter(({ name }) => name !== '')
        .map((source) => {
          const columnText = text.slice(problem.start, problem.end);
          return createAction('qualify', problem, `${formatSqlName(source.name)}.${columnText}`);
        });
    case 'hidden-by-alias':
      return problem.sources
        .slice(0, maxFixesPerProblem)
        .map((source) => createAction('use-alias', problem, formatSqlName(source.name), true));
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
  const scopes = getScopeChain(problem.scope);
  const sources = problem.path.length > 1 ? problem.sources : scopes.flatMap((scope) => scope.sources);
  return sources.flatMap(({ shape }) => shape.columns.map(({ name }) => name)).filter((name) => name !== '');
}

function getScopeSourceNames(scope: Scope | undefined): string[] {
  const scopes = getScopeChain(scope);
  return scopes.flatMap(({ sources }) => sources.map(({ name }) => name)).filter((name) => name !== '');
}

function createSimilarNameActions(
  problem: NameProblem,
  text: string,
  names: readonly string[],
): CodeAction[] {
  const quote = getQuoteAt(text, problem.start);
  return findClosestNames(problem.name, names).map((name, index) =>
    createAction('did-you-mean', problem, formatSqlName(name, quote), index === 0),
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
    const tableKey = candidate.target.kind === 'table' ? toNameKey(candidate.target.table.name) : '';
    return (
      (candidate.key === key || tableKey === key) && candidate.shape.find(toNameKey(column)) !== undefined
    );
  });
  if (source === undefined) {
    return [];
  }
  const newText = `${formatSqlName(source.name)}.${formatSqlName(column, '[')}`;
  return [createAction('split-name', problem, newText, true)];
}
