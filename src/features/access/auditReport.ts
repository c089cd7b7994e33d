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
  time: number,
): string {
  const findings = subjects.reduce((sum, subject) => sum + subject.findings.length, 0);
  const ruled = subjects.filter(({ rules, problem }) => rules.length > 0 || problem !== undefined);
  const open = subjects.filter(({ rules, problem }) => rules.length === 0 && problem === undefined);
  return [
    `# ${escapeMarkdownLine(t('Security of {0}', connectionName))}`,
    '',
    escapeMarkdownLine(
      t(
        '{0} in {1} datamodels and cube sets, {2}',
        findings === 1 ? t('One finding') : t('{0} findings', findings),
        subjects.length,
        new Date(time).toISOString(),
      ),
    ),
    ...(datamodelProblem === undefined
      ? []
      : ['', escapeMarkdownLine(t('Datamodels could not be read: {0}', datamodelProblem))]),
    ...(viewpointProblem === undefined
      ? []
      : ['', escapeMarkdownLine(t('Viewpoints could not be looked at: {0}', viewpointProblem))]),
    ...ruled.flatMap(formatSubject),
    ...(open.length === 0
      ? []
      : [
          '',
          `## ${escapeMarkdownLine(t('Without rules: everyone sees everything'))}`,
          '',
          ...open.map(({ subject }) => `- ${escapeMarkdownLine(getSubjectTitle(subject))}`),
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
            const place = table === '' ? '' : `${table}.${column}`;
            return [getSeverityLabel(finding.severity), place, describeFinding(finding)];
          }),
        )),
    ...(rules.length === 0
      ? []
      : ['', ...formatMarkdownTable([t('Column'), t('Everyone else sees')], formatDefaultAccess(rules))]),
  ];
}

const formatDefaultAccess = (rules: readonly unknown[]): readonly (readonly string[])[] =>
  effectiveAccess(rules, { groupIds: [] }).map(({ table, column, verdict, values }) => {
    const place = `${table}.${column}`;
    const list = values.join(', ');
    switch (verdict) {
      case 'all':
        return [place, t('everything')];
      case 'none':
        return [place, t('nothing')];
      case 'only':
        return [place, t('only {0}', list)];
      case 'except':
        return [place, t('all but {0}', list)];
      case 'ambiguous':
        return [place, t('not certain')];
    }
  });
