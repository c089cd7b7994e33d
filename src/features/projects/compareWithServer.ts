import * as vscode from 'vscode';
import { formatMessage } from '../../base/localize.ts';
import { reportFailure } from '../../platform/commands.ts';
import { showError, showInformation, showWarning } from '../../platform/messages.ts';
import { findEnvironmentConnection } from '../../platform/projects/environments.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { UnreadPart } from '../../project/source/readInstance.ts';
import { type ItemStatus, hasFile } from '../../project/status/itemStatus.ts';
import type { UnreadableFile } from '../../project/status/statusCalls.ts';
import type { ProjectDeps } from './deps.ts';
import { formatReadTime } from './environmentLabels.ts';
import { getConnectionOrExplain } from './projectConnection.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';
import type { ProjectSelection } from './projectSelection.ts';
import { describeUnreadPart } from './pullReport.ts';
import { refreshFromServer } from './refreshFromServer.ts';
import { createEmptyTextUri } from './serverTexts.ts';

const t = vscode.l10n.t;

/** The maximum number of files that are compared in one editor. */
const maxFiles = 500;

/** The maximum number of files that a message names. */
const maxNamedFiles = 3;

/** The maximum age of the data of the instance in a comparison; older data is read again first. */
const maxAgeMs = 60_000;

/**
 * Compares files with the server: one file in a diff editor, several in a multi-file diff editor. Reads the instance
 * first, unless that was done recently; if that fails, earlier data is used, and the title contains its time. Without a
 * connection, compares with the last data that was read or pulled, and offers to add a connection. Shows a message
 * about files that can't be compared.
 */
export async function compareFilesWithServer(deps: ProjectDeps, selection: ProjectSelection): Promise<void> {
  const { project } = selection;
  if (!isRecentlyRead(deps, project)) {
    if (vscode.workspace.isTrusted && findEnvironmentConnection(deps, project.environment) === undefined) {
      // First, since the message stays open until the user answers it.
      await showKnownVersions(deps, selection);
      if ((await getConnectionOrExplain(deps, project)) === undefined) {
        return;
      }
    }
    if (!(await tryRefresh(deps, project))) {
      return;
    }
  }
  await showComparison(deps, selection);
}

/**
 * Compares files with the last data that was read or pulled from the instance. If there is no such data and only one
 * file is selected, opens the file.
 */
async function showKnownVersions(deps: ProjectDeps, { project, paths }: ProjectSelection): Promise<void> {
  const items = filterSelected(project.items, paths);
  const [first, second] = items;
  const knownItems = items.filter(({ server }) => server !== 'unknown');
  if (knownItems.length > 0) {
    await showDifferences(project, knownItems, formatServerLabel(deps, project));
  } else if (await showLastPulled(project, items)) {
    return;
  } else if (first !== undefined && second === undefined && hasFile(first)) {
    await vscode.commands.executeCommand('vscode.open', project.getUri(first.path));
  }
}

/**
 * Compares items whose state on the server is unknown with what the last pull saw. Returns false if that is unknown, too.
 */
async function showLastPulled(project: ProjectSourceControl, items: readonly ItemStatus[]): Promise<boolean> {
  const comparableItems = await filterComparable(project, items);
  if (comparableItems.length > 0) {
    await showDifferences(project, comparableItems, t('{0} at the last pull', project.environment.name));
  }
  return comparableItems.length > 0;
}

async function showComparison(deps: ProjectDeps, { project, paths }: ProjectSelection): Promise<void> {
  const serverLabel = formatServerLabel(deps, project);
  const fault = project.status?.fault;
  if (fault !== undefined) {
    await showError(
      t('The differences from {0} are unknown. {1}', serverLabel, formatMessage(t, fault.message)),
    );
    return;
  }
  const items = filterSelected(project.items, paths);
  const comparedItems = items.filter(({ server }) => server !== 'unknown');
  const unknownItems = items.filter(({ server }) => server === 'unknown');
  const uncomparedPaths = [
    ...unknownItems,
    // A comparison of the whole project leaves out what the project doesn't manage.
    ...filterSelected(project.status?.uncomparedFiles ?? [], paths).filter(
      ({ isManaged }) => isManaged || paths.length > 0,
    ),
  ].map(({ path }) => path);
  const unreadable = (project.status?.unreadableFiles ?? []).filter(
    ({ path }) =>
      paths.length === 0 ||
      paths.some((other) => createContainmentTest(path)(other) || other.startsWith(`${path}/`)),
  );
  // A part that can't be read may have items that no file has.
  const failedParts =
    uncomparedPaths.length === 0 && (await hasFolder(project, paths)) ? project.failedParts : [];
  const gaps = [
    ...(unreadable.length === 0 ? [] : [describeUnreadable(serverLabel, unreadable)]),
    ...(uncomparedPaths.length === 0 ? [] : [describeUncompared(serverLabel, uncomparedPaths)]),
    ...(failedParts.length === 0 ? [] : [describeFailedParts(failedParts)]),
  ];
  if (comparedItems.length > 0) {
    await showDifferences(project, comparedItems, serverLabel);
  } else if (gaps.length === 0) {
    await showInformation(t('No differences from {0}.', serverLabel));
  } else {
    // Better than nothing.
    await showLastPulled(project, unknownItems);
  }
  const incompletePaths = [...uncomparedPaths, ...unreadable.map(({ path }) => path)];
  const isPartlyCompared =
    items.length === 0 && (paths.length === 0 || paths.some((path) => !incompletePaths.includes(path)));
  await Promise.all(
    gaps.map((gap, index) =>
      showWarning(
        isPartlyCompared && index === 0
          ? `${t('No differences in the files that could be compared.')} ${gap}`
          : gap,
      ),
    ),
  );
}

