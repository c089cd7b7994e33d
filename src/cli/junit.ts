import { escapeXml } from '../base/escapeXml.ts';

/** A test case of a JUnit report. */
export interface JUnitCase {
  readonly className: string;
  readonly name: string;
  readonly seconds?: number | undefined;
  /** The file that was tested. */
  readonly file?: string;
  /** The output of a successful test case. */
  readonly output?: string;
  /** Absent for a success. `failure`: the tested item is wrong; `error`: it could not be determined whether it is. */
  readonly problem?: {
    readonly kind: 'failure' | 'error' | 'skipped';
    /** A code, for `failure` and `error`. */
    readonly type: string;
    readonly message: string;
    readonly details?: string | undefined;
  };
}

/** Formats a JUnit report with one test suite, as CI servers read it. Ends with a line break. */
export function formatJUnit(suiteName: string, cases: readonly JUnitCase[]): string {
  const count = (kind: string): number => cases.filter(({ problem }) => problem?.kind === kind).length;
  const totals = {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: formatSeconds(cases.reduce((sum, { seconds = 0 }) => sum + seconds, 0)),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${formatAttributes({ name: 'datamodel-studio', ...totals })}>`,
    `  <testsuite${formatAttributes({ name: suiteName, ...totals })}>`,
    ...cases.flatMap(formatCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function formatCase({ className, name, seconds = 0, file, output, problem }: JUnitCase): readonly string[] {
  const start = `    <testcase${formatAttributes({
    classname: className,
    name,
    ...(file === undefined ? {} : { file }),
    time: formatSeconds(seconds),
  })}`;
  if (problem === undefined) {
    return output === undefined
      ? [`${start}/>`]
      : [`${start}>`, `      <system-out>${escapeXml(output)}</system-out>`, '    </testcase>'];
  }
  const { kind, type, message, details = message } = problem;
  const attributes = formatAttributes(kind === 'skipped' ? { message } : { type, message });
  const body = kind === 'skipped' ? '/>' : `>${escapeXml(details)}</${kind}>`;
  return [`${start}>`, `      <${kind}${attributes}${body}`, '    </testcase>'];
}

const formatSeconds = (seconds: number): string => seconds.toFixed(3);

const formatAttributes = (attributes: Readonly<Record<string, string | number>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
