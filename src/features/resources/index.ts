import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { TreeTarget } from '../../contributions.ts';
import type { ResourcesDeps } from './deps.ts';

const load = () => import('./commands.ts');

type SingleCommand = Exclude<keyof Awaited<ReturnType<typeof load>>, 'hide' | 'remove'>;

/** Making, copying, hiding and deleting resources, from the tree and from the palette. */
export function register(deps: ResourcesDeps): Disposable {
  const store = new DisposableStore();
  const { log } = deps;
  /** Runs one of the commands that take the node they were called on. */
  const one = (name: SingleCommand) => async (node?: TreeTarget) => (await load())[name](deps, node);
  store.add(registerCommand('datamodelStudio.resources.newDatamodel', log, one('newDatamodel')));
  store.add(registerCommand('datamodelStudio.resources.newDataset', log, one('newDataset')));
  store.add(registerCommand('datamodelStudio.resources.newTable', log, one('newTable')));
  store.add(registerCommand('datamodelStudio.resources.newCustomTable', log, one('newCustomTable')));
  store.add(registerCommand('datamodelStudio.resources.newCustomColumn', log, one('newCustomColumn')));
  store.add(registerCommand('datamodelStudio.resources.newRelation', log, one('newRelation')));
  store.add(registerCommand('datamodelStudio.resources.newRule', log, one('newRule')));
  store.add(registerCommand('datamodelStudio.resources.newViewpoint', log, one('newViewpoint')));
  store.add(registerCommand('datamodelStudio.resources.newCustomData', log, one('newCustomDataObject')));
  store.add(registerCommand('datamodelStudio.resources.changeCustomData', log, one('changeMatching')));
  store.add(registerCommand('datamodelStudio.resources.deleteCustomData', log, one('removeMatching')));
  store.add(registerCommand('datamodelStudio.resources.buildBehaviour', log, one('chooseBuildBehaviour')));
  store.add(
    registerCommand('datamodelStudio.resources.duplicate', log, async (node) =>
      (await load()).duplicate(deps, node ?? deps.selection.current[0]),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.resources.delete', log, async (node, all) =>
      (await load()).remove(deps, chosen(deps, node, all)),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.resources.hide', log, async (node, all) =>
      (await load()).hide(deps, chosen(deps, node, all), true),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.resources.unhide', log, async (node, all) =>
      (await load()).hide(deps, chosen(deps, node, all), false),
    ),
  );
  return store;
}

/**
 * A menu passes the node it was opened on and, if that is among the selected ones, all of them; a key and the palette
 * pass none.
 */
const chosen = (
  { selection }: ResourcesDeps,
  node?: TreeTarget,
  all?: readonly TreeTarget[],
): readonly TreeTarget[] => all ?? (node === undefined ? selection.current : [node]);
