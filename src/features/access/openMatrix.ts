import * as vscode from 'vscode';
import { type SubjectTarget, webviews } from '../../contributions.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { readPersistedTarget } from './persistedTarget.ts';
import { MatrixPanel } from './matrixPanel.ts';
import { resolveSubject } from './pickSubject.ts';

/** Opens the matrix of a datamodel's or cube set's rules; asks for it when none was passed. */
export async function openMatrix(
  deps: AccessFeatureDeps,
  tabs: MatrixTabs,
  target: SubjectTarget | undefined,
): Promise<void> {
  const picked = await resolveSubject(deps, target, vscode.l10n.t('Edit Rules'));
  if (picked !== undefined) {
    showMatrix(deps, tabs, { connectionId: picked.connectionId, subject: picked.subject });
  }
}

/** The open tabs, by what they show: two tabs of the same subject would overwrite each other's unsaved changes. */
export type MatrixTabs = Map<string, { reveal(): void }>;

/** Restores a tab after a reload; a tab whose state does not name what it showed is closed. */
export function restoreMatrix(
  deps: AccessFeatureDeps,
  tabs: MatrixTabs,
  panel: vscode.WebviewPanel,
  kept: unknown,
): void {
  // The page persists only its place.
  const target = readPersistedTarget({ place: kept });
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
    // The undo and redo stacks must survive switching to another tab; they are too large to be read again each time.
    { retainContextWhenHidden: true },
  );

function showMatrix(
  deps: AccessFeatureDeps,
  tabs: MatrixTabs,
  target: SubjectTarget,
  panel?: vscode.WebviewPanel,
): void {
  const key = JSON.stringify(target);
  const open = tabs.get(key);
  if (open === undefined) {
    tabs.set(
      key,
      new MatrixPanel(deps, target, panel ?? createTab(), {
        onClosed: () => tabs.delete(key),
        onReopen: () => showMatrix(deps, tabs, target),
      }),
    );
  } else {
    panel?.dispose();
    open.reveal();
  }
}
