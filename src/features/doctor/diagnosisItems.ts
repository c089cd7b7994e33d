import * as vscode from 'vscode';
import {
  type Diagnosis,
  type StepOutcome,
  type StepReport,
  findMainProblem,
} from '../../connections/doctor/diagnosis.ts';
import { runCommand } from '../../platform/commands.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { type DoctorAction, getRemedyAction, createNavigationAction } from './doctorActions.ts';
import { formatStepFinding } from '../../connections/doctor/messages/formatStepFinding.ts';
import {
  formatFacts,
  isProblem,
  getOutcomeLabel,
  getStepLabel,
} from '../../connections/doctor/messages/doctorStepLabels.ts';
import { formatDay } from './formatDay.ts';
import { describeRemedy } from './remedyLabels.ts';

const t = vscode.l10n.t;

/** A quick pick item for a step, its details, or an action. */
export interface DiagnosisItem extends vscode.QuickPickItem {
  readonly action?: DoctorAction;
}

/** The items of the diagnosis list. */
export interface DiagnosisItems {
  readonly steps: readonly DiagnosisItem[];
  /** The actions for the steps, and the actions that are always available. */
  readonly actions: readonly DiagnosisItem[];
  /** The item of the most important problem, to be preselected. */
  readonly problemItem: DiagnosisItem | undefined;
}

/** Creates the items for a diagnosis. */
export function createDiagnosisItems(diagnosis: Diagnosis): DiagnosisItems {
  const { steps } = diagnosis;
  const stepItems = steps.map((report) => createStepItems(report, diagnosis));
  const problem = findMainProblem(diagnosis);
  return {
    steps: stepItems.flat(),
    actions: getActions(diagnosis).map((action): DiagnosisItem => ({ label: action.label, action })),
    problemItem: problem === undefined ? undefined : stepItems[steps.indexOf(problem)]?.[0],
  };
}

function getActions({ steps, connection }: Diagnosis): readonly DoctorAction[] {
  const remedies = [...steps.flatMap(({ remedy }) => remedy ?? []), 'edit-connection' as const];
  const actions = remedies.flatMap((remedy) => getRemedyAction(remedy, connection) ?? []);
  const showLog = createNavigationAction(t('Show Log'), 'output', () =>
    runCommand('datamodelStudio.log.show'),
  );
  // Several steps may have the same action.
  return [...new Map([...actions, showLog].map((action) => [action.label, action])).values()];
}

/**
 * Creates the item of a step, and a second one for the details of a problem. The outcome is also part of the text,
 * because an icon must not be the only sign of it.
 */
function createStepItems(
  report: StepReport,
  { connection }: Diagnosis,
): readonly [DiagnosisItem, ...DiagnosisItem[]] {
  const { step, outcome, remedy } = report;
  const action = remedy === undefined ? undefined : getRemedyAction(remedy, connection);
  const details = formatFacts(t, report, { detailLevel: 'brief', formatDay });
  const finding = `${getOutcomeLabel(t, outcome)}: ${formatStepFinding(t, report)}`;
  const hasProblem = isProblem(report);
  const stepItem: DiagnosisItem = {
    label: `$(${icons[outcome]}) ${getStepLabel(t, step)}`,
    description: toPlainText(hasProblem ? finding : [finding, ...details].join(' · ')),
    ...(remedy === undefined ? {} : { detail: describeRemedy(remedy) }),
    ...(action === undefined
      ? {}
      : { action, buttons: [{ iconPath: new vscode.ThemeIcon(action.icon), tooltip: action.label }] }),
  };
  return hasProblem && details.length > 0
    ? [stepItem, { label: '$(blank)', description: toPlainText(details.join(' · ')) }]
    : [stepItem];
}

const icons: Readonly<Record<StepOutcome, string>> = {
  ok: 'pass',
  warning: 'warning',
  failed: 'error',
  skipped: 'circle-slash',
};
