import * as vscode from 'vscode';
import type { ResourceTarget, TreeTarget } from '../../contributions.ts';
import type { ReferrerKind } from '../../impact/plan.ts';
import {
  planRename,
  type RenamePlan,
  type RenameProblem,
  renameProblem,
} from '../../impact/rename/planRename.ts';
import type { RenamePart } from '../../impact/rename/renameOperation.ts';
import type { Rename, RenameState } from '../../impact/rename/renameState.ts';
import { showInformation } from '../../platform/messages.ts';
import { plainText } from '../../platform/plainText.ts';
import { resourceTarget } from '../../platform/treeTarget.ts';
import { readRenameState } from '../../writes/renameDocuments.ts';
import type { RenameDeps } from './deps.ts';

const t = vscode.l10n.t;

/**
 * Renames a table or column: asks for the name, shows every place that goes by it, all of them ticked, and does it as
 * one operation. What a person unticks stays on the old name, which the plan then lists by name before it is accepted.
 */
export async function startRename(deps: RenameDeps, node: TreeTarget | undefined): Promise<void> {
  const target = node === undefined ? undefined : resourceTarget(node);
  if (target?.resource.kind !== 'table' && target?.resource.kind !== 'column') {
    await showInformation(t('Select a table or a column in the explorer, then rename it.'));
    return;
  }
  const { client } = await deps.sessions.get(target.connectionId);
  const { resource } = target;
  const state = await withProgress(t('Looking who uses {0}…', target.name), (signal) =>
    readRenameState(client, resource.datamodelId, signal),
  );
  if (state === undefined) {
    await showInformation(t('{0} is no longer on the server.', target.name));
    return;
  }
  const to = await askName(target, state, resource);
  if (to === undefined) {
    return;
  }
  const rename = renameOf(resource, to);
  const { connectionId } = target;
  const leftOut = await askParts(target, to, planRename(state, rename, { connectionId }));
  if (leftOut === undefined) {
    return;
  }
  const { operation } = planRename(state, rename, { connectionId, leftOut });
  const report = await deps.performer.perform(operation);
  if (report !== undefined) {
    const told = t('{0} is now called {1}', target.name, to);
    vscode.window.setStatusBarMessage(`$(check) ${plainText(told)}`, statusShownMs);
  }
}

const statusShownMs = 5000;

type Renamable = Extract<ResourceTarget['resource'], { kind: 'table' | 'column' }>;

const renameOf = (resource: Renamable, to: string): Rename => ({
  tableId: resource.tableId,
  ...(resource.kind === 'column' ? { columnId: resource.columnId } : {}),
  to,
});

const problems: Readonly<Record<RenameProblem, () => string>> = {
  empty: () => t('Type a name.'),
  same: () => t('That is its name now.'),
  taken: () => t('Another one has that name; SQL knows no upper and lower case.'),
  gone: () => t('It is no longer on the server.'),
  star: () => t('The query of the table takes this column with *. Name it there first.'),
};

function askName(
  target: ResourceTarget,
  state: RenameState,
  resource: Renamable,
): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Rename {0}', plainText([...target.within.slice(-1), target.name].join('.'))),
    prompt: t('SQL, rules and viewpoints that go by the name follow it. They are listed next.'),
    value: target.name,
    valueSelection: [0, target.name.length],
    ignoreFocusOut: true,
    validateInput: (to) => {
      const problem = renameProblem(state.model, renameOf(resource, to));
      return problem === undefined ? undefined : problems[problem]();
    },
  });
}

const groupTitles: readonly (readonly [by: ReferrerKind, title: () => string, icon: string])[] = [
  ['tableExpression', () => t('SQL of custom tables'), 'code'],
  ['columnExpression', () => t('SQL of custom columns'), 'symbol-field'],
  ['rule', () => t('Data security rules'), 'shield'],
  ['viewpoint', () => t('Viewpoints'), 'eye'],
];

interface PartItem extends vscode.QuickPickItem {
  readonly part?: RenamePart;
}

/** The keys of the parts that stay on the old name; `undefined` when the person gave up. */
async function askParts(
  target: ResourceTarget,
  to: string,
  { parts }: RenamePlan,
): Promise<ReadonlySet<string> | undefined> {
  if (parts.length === 0) {
    const rename = t('Rename');
    const nobody = { label: rename, detail: t('Nothing goes by the name {0}.', target.name) };
    const choice = await vscode.window.showQuickPick([nobody], {
      title: title(target, to),
      ignoreFocusOut: true,
    });
    return choice === undefined ? undefined : new Set();
  }
  const items = groupTitles.flatMap(([by, group, icon]): readonly PartItem[] => {
    const own = parts.filter((part) => part.by === by);
    return own.length === 0
      ? []
      : [
          { label: group(), kind: vscode.QuickPickItemKind.Separator },
          ...own.map((part) => ({
            label: plainText(part.subject.name),
            description: plainText(part.subject.within.join(' › ')),
            iconPath: new vscode.ThemeIcon(icon),
            picked: true,
            part,
          })),
        ];
  });
  const picked = await vscode.window.showQuickPick(items, {
    title: title(target, to),
    placeHolder: t('{0} places follow the new name. What you leave out stops working.', parts.length),
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  if (picked === undefined) {
    return undefined;
  }
  const kept = new Set(picked.flatMap(({ part }) => part?.key ?? []));
  return new Set(parts.map(({ key }) => key).filter((key) => !kept.has(key)));
}

const title = (target: ResourceTarget, to: string): string =>
  t('Rename {0} to {1}', plainText(target.name), plainText(to));

/** A wait in the window that can be given up. */
async function withProgress<T>(text: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: plainText(text),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_progress, token) => {
    const ended = new AbortController();
    const listening = token.onCancellationRequested(() => ended.abort(new vscode.CancellationError()));
    try {
      return await run(ended.signal);
    } finally {
      listening.dispose();
    }
  });
}
