import * as vscode from 'vscode';
import { createViewpointRenameOperation } from '../../changes/operations/viewpointActions.ts';
import type { ResourceTarget } from '../../contributions.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { RenameDeps } from './deps.ts';

const t = vscode.l10n.t;

/**
 * Renames a viewpoint. Unlike for a table or column, nothing refers to it by name, so no references are listed, and
 * Review Changes is shown only if the connection requires it.
 * @returns the new name; `undefined` if the user canceled
 */
export async function renameViewpoint(
  deps: RenameDeps,
  { connectionId, name }: ResourceTarget,
  viewpointId: string,
): Promise<string | undefined> {
  if (!(await ensureWritable(deps, connectionId))) {
    return undefined;
  }
  const { catalog } = await deps.sessions.get(connectionId);
  const usedNames = new Set(
    catalog.knownResources.viewpoints
      .filter(({ id }) => id !== viewpointId)
      .map((viewpoint) => viewpoint.name),
  );
  const input = await vscode.window.showInputBox({
    title: t('Rename {0}', toPlainText(name)),
    prompt: t('Users of the viewpoint see this name.'),
    value: name,
    valueSelection: [0, name.length],
    ignoreFocusOut: true,
    validateInput: (text) => findNameProblem(text.trim(), name, usedNames),
  });
  if (input === undefined) {
    return undefined;
  }
  const newName = input.trim();
  const operation = createViewpointRenameOperation(
    { connectionId, within: [] },
    { viewpointId, name },
    newName,
  );
  return (await deps.changeReview.perform(operation)) === undefined ? undefined : newName;
}

/**
 * Returns what is wrong with a name. Names are unique (rest-api.md, "Viewpoint"); the server checks for conflicts with
 * viewpoints that are not loaded.
 */
function findNameProblem(
  newName: string,
  oldName: string,
  usedNames: ReadonlySet<string | null | undefined>,
): string | undefined {
  if (newName === '') {
    return t('Enter a name.');
  }
  if (newName === oldName) {
    return t('This is the current name.');
  }
  return usedNames.has(newName) ? t('A viewpoint named {0} already exists.', newName) : undefined;
}
