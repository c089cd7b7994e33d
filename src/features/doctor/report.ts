import * as vscode from 'vscode';
import type { Diagnosis } from '../../connections/doctor/step.ts';
import { roleLabel } from '../../platform/labels.ts';
import { stepText } from '../../connections/doctor/words/diagnosisText.ts';
import { localDay } from './localDay.ts';
import { remedyText } from './remedyWords.ts';

/** The diagnosis as plain text to pass on: no token, and of a proxy no password. */
export function reportText({ connection, steps, time }: Diagnosis, version: string): string {
  const made = [
    new Date(time).toISOString(),
    `Datamodel Studio ${version}`,
    `${vscode.env.appName} ${vscode.version}`,
    process.platform,
  ];
  return [
    vscode.l10n.t('Connection test of {0} ({1})', connection.name, roleLabel(connection.role)),
    made.join(' · '),
    '',
    ...steps.map((report) => stepText(vscode.l10n.t, report, { remedyText, day: localDay })),
    '',
  ].join('\n');
}
