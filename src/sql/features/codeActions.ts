import { assertNever } from '../../base/assertNever.ts';
import { expandedStar, sourceTitle } from '../completion/columns.ts';
import type { ExpressionContext } from '../context.ts';
import { parseFor } from '../parsing.ts';
import { needsQuotes, writeName } from '../quoting.ts';
import type { TextEdit } from '../rename/textEdit.ts';
import { closest } from '../../base/similarNames.ts';
import { chain } from '../scope/lookup.ts';
import type { Scope } from '../scope/model.ts';
import type { NameProblem } from '../scope/problems.ts';
import { resolve } from '../scope/resolve.ts';
import { keyOf } from '../scope/symbols.ts';
import type { Star } from '../syntax/tree.ts';
import { quoteAt } from '../syntax/tokens.ts';

/** A change that a person can pick; `args` are the names its title speaks of. */
export interface CodeAction {
  readonly code: 'did-you-mean' | 'use-alias' | 'qualify' | 'quote' | 'expand-star' | 'split-name';
  readonly title: string;
  readonly args: readonly string[];
  readonly edits: readonly TextEdit[];
  /** The fix a person most likely wants. */
  readonly preferred: boolean;
}

/** Of more problems than these nobody asks for the fixes at once. */
const mostAsked = 100;

/** So many fixes of one problem are offered at most. */
const mostOffered = 20;

/** The quick fixes and rewrites for what lies between two offsets. */
export function codeActionsAt(
  text: string,
  start: number,
  end: number,
  context: ExpressionContext,
): readonly CodeAction[] {
  const tree = parseFor(text, context);
  const { problems, occurrences, scopes } = resolve(tree, context);
  const touches = (range: { start: number; end: number }): boolean =>
    range.start <= end && start <= range.end;
  const actions = context.catalog.complete
    ? problems
        .filter(touches)
        .slice(0, mostAsked)
        .flatMap((problem) => problemActions(problem, text, context))
    : [];
  for (const { name } of occurrences.filter((occurrence) => touches(occurrence.name))) {
    if (name.quote === '' && !name.text.includes('.') && needsQuotes(name.text)) {
      actions.push(action('quote', `Write as ${writeName(name.text)}`, name, writeName(name.text)));
    }
  }
  for (const { star, scope } of starsOf(scopes)
    .filter((found) => touches(found.star))
    .slice(0, mostAsked)) {
    const qualify = star.qualifier.length > 0 || scope.sources.length > 1;
    const sources =
      star.qualifier.length === 0
        ? scope.sources
        : scope.sources.filter(({ key }) => key === keyOf(star.qualifier.map((name) => name.text).join('.')));
    const columns = sources.length > 0 ? expandedStar(sources, qualify) : undefined;
    if (columns !== undefined) {
      actions.push(action('expand-star', 'Expand * to all columns', star, columns));
    }
  }
  return actions;
}

/** The `*` of select lists with the scopes they stand in. */
function starsOf(scopes: readonly Scope[]): { star: Star; scope: Scope }[] {
  return scopes.flatMap((scope) =>
    (scope.select?.items ?? []).flatMap(({ expr }) => (expr.kind === 'star' ? [{ star: expr, scope }] : [])),
  );
}

function action(
  code: CodeAction['code'],
  title: string,
  at: { start: number; end: number },
  newText: string,
  preferred = false,
): CodeAction {
  return { code, title, args: [newText], edits: [{ start: at.start, end: at.end, newText }], preferred };
}

function problemActions(problem: NameProblem, text: string, context: ExpressionContext): CodeAction[] {
  switch (problem.reason) {
    case 'several':
      return problem.sources
        .slice(0, mostOffered)
        .filter(({ name }) => name !== '')
        .map((source) => {
          const written = text.slice(problem.start, problem.end);
          const title = `Take it from ${sourceTitle(source)}`;
          return action('qualify', title, problem, `${writeName(source.name)}.${written}`);
        });
    case 'hidden-by-alias':
      return problem.sources
        .slice(0, mostOffered)
        .map((source) =>
          action('use-alias', `Use the alias ${source.name}`, problem, writeName(source.name), true),
        );
    case 'no-column':
      return [...splitName(problem), ...similar(problem, text, columnNames(problem))];
    case 'no-table':
      return similar(
        problem,
        text,
        context.catalog.tables.map(({ name }) => name),
      );
    case 'not-in-scope':
      return similar(problem, text, sourceNames(problem.scope));
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

function columnNames(problem: NameProblem): string[] {
  const scopes = problem.scope === undefined ? [] : chain(problem.scope);
  const sources = problem.path.length > 1 ? problem.sources : scopes.flatMap((scope) => scope.sources);
  return sources.flatMap(({ shape }) => shape.columns.map(({ name }) => name)).filter((name) => name !== '');
}

function sourceNames(scope: Scope | undefined): string[] {
  const scopes = scope === undefined ? [] : chain(scope);
  return scopes.flatMap(({ sources }) => sources.map(({ name }) => name)).filter((name) => name !== '');
}

function similar(problem: NameProblem, text: string, names: readonly string[]): CodeAction[] {
  const quote = quoteAt(text, problem.start);
  return closest(problem.name, names).map((name, position) =>
    action('did-you-mean', `Did you mean ${name}?`, problem, writeName(name, quote), position === 0),
  );
}

/** `[Orders.Amount]` where `[Orders].[Amount]` was meant. */
function splitName(problem: NameProblem): CodeAction[] {
  const dot = problem.name.indexOf('.');
  if (dot < 0 || problem.path.length > 1 || problem.scope === undefined) {
    return [];
  }
  const key = keyOf(problem.name.slice(0, dot));
  const column = problem.name.slice(dot + 1);
  const source = problem.scope.sources.find((candidate) => {
    const own = candidate.target.kind === 'table' ? keyOf(candidate.target.table.name) : '';
    return (candidate.key === key || own === key) && candidate.shape.find(keyOf(column)) !== undefined;
  });
  if (source === undefined) {
    return [];
  }
  const newText = `${writeName(source.name)}.${writeName(column, '[')}`;
  return [action('split-name', `Write as ${newText}`, problem, newText, true)];
}
