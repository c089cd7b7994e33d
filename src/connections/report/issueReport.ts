import type { Connection } from '../connection.ts';
import type { ReportedProblem } from './recentProblems.ts';

/** The input of an issue report. */
export interface IssueReportInput {
  /** Versions by component. */
  readonly versions: Readonly<Record<string, string>>;
  /** The names of the settings that the user has changed. */
  readonly changedSettings: readonly string[];
  readonly connections: readonly Pick<Connection, 'kind' | 'role'>[];
  readonly problems: readonly ReportedProblem[];
}

/** The texts of a report, in the language of the user, who reviews it before sending. */
export interface IssueReportLabels {
  readonly title: string;
  readonly note: string;
  readonly questions: string;
  readonly versions: string;
  readonly connections: string;
  readonly settings: string;
  readonly problems: string;
  readonly none: string;
}

/**
 * A report as Markdown. It contains versions, roles, names of settings and kinds of errors; it cannot contain an
 * address, a token, or the name of anything on an instance, since none of them is passed in.
 */
export function formatIssueReport(
  { versions, changedSettings, connections, problems }: IssueReportInput,
  labels: IssueReportLabels,
): string {
  const formatList = (lines: readonly string[]): string =>
    lines.length === 0 ? labels.none : lines.map((line) => `- ${line}`).join('\n');
  const sections: readonly (readonly [string, string])[] = [
    [
      labels.versions,
      formatList(Object.entries(versions).map(([component, version]) => `${component}: ${version}`)),
    ],
    [labels.connections, formatList(countConnections(connections))],
    [labels.settings, formatList(changedSettings.map((name) => `\`${name}\``))],
    [labels.problems, formatList(problems.map(formatProblem))],
  ];
  return [
    `# ${labels.title}`,
    labels.questions,
    `---`,
    labels.note,
    ...sections.map(([heading, text]) => `## ${heading}\n\n${text}`),
  ]
    .join('\n\n')
    .concat('\n');
}

function countConnections(connections: IssueReportInput['connections']): readonly string[] {
  const counts = new Map<string, number>();
  for (const { kind, role } of connections) {
    const name = `${kind}, ${role}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`);
}

const formatProblem = ({ time, tag, message, identifiers }: ReportedProblem): string =>
  [`${new Date(time).toISOString()} [${tag}] ${message}`, ...identifiers].join(', ');
