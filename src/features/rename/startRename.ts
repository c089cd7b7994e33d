import * as vscode from 'vscode';
import type { ResourceTarget, TreeTarget } from '../../contributions.ts';
import { planRename, type RenameProblem, getRenameProblem } from '../../changes/plan/rename/planRename.ts';
import type { Rename } from '../../changes/model/tableRenames.ts';
import type { RenameState } from '../../changes/plan/rename/renameState.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { toResourceTarget } from '../../platform/treeTarget.ts';
import { getCubeSetSubjects } from '../../connections/cubeSetSubjects.ts';
import { readRenameState } from '../../changes/plan/readRenameState.ts';
import { askForExcludedReferences } from './askForExcludedReferences.ts';
import type { RenameDeps } from './deps.ts';
import { planWorkspaceRename } from './workspaceRename.ts';
import { withProgress } from './progress.ts';

const t = vscode.l10n.t;

/**
 * Renames a viewpoint, table or column. For a table or column: asks for the name, lets the user choose which references
 * to rename, shows Review Changes, renames all of them in one operation, and then changes the SQL files of the
 * workspace. Unchecked references keep the old name.
 * @param typedName the new name if the user has typed it already, as with F2 in SQL
 */
export async function startRename(
  deps: RenameDeps,
  node: TreeTarget | undefined,
  typedName?: string,
): Promise<void> {
  const target = node === undefined ? undefined : toResourceTarget(node);
  if (target?.resource.kind === 'viewpoint') {
    const { renameViewpoint } = await import('./renameViewpoint.ts');
    const name = await renameViewpoint(deps, target, target.resource.viewpointId);
    if (name !== undefined) {
      showRenamed(target.name, name);
    }
    return;
  }
  if (target?.resource.kind !== 'table' && target?.resource.kind !== 'column') {
    await showInformation(
      target?.resource.kind === 'datamodel' || target?.resource.kind === 'dataset'
        ? t("The platform can't rename {0}. It can rename tables, columns, and viewpoints.", target.name)
        : t('In the Connections view, select a table, column, or viewpoint to rename.'),
    );
    return;
  }
  if (!(await ensureWritable(deps, target.connectionId))) {
    return;
  }
  const { client, catalog } = await deps.sessions.get(target.connectionId);
  const { resource } = target;
  const subjects = getCubeSetSubjects(deps.connections.find(target.connectionId));
  const cubeSets = { subjects, tableId: resource.tableId, namedDatamodels: catalog.namedDatamodels };
  const state = await withProgress(t('Finding references to {0}…', target.name), (signal) =>
    readRenameState(client, resource.datamodelId, { cubeSets, signal }),
  );
  if (state === undefined) {
    await showInformation(t('{0} no longer exists on the server.', target.name));
    return;
  }
  const isTypedNameValid =
    typedName !== undefined && getRenameProblem(state.model, createRename(resource, typedName)) === undefined;
  const input = isTypedNameValid ? typedName : await promptForName(target, state, { resource, typedName });
  if (input === undefined) {
    return;
  }
  const rename = createRename(resource, input);
  const { newName } = rename;
  const { connectionId } = target;
  const { references } = planRename(state, rename, { connectionId });
  const title = t('Rename {0} to {1}', toPlainText(target.name), toPlainText(newName));
  const workspaceRename = await planWorkspaceRename(
    deps,
    { connectionId, datamodelId: resource.datamodelId },
    { state, rename },
  );
  const excludedKeys =
    references.length + workspaceRename.references.length === 0
      ? new Set<string>()
      : await askForExcludedReferences(title, references, workspaceRename.references);
  if (excludedKeys === undefined) {
    return;
  }
  const { operation } = planRename(state, rename, { connectionId, excludedKeys });
  const report = await deps.changeReview.perform(
    operation,
    { alwaysReview: true },
    workspaceRename.describe(excludedKeys),
  );
  if (report !== undefined) {
    await workspaceRename.apply(excludedKeys);
    showRenamed(target.name, newName);
  }
}

function showRenamed(oldName: string, newName: string): void {
  const message = t('Renamed {0} to {1}', oldName, newName);
  vscode.window.setStatusBarMessage(`$(check) ${toPlainText(message)}`, statusMessageMs);
}

const statusMessageMs = 5000;

type Renamable = Extract<ResourceTarget['resource'], { kind: 'table' | 'column' }>;

const createRename = (resource: Renamable, newName: string): Rename => ({
  tableId: resource.tableId,
  ...(resource.kind === 'column' ? { columnId: resource.columnId } : {}),
  newName: newName.trim(),
});

const problemMessages: Readonly<Record<RenameProblem, () => string>> = {
  empty: () => t('Enter a name.'),
  same: () => t('The name is unchanged.'),
  taken: () => t("This name is already in use. Names in SQL aren't case-sensitive."),
  gone: () => t('This item no longer exists on the server.'),
  star: () => t('The query of the table selects this column with *. Name the column in the query first.'),
};

function promptForName(
  target: ResourceTarget,
  state: RenameState,
  {
    resource,
    typedName = target.name,
  }: { readonly resource: Renamable; readonly typedName?: string | undefined },
): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Rename {0}', toPlainText([...target.within.slice(-1), target.name].join('.'))),
    prompt: t('SQL, rules, and viewpoints that use the name are updated, too. You can review them next.'),
    value: typedName,
    valueSelection: [0, typedName.length],
    ignoreFocusOut: true,
    validateInput: (newName) => {
      const problem = getRenameProblem(state.model, createRename(resource, newName));
      return problem === undefined ? undefined : problemMessages[problem]();
    },
  });
}
