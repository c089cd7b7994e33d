import * as vscode from 'vscode';
import { type Message, formatMessage } from '../../base/localize.ts';
import { createCommand } from '../../platform/commands.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { isInPart } from '../../project/source/isInPart.ts';
import type { UnreadPart } from '../../project/source/readInstance.ts';
import {
  type ItemStatus,
  type UncomparedFile,
  getStatusGroup,
  hasFile,
} from '../../project/status/itemStatus.ts';
import { describeItemStatus } from './itemLabels.ts';
import { describeUnreadPart } from './pullReport.ts';
import { getRestrictedModeText } from './restrictedMode.ts';

const t = vscode.l10n.t;

/** A file that can't be read, and why. For the settings and the lock file, the message contains the line. */
export interface StatusProblem {
  readonly path: string;
  readonly line?: number;
  readonly message: Message;
}

export const formatStatusProblem = ({ line, message }: StatusProblem): string => {
  const text = formatMessage(t, message);
  return toPlainText(line === undefined ? text : t('Line {0}: {1}', line, text));
};

/** Creates the row of a file whose status is unknown. */
export const createProblemRow = (
  resourceUri: vscode.Uri,
  problem: StatusProblem,
): vscode.SourceControlResourceState => ({
  resourceUri,
  decorations: { tooltip: formatStatusProblem(problem) },
  command: createOpenCommand(resourceUri, problem.line),
  contextValue: 'unknown',
});

/** Returns the label of the group with the changes on the server; `time` is when it was read, if it was. */
export const formatServerGroupLabel = (time: string | undefined, isIncomplete: boolean): string =>
  time === undefined
    ? t('Changed on the Server')
    : isIncomplete
      ? t('Changed on the Server, {0} (some items unknown)', time)
      : t('Changed on the Server, {0}', time);

/** Describes why the state of files on the server is unknown, by path. Leaves out what the project doesn't manage. */
export const describeUncomparedFiles = (
  files: readonly UncomparedFile[],
  failedParts: readonly UnreadPart[],
): ReadonlyMap<string, string> =>
  new Map(
    files
      .filter(({ isManaged }) => isManaged)
      .map((file) => [file.path, describeUncomparedFile(file, failedParts)]),
  );

function describeUncomparedFile({ key }: UncomparedFile, failedParts: readonly UnreadPart[]): string {
  const parts = failedParts.filter(({ part }) => isInPart(key, part));
  // The text of any item may contain the ID of a user or group.
  const causes = parts.length > 0 ? parts : failedParts.filter(({ part }) => part.kind === 'people');
  return toPlainText(
    causes.length > 0
      ? t(
          "Unchanged here. Its state on the server is unknown because it couldn't be read. {0}",
          causes.map(describeUnreadPart).join(' '),
        )
      : t(
          "Unchanged here. Its state on the server is unknown: the server has it in a form that can't be stored in a file, or under a name that the project doesn't manage.",
        ),
  );
}

/** Creates the row of an unchanged file whose state on the server is unknown. */
export const createUncomparedFileRow = (
  resourceUri: vscode.Uri,
  reason: string,
): vscode.SourceControlResourceState => ({
  resourceUri,
  decorations: { tooltip: reason },
  command: createOpenCommand(resourceUri),
  contextValue: 'unknown',
});

/** Creates the row that is shown until the files of a project have been read. */
export const createLoadingRow = (resourceUri: vscode.Uri): vscode.SourceControlResourceState => ({
  resourceUri,
  decorations: { tooltip: t('The project files are being read. Their status is unknown until then.') },
  command: createOpenCommand(resourceUri),
  contextValue: 'loading',
});

/** Creates the row of an environment that starts a comparison; in Restricted Mode, it opens the file. */
export function createUncomparedRow(
  resourceUri: vscode.Uri,
  environmentName: string,
  isOutdated: boolean,
): vscode.SourceControlResourceState {
  const title = t('Compare with {0}', toPlainText(environmentName));
  if (!vscode.workspace.isTrusted) {
    return {
      resourceUri,
      contextValue: 'uncompared',
      decorations: { tooltip: getRestrictedModeText() },
      command: createOpenCommand(resourceUri),
    };
  }
  return {
    resourceUri,
    contextValue: 'uncompared',
    decorations: {
      tooltip: isOutdated
        ? t(
            'The instance might have changed since it was last read. Click to compare with {0}.',
            toPlainText(environmentName),
          )
        : title,
    },
    command: createCommand('datamodelStudio.projects.refresh', title, resourceUri),
  };
}

/** Creates the row of an item that differs. */
export const createItemRow = (
  resourceUri: vscode.Uri,
  item: ItemStatus,
): vscode.SourceControlResourceState => ({
  resourceUri,
  contextValue: `${item.isConflict ? 'conflict' : getStatusGroup(item)}${hasFile(item) ? '' : '.noFile'}`,
  decorations: {
    tooltip: describeItemStatus(item),
    strikeThrough: item.here === 'deleted' || item.server === 'deleted',
  },
  ...createItemCommand(resourceUri, item),
});

/** Returns what a click on a row does. In Restricted Mode, it opens the file: nothing may be sent to the server. */
function createItemCommand(
  uri: vscode.Uri,
  item: ItemStatus,
): Pick<vscode.SourceControlResourceState, 'command'> {
  if (vscode.workspace.isTrusted) {
    return {
      command: item.isConflict
        ? createCommand('datamodelStudio.projects.resolveConflicts', t('Resolve Conflicts…'), uri)
        : createCommand('datamodelStudio.projects.compare', t('Compare with Server'), uri),
    };
  }
  return hasFile(item) ? { command: createOpenCommand(uri) } : {};
}

const createOpenCommand = (uri: vscode.Uri, line?: number): vscode.Command => ({
  command: 'vscode.open',
  title: t('Open File'),
  arguments: [
    uri,
    ...(line === undefined ? [] : [{ selection: new vscode.Range(line - 1, 0, line - 1, 0) }]),
  ],
});

/** Opens the files of rows. A file that can't be read is opened at the error, like by a click. */
export async function openRowFiles(rows: readonly vscode.SourceControlResourceState[]): Promise<void> {
  for (const { resourceUri, command } of rows) {
    const [, options] = command?.command === 'vscode.open' ? (command.arguments ?? []) : [];
    await vscode.commands.executeCommand('vscode.open', resourceUri, { preview: false, ...options });
  }
}
