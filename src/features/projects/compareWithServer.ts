import * as vscode from 'vscode';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { ItemStatus } from '../../project/status/itemStatus.ts';
import type { ProjectDeps } from './deps.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';
import type { ProjectTarget } from './projectTargets.ts';
import { refreshFromServer } from './readServer.ts';
import { createEmptyTextUri } from './serverTexts.ts';

const t = vscode.l10n.t;

/** How many files the editor compares at once. */
const maxFiles = 500;

/** Compares files with the server: one in a diff editor, several together. Reads the instance if it was not read yet. */
export async function compareWithServer(deps: ProjectDeps, { project, paths }: ProjectTarget): Promise<void> {
  if (project.status?.isServerKnown !== true && !(await refreshFromServer(deps, project))) {
    return;
  }
  const items = project.items.filter(
    ({ path }) => paths.length === 0 || paths.some((other) => path === other || path.startsWith(`${other}/`)),
  );
  const [only, second] = items;
  const name = project.environment.name;
  if (only === undefined) {
    await showInformation(t('No differences from {0}.', name));
  } else if (second === undefined) {
    await compareFile(project, only);
  } else {
    const shown = items.slice(0, maxFiles);
    const title =
      shown.length < items.length
        ? t('Differences from {0} (first {1} of {2})', name, shown.length, items.length)
        : t('Differences from {0}', name);
    await vscode.commands.executeCommand(
      'vscode.changes',
      toPlainText(title),
      shown.map((item) => {
        const uri = project.getUri(item.path);
        return [
          uri,
          hasServerFile(item) ? project.getServerTextUri(item.path) : undefined,
          hasFile(item) ? uri : undefined,
        ];
      }),
    );
  }
}

async function compareFile(project: ProjectSourceControl, item: ItemStatus): Promise<void> {
  const { path } = item;
  const fileName = path.slice(path.lastIndexOf('/') + 1);
  await vscode.commands.executeCommand(
    'vscode.diff',
    hasServerFile(item) ? project.getServerTextUri(path) : createEmptyTextUri(path),
    hasFile(item) ? project.getUri(path) : createEmptyTextUri(path),
    toPlainText(t('{0}: {1} ↔ Yours', fileName, project.environment.name)),
  );
}

/** Whether the project has a file for an item: what only the server has was added there. */
const hasFile = ({ here, server }: ItemStatus): boolean =>
  here !== 'deleted' && !(server === 'added' && here === 'unchanged');

/** Whether the server has an item, as far as it is known. */
const hasServerFile = ({ here, server }: ItemStatus): boolean =>
  server !== 'deleted' && !(here === 'added' && server === 'unchanged');
