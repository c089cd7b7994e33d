import * as vscode from 'vscode';
import { formatMarkdownTable, escapeMarkdownLine } from '../../base/markdown.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { effectiveAccess } from '../../security/index.ts';
import type { AcceptedFindings } from '../../security/audit/applyBaseline.ts';
import type { FindingCause } from '../../security/audit/groupFindings.ts';
import type { SubjectAudit } from './auditInstance.ts';
import {
  describeCause,
  describeCode,
  describePlace,
  formatFindingCount,
  getSeverityLabel,
} from './auditLabels.ts';
import { type AuditResult, describeReadFailures, summarizeAudit } from './createAuditView.ts';

const t = vscode.l10n.t;

/**
 * Formats the audit as a Markdown report: each cause with all of its places, what is accepted and why, and the access
 * of everyone else.
 */
export function formatAuditReport(result: AuditResult): string {
  const { audit, baseline, baselineProblem } = result;
  const problems = [
    ...(baselineProblem === undefined ? [] : [baselineProblem]),
    ...describeReadFailures(audit),
  ];
  const subjectsWithRules = audit.subjectAudits.filter(({ rules }) => rules.length > 0);
  return [
    `# ${escapeMarkdownLine(t('Security of {0}', audit.connectionName))}`,
    '',
    escapeMarkdownLine(`${new Date(audit.auditedAt).toISOString()}. ${summarizeAudit(result)}`),
    ...problems.flatMap((problem) => ['', escapeMarkdownLine(problem)]),
    ...baseline.newCauses.flatMap(formatCause),
    ...(baseline.accepted.length === 0 ? [] : formatAccepted(baseline.accepted)),
    ...(subjectsWithRules.length === 0
      ? []
      : ['', `## ${t('Access for everyone else')}`, ...subjectsWithRules.flatMap(formatDefaultAccess)]),
    '',
  ].join('\n');
}

function formatCause(cause: FindingCause<SubjectAudit>): readonly string[] {
  const { title, explanation } = describeCause(cause);
  const { severity, subject, places } = cause;
  const causeDetails = [
    getSeverityLabel(severity),
    ...(subject === undefined ? [] : [getSubjectTitle(subject.subject)]),
    formatFindingCount(places.length),
  ];
  return [
    '',
    `## ${escapeMarkdownLine(title)}`,
    '',
    escapeMarkdownLine(causeDetails.join(', ')),
    ...(explanation === undefined ? [] : ['', escapeMarkdownLine(explanation)]),
    '',
    ...places.map((place) => {
      const { name, detail } = describePlace(place, cause);
      return `- ${escapeMarkdownLine(detail === undefined ? name : `${name}: ${detail}`)}`;
    }),
  ];
}

const formatAccepted = (accepted: readonly AcceptedFindings<SubjectAudit>[]): readonly string[] => [
  '',
  `## ${t('Accepted')}`,
  '',
  ...formatMarkdownTable(
    [t('Finding'), t('Datamodel'), t('Count'), t('Reason'), t('Author'), t('Date')],
    accepted.map(({ entry, places }) => [
      describeCode(entry.finding),
      entry.datamodel,
      String(places.length),
      entry.reason,
      entry.author,
      entry.date,
    ]),
  ),
];

const formatDefaultAccess = ({ subject, rules }: SubjectAudit): readonly string[] => [
  '',
  `### ${escapeMarkdownLine(getSubjectTitle(subject))}`,
  '',
  ...formatMarkdownTable([t('Column'), t('Everyone else sees')], getDefaultAccessRows(rules)),
];

const getDefaultAccessRows = (rules: readonly unknown[]): readonly (readonly string[])[] =>
  effectiveAccess(rules, { groupIds: [] }).map(({ table, column, verdict, values }) => {
    const columnName = `${table}.${column}`;
    const valueList = values.join(', ');
    switch (verdict) {
      case 'all':
        return [columnName, t('all values')];
      case 'none':
        return [columnName, t('no values')];
      case 'only':
        return [columnName, t('only {0}', valueList)];
      case 'except':
        return [columnName, t('all but {0}', valueList)];
      case 'ambiguous':
        return [columnName, t('uncertain')];
    }
  });
