import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { type Diagnosis, mainProblem } from '../../connections/doctor/step.ts';
import { showError } from '../../platform/messages.ts';
import { userMessage } from '../../platform/userErrors.ts';
import { type DoctorAction, opening } from './actions.ts';
import { type Row, rowsOf } from './diagnosisRows.ts';
import { reportText } from './report.ts';
import { isProblem, stepLabel } from '../../connections/doctor/words/doctorStepWords.ts';

const t = vscode.l10n.t;

/** How the list was left: with a wish for another test, with something to do, or for good. */
type Choice = 'again' | DoctorAction | undefined;

const copiedShownMs = 3000;

/**
 * Shows a diagnosis as a list that can be acted on by keyboard: the steps with what helps, then all actions. Runs the
 * action that is chosen, and wishes for another test where that may have helped; the list stays while another window
 * has the focus.
 */
export async function showDiagnosis(diagnosis: Diagnosis, version: string): Promise<'again' | undefined> {
  const report = reportText(diagnosis, version);
  const choice = await choose(diagnosis, {
    copy: () => copyReport(report),
    open: opening(t('Open Report'), 'output', () => openReport(report)),
  });
  if (choice === 'again') {
    return 'again';
  }
  await choice?.run();
  return choice?.settles === true ? 'again' : undefined;
}

function choose(
  diagnosis: Diagnosis,
  report: { readonly copy: () => Promise<void>; readonly open: DoctorAction },
): Promise<Choice> {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<Row>());
  const rows = rowsOf(diagnosis);
  const again: Row = { label: t('Run Again') };
  const copy: Row = { label: t('Copy Report') };
  const open: Row = { label: report.open.label, action: report.open };
  const separator: Row = { label: t('Actions'), kind: vscode.QuickPickItemKind.Separator };
  pick.title = t('Connection Test: {0}', diagnosis.connection.name);
  pick.placeholder = verdictText(diagnosis);
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = [...rows.steps, separator, again, ...rows.actions, copy, open];
  pick.activeItems = rows.problem === undefined ? [] : [rows.problem];
  pick.buttons = [buttonOf(again, 'refresh'), buttonOf(copy, 'copy')];
  return new Promise<Choice>((resolve) => {
    const leave = (choice: Choice): void => {
      resolve(choice);
      store.dispose();
    };
    /** A row without anything to do is read only. */
    const accept = (row: Row | undefined): void => {
      if (row === copy) {
        void report.copy();
      } else if (row === again || row?.action !== undefined) {
        leave(row === again ? 'again' : row.action);
      }
    };
    store.add(pick.onDidAccept(() => accept(pick.activeItems[0])));
    store.add(pick.onDidTriggerItemButton(({ item }) => accept(item)));
    store.add(pick.onDidTriggerButton(({ tooltip }) => accept(tooltip === again.label ? again : copy)));
    store.add(pick.onDidHide(() => leave(undefined)));
    pick.show();
  });
}

const buttonOf = ({ label }: Row, icon: string): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon(icon),
  tooltip: label,
});

async function copyReport(report: string): Promise<void> {
  try {
    await vscode.env.clipboard.writeText(report);
    vscode.window.setStatusBarMessage(`$(check) ${t('Report copied')}`, copiedShownMs);
  } catch (error) {
    await showError(userMessage(error));
  }
}

/** The whole of it, where long lines wrap and a screen reader goes line by line. */
async function openReport(report: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content: report, language: 'plaintext' });
  await vscode.window.showTextDocument(document);
}

function verdictText(diagnosis: Diagnosis): string {
  const { verdict, steps } = diagnosis;
  const problem = mainProblem(diagnosis);
  switch (verdict) {
    case 'ok':
      return t('The connection works.');
    case 'warning':
      return t(
        'The connection works. To look at: {0}',
        steps
          .filter(isProblem)
          .map(({ step }) => stepLabel(t, step))
          .join(', '),
      );
    case 'failed':
      return t(
        'The connection does not work: {0}. Press Enter on a step for what helps.',
        problem === undefined ? '' : stepLabel(t, problem.step),
      );
  }
}
