import * as vscode from 'vscode';
import { type SubjectTarget, webviews } from '../../contributions.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { showInformation } from '../../platform/messages.ts';
import { readPersistedTarget } from './persistedTarget.ts';
import { MatrixPanel } from './matrixPanel.ts';
import { resolveSubject } from './pickSubject.ts';

/** Opens the rule matrix of a datamodel or cube set, which the user picks if none was passed. */
export async function openMatrix(
  deps: AccessFeatureDeps,
  tabs: MatrixTabs,
  target: SubjectTarget | undefined,
): Promise<void> {
  const pickedTarget = await resolveSubject(deps, target, vscode.l10n.t('Edit Rules in Grid'));
  if (pickedTarget !== undefined) {
    showMatrix(deps, tabs, { connectionId: pickedTarget.connectionId, subject: pickedTarget.subject });
  }
}

/** The open tabs, by target: two tabs with the same target would overwrite each other's unsaved changes. */
export type MatrixTabs = Map<string, Pick<MatrixPanel, 'reveal' | 'isActive' | 'requestApply'>>;

/** Applies the changes of the active tab, like its button. */
export async function applyActiveMatrix(tabs: MatrixTabs): Promise<void> {
  const activeTab = [...tabs.values()].find(({ isActive }) => isActive);
  if (activeTab === undefined) {
    await showInformation(vscode.l10n.t('Open the rules of a datamodel in the grid first.'));
  } else {
    activeTab.requestApply();
  }
}

/** Restores a tab after a reload; closes it if its state does not identify a datamodel or cube set. */
export function restoreMatrix(
  deps: AccessFeatureDeps,
  tabs: MatrixTabs,
  panel: vscode.WebviewPanel,
  state: unknown,
): void {
  // The state of this page is the reference to its rules. Effective Access stores that reference in an object, with the
  // key `place`.
  const target = readPersistedTarget({ place: state });
  if (target === undefined) {
    panel.dispose();
  } else {
    showMatrix(deps, tabs, target, panel);
  }
}

const createTab = (): vscode.WebviewPanel =>
  vscode.window.createWebviewPanel(
    webviews.ruleMatrix,
    '',
    vscode.ViewColumn.Active,
    // Undo and redo must survive switching tabs; their stacks are too large to restore each time.
    { retainContextWhenHidden: true },
  );

function showMatrix(
  deps: AccessFeatureDeps,
  tabs: MatrixTabs,
  target: SubjectTarget,
  panel?: vscode.WebviewPanel,
): void {
  const key = JSON.stringify(target);
  const openTab = tabs.get(key);
  if (openTab === undefined) {
    tabs.set(
      key,
      new MatrixPanel(deps, target, panel ?? createTab(), {
        onClosed: () => tabs.delete(key),
        onReopen: () => showMatrix(deps, tabs, target),
      }),
    );
  } else {
    panel?.dispose();
    openTab.reveal();
  }
}
