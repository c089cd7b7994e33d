import * as vscode from 'vscode';
import { markdownTable, markdownText } from '../../base/markdown.ts';
import { subjectTitle } from '../../catalog/ruleSubject.ts';
import { effectiveAccess } from '../../security/index.ts';
import type { InstanceAudit, SubjectAudit } from './auditInstance.ts';
import { findingText, severityLabel } from './auditWords.ts';

const t = vscode.l10n.t;

/** The audit as Markdown, to read, to keep and to pass on: what was found, and what everybody else sees. */
export function auditReport(
  { connectionName, subjects, datamodelProblem, viewpointProblem }: InstanceAudit,
  time: number,
): string {
  const findings = subjects.reduce((sum, subject) => sum + subject.findings.length, 0);
  const ruled = subjects.filter(({ rules, problem }) => rules.length > 0 || problem !== undefined);
  const open = subjects.filter(({ rules, problem }) => rules.length === 0 && problem === undefined);
  return [
    `# ${markdownText(t('Security of {0}', connectionName))}`,
    '',
    markdownText(
      t(
        '{0} in {1} datamodels and cube sets, {2}',
        findings === 1 ? t('One finding') : t('{0} findings', findings),
        subjects.length,
        new Date(time).toISOString(),
      ),
    ),
    ...(datamodelProblem === undefined
      ? []
      : ['', markdownText(t('Datamodels could not be read: {0}', datamodelProblem))]),
    ...(viewpointProblem === undefined
      ? []
      : ['', markdownText(t('Viewpoints could not be looked at: {0}', viewpointProblem))]),
    ...ruled.flatMap(subjectLines),
    ...(open.length === 0
      ? []
      : [
          '',
          `## ${markdownText(t('Without rules: everybody sees everything'))}`,
          '',
          ...open.map(({ subject }) => `- ${markdownText(subjectTitle(subject))}`),
        ]),
    '',
  ].join('\n');
}

function subjectLines({ subject, rules, findings, problem }: SubjectAudit): readonly string[] {
  return [
    '',
    `## ${markdownText(subjectTitle(subject))}`,
    '',
    ...(problem === undefined ? [] : [markdownText(t('It could not be looked at wholly: {0}', problem)), '']),
    ...(findings.length === 0
      ? [markdownText(t('Nothing was found.'))]
      : markdownTable(
          [t('Severity'), t('Column'), t('What')],
          findings.map((finding) => {
            const { table = '', column = '' } =
              finding.index === undefined ? {} : (rules[finding.index] ?? {});
            const place = table === '' ? '' : `${table}.${column}`;
            return [severityLabel(finding.severity), place, findingText(finding)];
          }),
        )),
    ...(rules.length === 0
      ? []
      : ['', ...markdownTable([t('Column'), t('Everybody else sees')], everybodyElse(rules))]),
  ];
}

const everybodyElse = (rules: readonly unknown[]): readonly (readonly string[])[] =>
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
