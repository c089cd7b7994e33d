import * as vscode from 'vscode';
import { formatMarkdownTable, escapeMarkdownLine } from '../../base/markdown.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { effectiveAccess } from '../../security/index.ts';
import type { InstanceAudit, SubjectAudit } from './auditInstance.ts';
import { describeFinding, getSeverityLabel } from './auditLabels.ts';

const t = vscode.l10n.t;

/** Formats the audit as a Markdown report: the findings, and the access of everyone else. */
export function formatAuditReport(
  { connectionName, subjects, datamodelProblem, viewpointProblem }: InstanceAudit,
  auditedAt: number,
): string {
  const findingCount = subjects.reduce((sum, subject) => sum + subject.findings.length, 0);
  const reportedSubjects = subjects.filter(({ rules, problem }) => rules.length > 0 || problem !== undefined);
  const unrestrictedSubjects = subjects.filter(
    ({ rules, problem }) => rules.length === 0 && problem === undefined,
  );
  return [
    `# ${escapeMarkdownLine(t('Security of {0}', connectionName))}`,
    '',
    escapeMarkdownLine(
      t(
        '{0} in {1} datamodels and cube sets, {2}',
        findingCount === 1 ? t('One finding') : t('{0} findings', findingCount),
        subjects.length,
        new Date(auditedAt).toISOString(),
      ),
    ),
    ...(datamodelProblem === undefined
      ? []
      : ['', escapeMarkdownLine(t('Datamodels could not be read: {0}', datamodelProblem))]),
    ...(viewpointProblem === undefined
      ? []
      : ['', escapeMarkdownLine(t('Viewpoints could not be looked at: {0}', viewpointProblem))]),
    ...reportedSubjects.flatMap(formatSubject),
    ...(unrestrictedSubjects.length === 0
      ? []
      : [
          '',
          `## ${escapeMarkdownLine(t('Without rules: everyone sees everything'))}`,
          '',
          ...unrestrictedSubjects.map(({ subject }) => `- ${escapeMarkdownLine(getSubjectTitle(subject))}`),
        ]),
    '',
  ].join('\n');
}

function formatSubject({ subject, rules, findings, problem }: SubjectAudit): readonly string[] {
  return [
    '',
    `## ${escapeMarkdownLine(getSubjectTitle(subject))}`,
    '',
    ...(problem === undefined
      ? []
      : [escapeMarkdownLine(t('It could not be looked at wholly: {0}', problem)), '']),
    ...(findings.length === 0
      ? [escapeMarkdownLine(t('Nothing was found.'))]
      : formatMarkdownTable(
          [t('Severity'), t('Column'), t('What')],
          findings.map((finding) => {
            const { table = '', column = '' } =
              finding.index === undefined ? {} : (rules[finding.index] ?? {});
            const columnName = table === '' ? '' : `${table}.${column}`;
            return [getSeverityLabel(finding.severity), columnName, describeFinding(finding)];
          }),
        )),
    ...(rules.length === 0
      ? []
      : ['', ...formatMarkdownTable([t('Column'), t('Everyone else sees')], formatDefaultAccess(rules))]),
  ];
}

const formatDefaultAccess = (rules: readonly unknown[]): readonly (readonly string[])[] =>
  effectiveAccess(rules, { groupIds: [] }).map(({ table, column, verdict, values }) => {
    const columnName = `${table}.${column}`;
    const valueList = values.join(', ');
    switch (verdict) {
      case 'all':
        return [columnName, t('everything')];
      case 'none':
        return [columnName, t('nothing')];
      case 'only':
        return [columnName, t('only {0}', valueList)];
      case 'except':
        return [columnName, t('all but {0}', valueList)];
      case 'ambiguous':
        return [columnName, t('not certain')];
    }
  });
