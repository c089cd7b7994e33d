import * as vscode from 'vscode';
import { type Diagnosis, type Outcome, type StepReport, mainProblem } from '../../connections/doctor/step.ts';
import { runCommand } from '../../platform/commands.ts';
import { plainText } from '../../platform/serverText.ts';
import { type DoctorAction, actionFor, opening } from './actions.ts';
import { findingText } from '../../connections/doctor/words/doctorFindingWords.ts';
import {
  factTexts,
  isProblem,
  outcomeLabel,
  stepLabel,
} from '../../connections/doctor/words/doctorStepWords.ts';
import { localDay } from './localDay.ts';
import { remedyText } from './remedyWords.ts';

const t = vscode.l10n.t;

/** A row: a step with what can be done about it, or something to do. */
export interface Row extends vscode.QuickPickItem {
  readonly action?: DoctorAction;
}

export interface DiagnosisRows {
  readonly steps: readonly Row[];
  /** What can be done about any of the steps, and what always can. */
  readonly actions: readonly Row[];
  /** The step to be dealt with first. */
  readonly problem: Row | undefined;
}

/** The diagnosis as rows of a list. */
export function rowsOf(diagnosis: Diagnosis): DiagnosisRows {
  const { steps } = diagnosis;
  const rows = steps.map((report) => stepRows(report, diagnosis));
  const problem = mainProblem(diagnosis);
  return {
    steps: rows.flat(),
    actions: actionsOf(diagnosis).map((action): Row => ({ label: action.label, action })),
    problem: problem === undefined ? undefined : rows[steps.indexOf(problem)]?.[0],
  };
}

function actionsOf({ steps, connection }: Diagnosis): readonly DoctorAction[] {
  const remedies = [...steps.flatMap(({ remedy }) => remedy ?? []), 'edit-connection' as const];
  const actions = remedies.flatMap((remedy) => actionFor(remedy, connection) ?? []);
  const showLog = opening(t('Show Log'), 'output', () => runCommand('datamodelStudio.log.show'));
  // Several steps may be helped by one action.
  return [...new Map([...actions, showLog].map((action) => [action.label, action])).values()];
}

/**
 * The row of a step, and for one that is not in order a second row with what was seen. No meaning by icon alone: the
 * outcome is a word of the row as well.
 */
function stepRows(report: StepReport, { connection }: Diagnosis): readonly [Row, ...Row[]] {
  const { step, outcome, remedy } = report;
  const action = remedy === undefined ? undefined : actionFor(remedy, connection);
  const facts = factTexts(t, report, { form: 'brief', day: localDay });
  const finding = `${outcomeLabel(t, outcome)}: ${findingText(t, report)}`;
  const hasProblem = isProblem(report);
  const row: Row = {
    label: `$(${icons[outcome]}) ${stepLabel(t, step)}`,
    description: plainText(hasProblem ? finding : [finding, ...facts].join(' · ')),
    ...(remedy === undefined ? {} : { detail: remedyText(remedy) }),
    ...(action === undefined
      ? {}
      : { action, buttons: [{ iconPath: new vscode.ThemeIcon(action.icon), tooltip: action.label }] }),
  };
  return hasProblem && facts.length > 0
    ? [row, { label: '$(blank)', description: plainText(facts.join(' · ')) }]
    : [row];
}

const icons: Readonly<Record<Outcome, string>> = {
  ok: 'pass',
  warning: 'warning',
  failed: 'error',
  skipped: 'circle-slash',
};
