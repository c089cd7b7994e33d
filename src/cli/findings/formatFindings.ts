import type { Finding, FindingSeverity } from '../../project/validate/finding.ts';
import { formatJUnit, type JUnitCase } from '../junit.ts';
import { formatWorkflowCommand } from '../workflowCommand.ts';

/**
 * Formats a finding as one line, even if names in its message contain line breaks:
 * `path:line:column: error: message (code)`.
 */
export const formatFinding = ({ path, line, column, severity, message, code }: Finding): string =>
  `${path}:${line}:${column}: ${severity}: ${message} (${code})`.replaceAll(/[\r\n]+/g, ' ');

const annotationLevels = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
} as const satisfies Readonly<Record<FindingSeverity, string>>;

/** Formats a finding as a command of GitHub Actions, which shows it next to its line. */
export const formatFindingAnnotation = ({ path, line, column, severity, message, code }: Finding): string =>
  formatWorkflowCommand(annotationLevels[severity], { file: path, line, col: column, title: code }, message);

/**
 * Formats a JUnit report with a test case for each file that has findings. It fails if one of them is an error. Without
 * findings, there is one test case, because CI servers take an empty report for a mistake.
 */
export function formatFindingsJUnit(findings: readonly Finding[]): string {
  const cases = [...Map.groupBy(findings, ({ path }) => path)].map(([path, found]) =>
    createTestCase(path, found),
  );
  return formatJUnit('validate', cases.length > 0 ? cases : [{ className, name: 'All files' }]);
}

const className = 'datamodel-studio.validate';

function createTestCase(path: string, findings: readonly Finding[]): JUnitCase {
  const lines = findings.map(formatFinding).join('\n');
  const [firstError, ...otherErrors] = findings.filter(({ severity }) => severity === 'error');
  if (firstError === undefined) {
    return { className, name: path, file: path, output: lines };
  }
  const more = otherErrors.length === 0 ? '' : ` (and ${otherErrors.length} more)`;
  return {
    className,
    name: path,
    file: path,
    problem: {
      kind: 'failure',
      type: firstError.code,
      message: `${firstError.line}:${firstError.column}: ${firstError.message}${more}`,
      details: lines,
    },
  };
}
