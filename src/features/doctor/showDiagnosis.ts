import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { type Diagnosis, findMainProblem } from '../../connections/doctor/diagnosis.ts';
import { showError } from '../../platform/messages.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { type DoctorAction, createNavigationAction } from './doctorActions.ts';
import { type DiagnosisItem, createDiagnosisItems } from './diagnosisItems.ts';
import { formatDiagnosisReport } from './diagnosisReport.ts';
import { isProblem, getStepLabel } from '../../connections/doctor/messages/doctorStepLabels.ts';

const t = vscode.l10n.t;

/** The user's choice: another test, an action, or none. */
type DiagnosisChoice = 'again' | DoctorAction | undefined;

const copiedMessageMs = 3000;

/**
 * Shows a diagnosis as a quick pick with the steps and the actions, and runs the action that the user picks.
 * @returns `again` if the test should run again
 */
export async function showDiagnosis(diagnosis: Diagnosis, version: string): Promise<'again' | undefined> {
  const report = formatDiagnosisReport(diagnosis, version);
  const choice = await pickAction(diagnosis, {
    copy: () => copyReport(report),
    open: createNavigationAction(t('Open Report'), 'output', () => openReport(report)),
  });
  if (choice === 'again') {
    return 'again';
  }
  await choice?.run();
  return choice?.shouldRetest === true ? 'again' : undefined;
}

function pickAction(
  diagnosis: Diagnosis,
  reportActions: { readonly copy: () => Promise<void>; readonly open: DoctorAction },
): Promise<DiagnosisChoice> {
  const store = new DisposableStore();
  const quickPick = store.add(vscode.window.createQuickPick<DiagnosisItem>());
  const diagnosisItems = createDiagnosisItems(diagnosis);
  const runAgainItem: DiagnosisItem = { label: t('Run Again') };
  const copyItem: DiagnosisItem = { label: t('Copy Report') };
  const openItem: DiagnosisItem = { label: reportActions.open.label, action: reportActions.open };
  const separator: DiagnosisItem = { label: t('Actions'), kind: vscode.QuickPickItemKind.Separator };
  quickPick.title = t('Connection Test: {0}', diagnosis.connection.name);
  quickPick.placeholder = describeVerdict(diagnosis);
  quickPick.ignoreFocusOut = true;
  quickPick.matchOnDescription = true;
  quickPick.matchOnDetail = true;
  quickPick.items = [
    ...diagnosisItems.steps,
    separator,
    runAgainItem,
    ...diagnosisItems.actions,
    copyItem,
    openItem,
  ];
  quickPick.activeItems = diagnosisItems.problemItem === undefined ? [] : [diagnosisItems.problemItem];
  quickPick.buttons = [createButton(runAgainItem, 'refresh'), createButton(copyItem, 'copy')];
  return new Promise<DiagnosisChoice>((resolve) => {
    const close = (choice: DiagnosisChoice): void => {
      resolve(choice);
      store.dispose();
    };
    /** Ignores items without an action. */
    const accept = (item: DiagnosisItem | undefined): void => {
      if (item === copyItem) {
        void reportActions.copy();
      } else if (item === runAgainItem || item?.action !== undefined) {
        close(item === runAgainItem ? 'again' : item.action);
      }
    };
    store.add(quickPick.onDidAccept(() => accept(quickPick.activeItems[0])));
    store.add(quickPick.onDidTriggerItemButton(({ item }) => accept(item)));
    store.add(
      quickPick.onDidTriggerButton(({ tooltip }) =>
        accept(tooltip === runAgainItem.label ? runAgainItem : copyItem),
      ),
    );
    store.add(quickPick.onDidHide(() => close(undefined)));
    quickPick.show();
  });
}

const createButton = ({ label }: DiagnosisItem, icon: string): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon(icon),
  tooltip: label,
});

async function copyReport(report: string): Promise<void> {
  try {
    await vscode.env.clipboard.writeText(report);
    vscode.window.setStatusBarMessage(`$(check) ${t('Report copied')}`, copiedMessageMs);
  } catch (error) {
    await showError(getUserMessage(error));
  }
}

/** Opens the report in an editor, where long lines wrap and screen readers can navigate by line. */
async function openReport(report: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content: report, language: 'plaintext' });
  await vscode.window.showTextDocument(document);
}

function describeVerdict(diagnosis: Diagnosis): string {
  const { verdict, steps } = diagnosis;
  const problem = findMainProblem(diagnosis);
  switch (verdict) {
    case 'ok':
      return t('The connection works.');
    case 'warning':
      return t(
        'The connection works, but with warnings: {0}',
        steps
          .filter(isProblem)
          .map(({ step }) => getStepLabel(t, step))
          .join(', '),
      );
    case 'failed':
      return t(
        "The connection doesn't work: {0}. The failed step shows what to do.",
        problem === undefined ? '' : getStepLabel(t, problem.step),
      );
  }
}
