import * as vscode from 'vscode';
import type { CatalogChange } from '../../catalog/instanceCatalog.ts';
import { type ResourceTarget, views } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { showInformation } from '../../platform/messages.ts';
import { revealRow } from '../../platform/revealRow.ts';
import { updateSetting } from '../../platform/settings.ts';
import { toExpressionTarget, toResourceTarget } from '../../platform/treeTarget.ts';
import { createCopyHandlers } from './copyCommands.ts';
import type { ExplorerContext, ExplorerHandlers, ResolveNodes } from './deps.ts';
import { DoubleClicks } from './doubleClicks.ts';
import { showFilterInput } from './filterInput.ts';
import { type ExplorerNode, createOpenCommand } from './nodes/node.ts';
import type { ExplorerTreeProvider } from './treeProvider.ts';

/** The kinds of catalog parts whose nodes show builds or the results of builds. */
const partsWithBuilds: ReadonlySet<CatalogChange['kind']> = new Set([
  'all',
  'datamodels',
  'datamodel',
  'builds',
]);

/** Creates the handlers of the commands on nodes and on the view as a whole. */
export function createCommandHandlers(
  context: ExplorerContext,
  view: vscode.TreeView<ExplorerNode>,
  provider: ExplorerTreeProvider,
): ExplorerHandlers {
  const {
    log,
    buildMonitor,
    pins,
    sessions,
    connections,
    currentConnection,
    tenants,
    filter,
    clock,
    selection,
  } = context;
  // A context menu passes its node and, if that node is selected, all selected nodes. A keybinding passes nothing.
  const resolveNodes: ResolveNodes = (node, selectedNodes) =>
    (selectedNodes ?? (node === undefined ? selection.selectedNodes : [node])).flatMap(
      ({ id }) => provider.findNode(id) ?? [],
    );
  const getPins = (nodes: readonly ExplorerNode[]) => nodes.flatMap(({ pin }) => pin ?? []);
  const doubleClicks = new DoubleClicks(clock);
  const setGrouped = (isGrouped: boolean) => () => updateSetting('explorer.groupViewpoints', isGrouped);
  return {
    ...createCopyHandlers({ connections, sessions, resolveNodes }),
    'datamodelStudio.explorer.pin': (node, selectedNodes) =>
      getPins(resolveNodes(node, selectedNodes)).forEach((pin) => pins.add(pin)),
    'datamodelStudio.explorer.unpin': (node, selectedNodes) =>
      getPins(resolveNodes(node, selectedNodes)).forEach((pin) => pins.remove(pin)),
    'datamodelStudio.explorer.openJson': async (node, selectedNodes) => {
      const targets = resolveNodes(node, selectedNodes).flatMap(
        (targetNode) => toResourceTarget(targetNode) ?? [],
      );
      await openAll(targets.map((target) => ({ ...target, openAs: 'text' })));
    },
    'datamodelStudio.explorer.open': async (node, selectedNodes) => {
      if (node === undefined) {
        await openFocusedRow(view);
        return;
      }
      await openAll(
        resolveNodes(node, selectedNodes).flatMap((targetNode) => toResourceTarget(targetNode) ?? []),
      );
    },
    'datamodelStudio.explorer.openRow': async ({ id }) => {
      const node = provider.findNode(id);
      if (node !== undefined) {
        await openRow(node, doubleClicks.recordClick(id) ? 'focus' : 'preview');
      }
    },
    'datamodelStudio.explorer.openExpression': (node, selectedNodes) =>
      openAll(
        resolveNodes(node, selectedNodes).flatMap((targetNode) => toExpressionTarget(targetNode) ?? []),
      ),
    'datamodelStudio.explorer.selectTenant': async (target) => {
      const { selectTenant } = await import('./selectTenant.ts');
      await selectTenant({ connections, currentConnection, sessions, tenants }, target);
    },
    'datamodelStudio.explorer.addCubeSet': async (target) => {
      const { addCubeSet } = await import('./cubeSets.ts');
      await addCubeSet({ connections, currentConnection, sessions, log }, target);
    },
    'datamodelStudio.explorer.removeCubeSet': async (target) => {
      const { removeCubeSet } = await import('./cubeSets.ts');
      await removeCubeSet(connections, target);
    },
    'datamodelStudio.explorer.refresh': (node) => {
      const { connectionId, catalogPart } = (node && provider.findNode(node.id)) ?? {};
      const refreshed = connections.all.filter(
        ({ id }) => sessions.peek(id) !== undefined && (connectionId ?? id) === id,
      );
      provider.reload(node?.id);
      if (node === undefined || (catalogPart !== undefined && partsWithBuilds.has(catalogPart.kind))) {
        // Others may have started builds. The tree itself shows errors.
        refreshed.forEach(({ id }) => buildMonitor.refresh(id, { shouldReport: false }));
      }
    },
    'datamodelStudio.explorer.loadMore': async (node) => {
      await node?.loadMore();
      provider.refreshNode(node?.id);
    },
    'datamodelStudio.explorer.filter': () => showFilterInput(filter, clock),
    'datamodelStudio.explorer.clearFilter': () => filter.set(''),
    'datamodelStudio.explorer.groupViewpoints': setGrouped(true),
    'datamodelStudio.explorer.listViewpoints': setGrouped(false),
    'datamodelStudio.explorer.reveal': async (target) => {
      if (target !== undefined) {
        filter.set('');
        await reveal(view, provider, target);
      }
    },
  };
}

/** Opens resources. If there are several, none is opened in the preview tab, where they would replace each other. */
async function openAll(targets: readonly ResourceTarget[]): Promise<void> {
  for (const target of targets) {
    await runCommand(
      'datamodelStudio.documents.open',
      targets.length > 1 ? { ...target, keepsTab: true } : target,
    );
  }
}

/**
 * Opens the resource of a row as VS Code's Explorer opens files: a click shows a preview and leaves the keyboard focus
 * in the tree; a double click or Enter moves it to the editor, which stays open.
 */
async function openRow(node: ExplorerNode, mode: 'preview' | 'focus'): Promise<void> {
  const target = toResourceTarget(node);
  if (target !== undefined) {
    const isPreview = mode === 'preview';
    await runCommand('datamodelStudio.documents.open', {
      ...target,
      keepsTab: !isPreview,
      keepsFocus: isPreview,
    });
  }
}

/**
 * Handles Enter in the tree: selects the focused row and runs the command of the row, as in every tree, and then moves
 * the focus to what was opened. This is a command of its own because the command of a row cannot distinguish Enter from
 * a click.
 */
async function openFocusedRow(view: vscode.TreeView<ExplorerNode>): Promise<void> {
  await vscode.commands.executeCommand('list.select');
  const [node] = view.selection;
  if (node !== undefined && (await node.getTreeItem()).command?.command === createOpenCommand(node).command) {
    await openRow(node, 'focus');
  }
}

async function reveal(
  view: vscode.TreeView<ExplorerNode>,
  provider: ExplorerTreeProvider,
  target: ResourceTarget,
): Promise<void> {
  const { findNode } = await import('./findNode.ts');
  const find = (): Promise<ExplorerNode | undefined> => findNode(provider.getRoots(), target);
  if (!(await revealRow(view, views.explorer, find, { select: true }))) {
    // Not awaited: the commands that reveal what they have created must not wait until the message is closed.
    void showInformation(vscode.l10n.t("Can't find {0} in the Connections view.", target.name));
  }
}
