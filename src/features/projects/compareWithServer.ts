import * as vscode from 'vscode';
import { formatMessage } from '../../base/localize.ts';
import { reportFailure } from '../../platform/commands.ts';
import { showError, showInformation, showWarning } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { type ItemStatus, hasFile } from '../../project/status/itemStatus.ts';
import type { UnreadableFile } from '../../project/status/statusMessages.ts';
import type { ProjectDeps } from './deps.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';
import type { ProjectTarget } from './projectTargets.ts';
import { refreshFromServer } from './readServer.ts';
import { createEmptyTextUri } from './serverTexts.ts';

const t = vscode.l10n.t;

/** How many files the editor compares at once. */
const maxFiles = 500;

/** How many files a message names. */
const maxNamedFiles = 3;

/** For how long a reading of the instance is compared with, before it's read again. */
const maxAgeMs = 60_000;

/**
 * Compares files with the server: one in a diff editor, several together. Reads the instance unless that was just done;
 * if it fails, the title says when it was read. Says which files can't be compared.
 */
export async function compareWithServer(deps: ProjectDeps, { project, paths }: ProjectTarget): Promise<void> {
  if (!isJustRead(deps, project) && !(await readAgain(deps, project))) {
    return;
  }
  const name = formatServer(deps, project);
  const fault = project.status?.fault;
  if (fault !== undefined) {
    await showError(t('The differences from {0} are unknown. {1}', name, formatMessage(t, fault.message)));
    return;
  }
  const items = project.items.filter(({ path }) => paths.length === 0 || paths.some(isIn(path)));
  const comparableItems = await findComparable(project, items);
  const unreadable = (project.status?.unreadableFiles ?? []).filter(
    ({ path }) =>
      paths.length === 0 || paths.some((other) => isIn(path)(other) || other.startsWith(`${path}/`)),
  );
  const otherItems = items.filter((item) => !comparableItems.includes(item));
  if (comparableItems.length > 0) {
    await showDifferences(project, comparableItems, name);
  } else if (unreadable.length + otherItems.length === 0) {
    await showInformation(t('No differences from {0}.', name));
  }
  await Promise.all([
    ...(unreadable.length === 0 ? [] : [explainUnreadable(name, unreadable)]),
    ...(otherItems.length === 0 ? [] : [explainUnknown(name, otherItems)]),
  ]);
}

const isJustRead = ({ clock }: ProjectDeps, { status, readAt = 0 }: ProjectSourceControl): boolean =>
  status?.isServerKnown === true && clock.now() - readAt < maxAgeMs;

/** Reads the instance again. Returns whether there is something to compare with: a former reading, if it fails. */
async function readAgain(deps: ProjectDeps, project: ProjectSourceControl): Promise<boolean> {
  try {
    return (await refreshFromServer(deps, project)) || project.status?.isServerKnown === true;
  } catch (error) {
    if (project.status?.isServerKnown !== true) {
      throw error;
    }
    // The former state is shown meanwhile.
    void reportFailure(error, deps.log);
    return true;
  }
}

/** Returns the name of what is compared with; if it was not just read, with the time. */
function formatServer(deps: ProjectDeps, project: ProjectSourceControl): string {
  const { environment, readAt } = project;
  return readAt === undefined || isJustRead(deps, project)
    ? environment.name
    : t('{0} at {1}', environment.name, new Date(readAt).toLocaleTimeString(vscode.env.language));
}

/** Returns a function that checks whether the path is that of a file or folder, or is in it. */
const isIn =
  (path: string) =>
  (other: string): boolean =>
    path === other || path.startsWith(`${other}/`);

/** Returns the items without those of which the server may have a text that isn't known. */
async function findComparable(
  project: ProjectSourceControl,
  items: readonly ItemStatus[],
): Promise<readonly ItemStatus[]> {
  const areKnown = await Promise.all(
    items.map(
      async ({ path, server }) => server !== 'unknown' || (await project.loadServerText(path)) !== undefined,
    ),
  );
  return items.filter((_, index) => areKnown[index]);
}

async function explainUnreadable(name: string, files: readonly UnreadableFile[]): Promise<void> {
  const messages = files
    .slice(0, maxNamedFiles)
    .map(({ path, message }) => `${path}: ${formatMessage(t, message)}`);
  await showWarning(
    t(
      "Some files can't be read, so their differences from {0} are unknown. {1}",
      name,
      joinNames(messages, files.length, ' '),
    ),
  );
}

async function explainUnknown(name: string, items: readonly ItemStatus[]): Promise<void> {
  const paths = items.slice(0, maxNamedFiles).map(({ path }) => path);
  await showWarning(
    t(
      'Some files are not compared because their state on {0} is unknown: {1}',
      name,
      joinNames(paths, items.length, ', '),
    ),
  );
}

const joinNames = (shown: readonly string[], count: number, separator: string): string =>
  [...shown, ...(shown.length < count ? ['…'] : [])].join(separator);

async function showDifferences(
  project: ProjectSourceControl,
  items: readonly ItemStatus[],
  name: string,
): Promise<void> {
  const [first, second] = items;
  if (first !== undefined && second === undefined) {
    await compareFile(project, first, name);
    return;
  }
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

async function compareFile(project: ProjectSourceControl, item: ItemStatus, name: string): Promise<void> {
  const { path } = item;
  const fileName = path.slice(path.lastIndexOf('/') + 1);
  await vscode.commands.executeCommand(
    'vscode.diff',
    hasServerFile(item) ? project.getServerTextUri(path) : createEmptyTextUri(path),
    hasFile(item) ? project.getUri(path) : createEmptyTextUri(path),
    toPlainText(t('{0}: {1} ↔ Yours', fileName, name)),
  );
}

/** Whether the server has an item, as far as it is known. */
const hasServerFile = ({ here, server }: ItemStatus): boolean =>
  server !== 'deleted' && !(here === 'added' && server === 'unchanged');
