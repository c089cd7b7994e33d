import * as vscode from 'vscode';
import { type SubjectTarget, type UriTarget, webviews } from '../../contributions.ts';
import type { RulesPageDeps } from './deps.ts';
import { showInformation } from '../../platform/messages.ts';
import type { FileRulesReference } from '../../webviews/protocol/access.ts';
import type { FileAccessPages } from './fileAccessPages.ts';
import { FileMatrix } from './fileMatrix.ts';
import { getFileTargetKey, resolveFileTarget } from './fileTarget.ts';
import { readPersistedFileTarget, readPersistedTarget } from './persistedTarget.ts';
import { MatrixPanel } from './matrixPanel.ts';
import type { MatrixSourceFactory } from './matrixSource.ts';
import { resolveSubject } from './resolveSubject.ts';
import { ServerMatrix } from './serverMatrix.ts';

/** Opens the rule matrix of a datamodel or cube set, which the user picks if none was passed. */
export async function openMatrix(
  deps: RulesPageDeps,
  tabs: MatrixTabs,
  target: SubjectTarget | undefined,
): Promise<void> {
  const pickedTarget = await resolveSubject(deps, target, vscode.l10n.t('Edit Rules in Grid'));
  if (pickedTarget !== undefined) {
    showMatrix(deps, tabs, { connectionId: pickedTarget.connectionId, subject: pickedTarget.subject });
  }
}

/** The open tabs, by target: two tabs with the same target would overwrite each other's unsaved changes. */
export type MatrixTabs = Map<
  string,
  Pick<MatrixPanel, 'reveal' | 'isActive' | 'fileTarget' | 'requestApply'>
>;

/** Applies the changes of the active tab, like its button. */
export async function applyActiveMatrix(tabs: MatrixTabs): Promise<void> {
  const activeTab = [...tabs.values()].find(({ isActive }) => isActive);
  if (activeTab === undefined) {
    await showInformation(vscode.l10n.t('Open the rules of a datamodel in the grid first.'));
  } else {
    activeTab.requestApply();
  }
}

/** The dependencies of the rule matrix of files. */
export interface FileMatrixDeps {
  readonly deps: RulesPageDeps;
  readonly tabs: MatrixTabs;
  readonly fileAccess: FileAccessPages;
}

/** Opens the rule matrix for the rules of a project: those of a file or folder, or of the active editor or page. */
export async function openFileMatrix(fileDeps: FileMatrixDeps, uri: UriTarget | undefined): Promise<void> {
  const { deps, tabs, fileAccess } = fileDeps;
  const target = await resolveFileTarget(await deps.loadFileCatalogs(), uri, {
    title: vscode.l10n.t('Edit Rules from Files in Grid'),
    pages: [...tabs.values(), ...fileAccess.pages],
  });
  if (target !== undefined) {
    await showFileMatrix(fileDeps, target);
  }
}

/** Restores a tab after a reload; closes it if its state does not identify a datamodel or cube set. */
export async function restoreMatrix(
  fileDeps: FileMatrixDeps,
  panel: vscode.WebviewPanel,
  state: unknown,
): Promise<void> {
  // The state of this page is the reference to its rules. Effective Access stores that reference in an object, with the
  // key `place`.
  const fileTarget = readPersistedFileTarget({ place: state });
  const target = readPersistedTarget({ place: state });
  if (fileTarget !== undefined) {
    await showFileMatrix(fileDeps, fileTarget, panel);
  } else if (target === undefined) {
    panel.dispose();
  } else {
    showMatrix(fileDeps.deps, fileDeps.tabs, target, panel);
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

const showMatrix = (
  deps: RulesPageDeps,
  tabs: MatrixTabs,
  target: SubjectTarget,
  panel?: vscode.WebviewPanel,
): void =>
  showTab(
    { deps, tabs, key: JSON.stringify(target) },
    (tab, post) => new ServerMatrix(deps, target, tab, post),
    panel,
  );

/** Shows the rule matrix of files in a new tab, or in the one that has it. */
export async function showFileMatrix(
  { deps, tabs, fileAccess }: FileMatrixDeps,
  target: FileRulesReference,
  panel?: vscode.WebviewPanel,
): Promise<void> {
  const catalogs = await deps.loadFileCatalogs();
  const showAccess = (): Promise<void> => fileAccess.openTarget(target);
  showTab(
    { deps, tabs, key: getFileTargetKey(target) },
    (tab, post) => new FileMatrix({ deps, target, catalogs, showAccess }, tab, post),
    panel,
  );
}

interface TabOptions {
  readonly deps: RulesPageDeps;
  readonly tabs: MatrixTabs;
  readonly key: string;
}

function showTab(options: TabOptions, createSource: MatrixSourceFactory, panel?: vscode.WebviewPanel): void {
  const { deps, tabs, key } = options;
  const openTab = tabs.get(key);
  if (openTab === undefined) {
    tabs.set(
      key,
      new MatrixPanel(deps, createSource, panel ?? createTab(), {
        onClosed: () => tabs.delete(key),
        onReopen: () => showTab(options, createSource),
      }),
    );
  } else {
    panel?.dispose();
    openTab.reveal();
  }
}
