import * as vscode from 'vscode';
import type { Diagnosis, StepReport } from '../../connections/doctor/step.ts';
import { roleLabel } from '../../platform/roleWords.ts';
import { findingText, remedyText } from './findingWords.ts';
import { factTexts, outcomeLabel, stepLabel } from './stepWords.ts';

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
    ...steps.map(stepText),
    '',
  ].join('\n');
}

function stepText(report: StepReport): string {
  const { step, outcome, remedy } = report;
  const lines = [`${outcomeLabel(outcome)}: ${stepLabel(step)}: ${findingText(report)}`];
  const facts = factTexts(report, 'full');
  if (facts.length > 0) {
    lines.push(`    ${facts.join(' · ')}`);
  }
  if (remedy !== undefined) {
    lines.push(`    → ${remedyText(remedy)}`);
  }
  // What a server said may hold line breaks, which would look like lines of ours.
  return lines.map((line) => line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')).join('\n');
}
