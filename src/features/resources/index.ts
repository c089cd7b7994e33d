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
  const runCommandByName = (name: SingleNodeCommand) => async (node?: TreeTarget) =>
    (await loadCommands())[name](deps, node);
  store.add(registerCommand('datamodelStudio.resources.newDatamodel', log, runCommandByName('addDatamodel')));
  store.add(registerCommand('datamodelStudio.resources.newDataset', log, runCommandByName('addDataset')));
  store.add(registerCommand('datamodelStudio.resources.newTable', log, runCommandByName('addTable')));
  store.add(
    registerCommand('datamodelStudio.resources.newCustomTable', log, runCommandByName('addCustomTable')),
  );
  store.add(
    registerCommand('datamodelStudio.resources.newCustomColumn', log, runCommandByName('addCustomColumn')),
  );
  store.add(registerCommand('datamodelStudio.resources.newRelation', log, runCommandByName('addRelation')));
  store.add(registerCommand('datamodelStudio.resources.newRule', log, runCommandByName('addRule')));
  store.add(registerCommand('datamodelStudio.resources.newViewpoint', log, runCommandByName('addViewpoint')));
  store.add(
    registerCommand('datamodelStudio.resources.newCustomData', log, runCommandByName('addCustomDataObject')),
  );
  store.add(
    registerCommand(
      'datamodelStudio.resources.changeCustomData',
      log,
      runCommandByName('changeMatchingObjects'),
    ),
  );
  store.add(
    registerCommand(
      'datamodelStudio.resources.deleteCustomData',
      log,
      runCommandByName('deleteMatchingObjects'),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.resources.buildBehaviour', log, runCommandByName('editBuildSettings')),
  );
  store.add(
    registerCommand('datamodelStudio.resources.duplicate', log, async (node) =>
      (await loadCommands()).duplicateResource(deps, node ?? deps.selection.current[0]),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.resources.delete', log, async (node, all) =>
      (await loadCommands()).deleteResources(deps, getTargetNodes(deps, node, all)),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.resources.hide', log, async (node, all) =>
      (await loadCommands()).setHidden(deps, getTargetNodes(deps, node, all), true),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.resources.unhide', log, async (node, all) =>
      (await loadCommands()).setHidden(deps, getTargetNodes(deps, node, all), false),
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
  all?: readonly TreeTarget[],
): readonly TreeTarget[] => all ?? (node === undefined ? selection.current : [node]);
