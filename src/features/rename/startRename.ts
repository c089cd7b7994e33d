import * as vscode from 'vscode';
import type { ResourceTarget, TreeTarget } from '../../contributions.ts';
import {
  planRename,
  type RenamePlan,
  type RenameProblem,
  getRenameProblem,
} from '../../changes/plan/rename/planRename.ts';
import type { Rename, RenameState } from '../../changes/plan/rename/renameState.ts';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { toResourceTarget } from '../../platform/treeTarget.ts';
import { readRenameState } from '../../changes/plan/renameDocuments.ts';
import { pickReferences } from './pickReferences.ts';
import type { RenameDeps } from './deps.ts';
import { withProgress } from './progress.ts';

const t = vscode.l10n.t;

/**
 * Renames a table or column: asks for the name, lets the user choose which references follow, and renames them in one
 * operation. Unchecked references keep the old name, and Review Changes lists them.
 * @param typedName the new name if the user has typed it already, as with F2 in SQL
 * @returns whether it was renamed
 */
export async function startRename(
  deps: RenameDeps,
  node: TreeTarget | undefined,
  given?: string,
): Promise<boolean> {
  const target = node === undefined ? undefined : toResourceTarget(node);
  if (target?.resource.kind !== 'table' && target?.resource.kind !== 'column') {
    await showInformation(
      target?.resource.kind === 'viewpoint'
        ? t('The name of a viewpoint is changed in its form or its JSON: open it.')
        : t('Select a table or a column in the explorer, then rename it.'),
    );
    return false;
  }
  const { client } = await deps.sessions.get(target.connectionId);
  const { resource } = target;
  const state = await withProgress(t('Looking who uses {0}…', target.name), (signal) =>
    readRenameState(client, resource.datamodelId, signal),
  );
  if (state === undefined) {
    await showInformation(t('{0} is no longer on the server.', target.name));
    return false;
  }
  const isGood =
    given !== undefined && getRenameProblem(state.model, toRename(resource, given)) === undefined;
  const to = isGood ? given : await promptForName(target, state, { resource, given });
  if (to === undefined) {
    return false;
  }
  const rename = toRename(resource, to);
  const { connectionId } = target;
  const leftOut = await promptForExcludedReferences(target, to, planRename(state, rename, { connectionId }));
  if (leftOut === undefined) {
    return false;
  }
  const { operation } = planRename(state, rename, { connectionId, leftOut });
  const report = await deps.performer.perform(operation);
  if (report !== undefined) {
    const message = t('{0} is now called {1}', target.name, to);
    vscode.window.setStatusBarMessage(`$(check) ${toPlainText(message)}`, statusShownMs);
  }
  return report !== undefined;
}

const statusShownMs = 5000;

type Renamable = Extract<ResourceTarget['resource'], { kind: 'table' | 'column' }>;

const toRename = (resource: Renamable, to: string): Rename => ({
  tableId: resource.tableId,
  ...(resource.kind === 'column' ? { columnId: resource.columnId } : {}),
  to,
});

const problemMessages: Readonly<Record<RenameProblem, () => string>> = {
  empty: () => t('Type a name.'),
  same: () => t('That is its name now.'),
  taken: () => t('Another one has that name; SQL knows no upper and lower case.'),
  gone: () => t('It is no longer on the server.'),
  star: () => t('The query of the table takes this column with *. Name it there first.'),
};

function promptForName(
  target: ResourceTarget,
  state: RenameState,
  { resource, given = target.name }: { readonly resource: Renamable; readonly given?: string | undefined },
): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Rename {0}', toPlainText([...target.within.slice(-1), target.name].join('.'))),
    prompt: t('SQL, rules and viewpoints that go by the name follow it. They are listed next.'),
    value: given,
    valueSelection: [0, given.length],
    ignoreFocusOut: true,
    validateInput: (to) => {
      const problem = getRenameProblem(state.model, toRename(resource, to));
      return problem === undefined ? undefined : problemMessages[problem]();
    },
  });
}

/** Asks which references keep the old name, and returns their keys; `undefined` if the user canceled. */
async function promptForExcludedReferences(
  target: ResourceTarget,
  to: string,
  { parts }: RenamePlan,
): Promise<ReadonlySet<string> | undefined> {
  if (parts.length === 0) {
    const rename = t('Rename');
    const renameOnlyItem = { label: rename, detail: t('Nothing goes by the name {0}.', target.name) };
    const choice = await vscode.window.showQuickPick([renameOnlyItem], {
      title: getTitle(target, to),
      ignoreFocusOut: true,
    });
    return choice === undefined ? undefined : new Set();
  }
  return pickReferences(getTitle(target, to), parts);
}

const getTitle = (target: ResourceTarget, to: string): string =>
  t('Rename {0} to {1}', toPlainText(target.name), toPlainText(to));
