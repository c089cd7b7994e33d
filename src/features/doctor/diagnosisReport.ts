import * as vscode from 'vscode';
import type { Diagnosis } from '../../connections/doctor/diagnosis.ts';
import { getRoleLabel } from '../../platform/roleLabels.ts';
import { formatStep } from '../../connections/doctor/messages/formatStep.ts';
import { formatDay } from './formatDay.ts';
import { describeRemedy } from './remedyLabels.ts';

/** Formats a diagnosis as plain text to share with others; it contains no token and no proxy password. */
export function formatDiagnosisReport({ connection, steps, time }: Diagnosis, version: string): string {
  const environment = [
    new Date(time).toISOString(),
    `Datamodel Studio ${version}`,
    `${vscode.env.appName} ${vscode.version}`,
    process.platform,
  ];
  return [
    vscode.l10n.t('Connection test of {0} ({1})', connection.name, getRoleLabel(connection.role)),
    environment.join(' · '),
    '',
    ...steps.map((report) => formatStep(vscode.l10n.t, report, { getRemedyText: describeRemedy, formatDay })),
    '',
  ].join('\n');
}