/** Returns whether folders are selected, or the whole project. */
async function hasFolder(project: ProjectSourceControl, paths: readonly string[]): Promise<boolean> {
  const areFolders = await Promise.all(
    paths.map(async (path) => {
      try {
        return (await vscode.workspace.fs.stat(project.getUri(path))).type === vscode.FileType.Directory;
      } catch {
        return false;
      }
    }),
  );
  return paths.length === 0 || areFolders.some(Boolean);
}

const isRecentlyRead = ({ clock }: ProjectDeps, { status, readAt = 0 }: ProjectSourceControl): boolean =>
  status?.isServerKnown === true && clock.now() - readAt < maxAgeMs;

/**
 * Reads the instance again. Returns whether there is data to compare with. If the read fails, data of an earlier read
 * is kept.
 */
async function tryRefresh(deps: ProjectDeps, project: ProjectSourceControl): Promise<boolean> {
  try {
    return (await refreshFromServer(deps, project)) || project.status?.isServerKnown === true;
  } catch (error) {
    if (project.status?.isServerKnown !== true) {
      throw error;
    }
    // Not awaited: the comparison with the earlier data is shown meanwhile.
    void reportFailure(error, deps.log);
    return true;
  }
}

/** Returns the label of the server in titles and messages; if the server was not read recently, with the time. */
function formatServerLabel(deps: ProjectDeps, project: ProjectSourceControl): string {
  const { environment, readAt } = project;
  return readAt === undefined || isRecentlyRead(deps, project)
    ? environment.name
    : t('{0} at {1}', environment.name, formatReadTime(readAt, deps.clock.now()));
}

/** Returns the items at the given paths, or in the folders at these; without paths, all. */
const filterSelected = <Item extends { readonly path: string }>(
  items: readonly Item[],
  paths: readonly string[],
): readonly Item[] =>
  items.filter(({ path }) => paths.length === 0 || paths.some(createContainmentTest(path)));

/** Returns a function that tests whether `path` is the given file or folder, or is inside it. */
const createContainmentTest =
  (path: string) =>
  (container: string): boolean =>
    path === container || path.startsWith(`${container}/`);

/** Leaves out the items whose text on the server is unknown. */
async function filterComparable(
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

function describeUnreadable(serverLabel: string, files: readonly UnreadableFile[]): string {
  const messages = files
    .slice(0, maxNamedFiles)
    .map(({ path, message }) => `${path}: ${formatMessage(t, message)}`);
  return t(
    "Some files can't be read, so their differences from {0} are unknown. {1}",
    serverLabel,
    joinTruncated(messages, files.length, ' '),
  );
}

const describeUncompared = (serverLabel: string, paths: readonly string[]): string =>
  t(
    "Some files aren't compared because their state on {0} is unknown: {1}",
    serverLabel,
    joinTruncated(paths.slice(0, maxNamedFiles), paths.length, ', '),
  );

const describeFailedParts = (failedParts: readonly UnreadPart[]): string =>
  t(
    "Some items can't be read, so their status is unknown. {0}",
    failedParts.map(describeUnreadPart).join(' '),
  );

const joinTruncated = (texts: readonly string[], totalCount: number, separator: string): string =>
  [...texts, ...(texts.length < totalCount ? ['…'] : [])].join(separator);

async function showDifferences(
  project: ProjectSourceControl,
  items: readonly ItemStatus[],
  serverLabel: string,
): Promise<void> {
  const [first, second] = items;
  if (first !== undefined && second === undefined) {
    await compareFile(project, first, serverLabel);
    return;
  }
  const shown = items.slice(0, maxFiles);
  const title =
    shown.length < items.length
      ? t('Differences from {0} (first {1} of {2})', serverLabel, shown.length, items.length)
      : t('Differences from {0}', serverLabel);
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

async function compareFile(
  project: ProjectSourceControl,
  item: ItemStatus,
  serverLabel: string,
): Promise<void> {
  const { path } = item;
  const fileName = path.slice(path.lastIndexOf('/') + 1);
  const original = hasServerFile(item) ? project.getServerTextUri(path) : createEmptyTextUri(path);
  const modified = hasFile(item) ? project.getUri(path) : createEmptyTextUri(path);
  const title = toPlainText(t('{0}: {1} ↔ Yours', fileName, serverLabel));
  await closeWithOtherTitle(original, modified, title);
  await vscode.commands.executeCommand('vscode.diff', original, modified, title);
}

/** Closes open editors of a comparison that have another title: VS Code would reuse them without changing the title. */
async function closeWithOtherTitle(original: vscode.Uri, modified: vscode.Uri, title: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ label, input, isDirty }) =>
        input instanceof vscode.TabInputTextDiff &&
        String(input.original) === String(original) &&
        String(input.modified) === String(modified) &&
        label !== title &&
        !isDirty,
    );
  await vscode.window.tabGroups.close(tabs, true);
}

/** Returns whether the server has a file for an item, as far as its state is known. */
const hasServerFile = ({ here, server }: ItemStatus): boolean =>
  server !== 'deleted' && !(here === 'added' && server === 'unchanged');
