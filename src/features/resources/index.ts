import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { TreeTarget } from '../../contributions.ts';
import type { ResourcesDeps } from './deps.ts';

const loadCommands = () => import('./commands.ts');

type SingleNodeCommand = Exclude<
  keyof Awaited<ReturnType<typeof loadCommands>>,
  'setHidden' | 'deleteResources'
>;

/** Registers the commands that create, copy, change, hide and delete resources. */
export function register(deps: ResourcesDeps): Disposable {
  const store = new DisposableStore();
  const { log } = deps;
  /** Creates the handler of a command on a single node. */
  const createHandler = (name: SingleNodeCommand) => async (node?: TreeTarget) =>
    (await loadCommands())[name](deps, node);
  store.add(registerCommand('datamodelStudio.resources.newDatamodel', log, createHandler('addDatamodel')));
  store.add(registerCommand('datamodelStudio.resources.newDataset', log, createHandler('addDataset')));
  store.add(registerCommand('datamodelStudio.resources.newTable', log, createHandler('addTable')));
  store.add(
    registerCommand('datamodelStudio.resources.newCustomTable', log, createHandler('addCustomTable')),
  );
  store.add(
    registerCommand('datamodelStudio.resources.newCustomColumn', log, createHandler('addCustomColumn')),
  );
  store.add(registerCommand('datamodelStudio.resources.newRelation', log, createHandler('addRelation')));
  store.add(registerCommand('datamodelStudio.resources.newRule', log, createHandler('addRule')));
  store.add(registerCommand('datamodelStudio.resources.newViewpoint', log, createHandler('addViewpoint')));
  store.add(
    registerCommand('datamodelStudio.resources.newCustomData', log, createHandler('addCustomDataObject')),
  );
  store.add(
    registerCommand(
      'datamodelStudio.resources.changeCustomData',
      log,
      createHandler('changeMatchingCustomData'),
    ),
  );
  store.add(
    registerCommand(
      'datamodelStudio.resources.deleteCustomData',
      log,
      createHandler('deleteMatchingCustomData'),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.resources.buildBehaviour', log, createHandler('editBuildSettings')),
  );
  store.add(
    registerCommand('datamodelStudio.resources.editDescription', log, createHandler('editDescription')),
  );
  store.add(
    registerCommand(
      'datamodelStudio.resources.editConnectorOptions',
      log,
      createHandler('editConnectorOptions'),
    ),
  );
  store.add(
    registerCommand(
      'datamodelStudio.resources.changeConnection',
      log,
      createHandler('changeDatasetConnection'),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.resources.extendRelation', log, createHandler('addColumnToRelation')),
  );
  store.add(
    registerCommand('datamodelStudio.resources.duplicate', log, async (node) =>
      (await loadCommands()).duplicateResource(deps, node ?? deps.selection.selectedNodes[0]),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.resources.delete', log, async (node, selectedNodes) =>
      (await loadCommands()).deleteResources(deps, getTargetNodes(deps, node, selectedNodes)),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.resources.hide', log, async (node, selectedNodes) =>
      (await loadCommands()).setHidden(deps, getTargetNodes(deps, node, selectedNodes), true),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.resources.unhide', log, async (node, selectedNodes) =>
      (await loadCommands()).setHidden(deps, getTargetNodes(deps, node, selectedNodes), false),
    ),
  );
  return store;
}

/**
 * Returns the nodes that a command applies to. A context menu passes its node and, if that node is selected, all
 * selected nodes; a keybinding and the Command Palette pass none.
 */
const getTargetNodes = (
  { selection }: ResourcesDeps,
  node?: TreeTarget,
  selectedNodes?: readonly TreeTarget[],
): readonly TreeTarget[] => selectedNodes ?? (node === undefined ? selection.selectedNodes : [node]);
