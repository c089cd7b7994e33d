import { lowerBound } from '../base/lowerBound.ts';
import { assertNever } from '../base/assertNever.ts';
import { CascadingErrorFilter } from './cascadingErrors.ts';
import type { ExpressionContext } from './context.ts';
import { parseInContext } from './parsing.ts';
import type { NameProblem } from './scope/nameProblem.ts';
import { resolveNames } from './scope/resolveNames.ts';
import type { SqlSyntaxError } from './syntax/tree.ts';

export type DiagnosticSeverity = 'error' | 'warning' | 'information';

/** A problem in a text. `reason` and `args` allow callers to translate the message. */
export interface Diagnostic {
  readonly code: 'syntax' | NameProblem['code'];
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  readonly start: number;
  readonly end: number;
  readonly reason: SqlSyntaxError['reason'] | NameProblem['reason'];
  readonly args: readonly string[];
}

/** Returns the problems of a text, sorted by offset. Unknown names are only reported if the catalog is complete. */
export function diagnose(text: string, context: ExpressionContext): readonly Diagnostic[] {
  const tree = parseInContext(text, context);
  const cascadingErrors = new CascadingErrorFilter(tree);
  const diagnostics = cascadingErrors.getRootErrors().map(createSyntaxDiagnostic);
  const { problems } = resolveNames(tree, context);
  const syntaxErrorIndex = new SyntaxErrorIndex(tree.syntaxErrors);
  for (const problem of problems) {
    const isDuplicate = problem.code === 'duplicate-alias';
    if (
      (context.catalog.complete || isDuplicate) &&
      !syntaxErrorIndex.overlaps(problem) &&
      !cascadingErrors.isConsequence(problem)
    ) {
      diagnostics.push(createNameDiagnostic(problem));
    }
  }
  return diagnostics.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Finds names that overlap a syntax error. They are incomplete, and the syntax error is already reported there. */
class SyntaxErrorIndex {
  readonly #starts: readonly number[];
  /** For each sorted error, the maximum end of this error and all errors before it. */
  readonly #ends: readonly number[];

  constructor(syntaxErrors: readonly SqlSyntaxError[]) {
    const sortedErrors = syntaxErrors.toSorted((a, b) => a.start - b.start);
    let furthestEnd = 0;
    this.#starts = sortedErrors.map(({ start }) => start);
    this.#ends = sortedErrors.map(({ end }) => (furthestEnd = Math.max(furthestEnd, end)));
  }

  overlaps({ start, end }: Pick<NameProblem, 'start' | 'end'>): boolean {
    const earlierCount = lowerBound(this.#starts.length, (index) => (this.#starts[index] ?? 0) < end);
    return earlierCount > 0 && (this.#ends[earlierCount - 1] ?? 0) > start;
  }
}

function createSyntaxDiagnostic(syntaxError: SqlSyntaxError): Diagnostic {
  const { start, end, reason, detail } = syntaxError;
  return {
    code: 'syntax',
    // Only a warning: the text was not parsed and may be correct.
    severity: reason === 'too-long' ? 'warning' : 'error',
    message: formatSyntaxMessage(syntaxError),
    start,
    end,
    reason,
    args: [detail],
  };
}

function formatSyntaxMessage({ reason, detail }: SqlSyntaxError): string {
  switch (reason) {
    case 'expected':
      return `${detail} is missing here`;
    case 'expected-expression':
      return 'A value is missing here';
    case 'expected-name':
      return 'A name is missing here';
    case 'expected-table':
      return 'A table is missing here';
    case 'expected-select':
      return 'SELECT is missing here';
    case 'missing-comma':
      return 'A comma is missing here';
    case 'missing-from':
    case 'missing-join':
    case 'missing-on':
      return `${detail} is missing here`;
    case 'unclosed-quote':
      return 'The name is not closed';
    case 'unclosed-string':
      return 'The text is not closed';
    case 'unclosed-comment':
      return 'The comment is not closed';
    case 'unexpected':
      return `Unexpected "${detail}"`;
    case 'second-value':
      return 'A column expression must have exactly one value';
    case 'from-in-column':
      return 'A column expression cannot have a FROM: it reads the columns of its own table';
    case 'too-deep':
      return 'The expression is nested too deeply';
    case 'too-long':
      return `The text is longer than ${detail} characters and was not checked`;
    default:
      return assertNever(reason);
  }
}

function createNameDiagnostic(problem: NameProblem): Diagnostic {
  const { code, severity, start, end, reason, name } = problem;
  const sources = getSourceNames(problem.sources);
  const args = [name, sources.join(', ')];
  return { code, severity, message: formatNameMessage(problem, sources), start, end, reason, args };
}

/** Maximum number of tables listed in a message. */
const maxSourceNames = 10;

function getSourceNames(sources: NameProblem['sources']): readonly string[] {
  const names: string[] = [];
  for (const { name } of sources) {
    if (names.length === maxSourceNames) {
      return [...names, '…'];
    }
    if (name !== '') {
      names.push(name);
    }
  }
  return names;
}

function formatNameMessage({ reason, name }: NameProblem, sources: readonly string[]): string {
  const sourceList = sources.join(', ');
  switch (reason) {
    case 'no-table':
      return `There is no table "${name}"`;
    case 'other-table':
      return `A column expression can only read its own table, not "${name}"`;
    case 'not-in-scope':
      return `"${name}" names no table of this query`;
    case 'hidden-by-alias':
      return `"${name}" has the alias "${sourceList}" here`;
    case 'no-column':
      return sources.length === 1
        ? `"${sourceList}" has no column "${name}"`
        : `There is no column "${name}"`;
    case 'alias-too-early':
      return `"${name}" is a column of the result: WHERE does not know it yet`;
    case 'ambiguous':
      return `"${name}" is a column of ${sources.join(' and of ')}`;
    case 'alias-twice':
      return `"${name}" is already the name of another table in this query`;
    case 'output-twice':
      return `"${name}" is already the name of another column of the result`;
    case 'cte-twice':
      return `"${name}" is already the name of another WITH query`;
    default:
      return assertNever(reason);
  }
}
