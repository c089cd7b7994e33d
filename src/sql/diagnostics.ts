import { lowerBound } from '../base/lowerBound.ts';
import { CascadingErrorFilter } from './cascadingErrors.ts';
import type { ExpressionContext } from './context.ts';
import { parseInContext } from './parsing.ts';
import type { FromSource } from './scope/source.ts';
import type { NameProblem } from './scope/nameProblem.ts';
import { resolveNames } from './scope/resolveNames.ts';
import type { SqlSyntaxError } from './syntax/tree.ts';

export type DiagnosticSeverity = 'error' | 'warning' | 'information';

/** A problem in a text. `formatSqlProblem` turns `reason` and `args` into a message. */
export interface Diagnostic {
  readonly code: 'syntax' | NameProblem['code'];
  readonly severity: DiagnosticSeverity;
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

function createSyntaxDiagnostic({ start, end, reason, detail }: SqlSyntaxError): Diagnostic {
  return {
    code: 'syntax',
    // Only a warning: the text was not parsed and may be correct.
    severity: reason === 'too-long' ? 'warning' : 'error',
    start,
    end,
    reason,
    args: [detail],
  };
}

function createNameDiagnostic(problem: NameProblem): Diagnostic {
  const { code, severity, start, end, reason, name } = problem;
  // The quick fix for a name hidden by an alias inserts only the alias.
  const sources = getSourceNames(problem.sources, reason === 'hidden-by-alias' ? getName : formatSource);
  // A column that none of several tables has is simply unknown.
  const isUnknown = reason === 'no-column' && sources.length > 1;
  return { code, severity, start, end, reason, args: [name, isUnknown ? '' : sources.join(', ')] };
}

/** Maximum number of tables listed in a message. */
const maxSourceNames = 10;

function getSourceNames(
  sources: NameProblem['sources'],
  format: (source: FromSource) => string,
): readonly string[] {
  const names: string[] = [];
  for (const source of sources) {
    if (names.length === maxSourceNames) {
      return [...names, '…'];
    }
    if (source.name !== '') {
      names.push(format(source));
    }
  }
  return names;
}

const getName = ({ name }: FromSource): string => name;

/** Returns the name of a source. If it has an alias, the name of its table comes first: `Customers (c)`. */
function formatSource({ name, alias, target }: FromSource): string {
  if (alias === undefined) {
    return name;
  }
  switch (target.kind) {
    case 'table':
      return `${target.table.name} (${name})`;
    case 'cte':
      return `${target.name.text} (${name})`;
    case 'derived':
    case 'unknown':
      return name;
  }
}
