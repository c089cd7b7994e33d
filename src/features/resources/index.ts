import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { TreeTarget } from '../../contributions.ts';
import type { ResourcesDeps } from './deps.ts';

const load = () => import('./commands.ts');

/** Commands that take the one node that they were called on. */
const single = {
  'datamodelStudio.resources.newDatamodel': 'newDatamodel',
  'datamodelStudio.resources.newDataset': 'newDataset',
  'datamodelStudio.resources.newTable': 'newTable',
  'datamodelStudio.resources.newCustomTable': 'newCustomTable',
  'datamodelStudio.resources.newCustomColumn': 'newCustomColumn',
  'datamodelStudio.resources.newRelation': 'newRelation',
  'datamodelStudio.resources.newRule': 'newRule',
  'datamodelStudio.resources.newViewpoint': 'newViewpoint',
  'datamodelStudio.resources.newCustomData': 'newCustomDataObject',
  'datamodelStudio.resources.changeCustomData': 'changeMatching',
  'datamodelStudio.resources.deleteCustomData': 'removeMatching',
  'datamodelStudio.resources.buildBehaviour': 'chooseBuildBehaviour',
  'datamodelStudio.resources.duplicate': 'duplicate',
} as const;

type SingleCommand = keyof typeof single;

/** Making, copying, hiding and deleting resources, from the tree and from the palette. */
export function register(deps: ResourcesDeps): Disposable {
  const store = new DisposableStore();
  const { log } = deps;
  for (const id of Object.keys(single) as SingleCommand[]) {
    store.add(registerCommand(id, log, async (node?: TreeTarget) => (await load())[single[id]](deps, node)));
  }
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

/** A menu passes the node it was opened on and, if that is among the selected ones, all of them; a key passes none. */
const chosen = (
  { selection }: ResourcesDeps,
  node?: TreeTarget,
  all?: readonly TreeTarget[],
): readonly TreeTarget[] => all ?? (node === undefined ? selection.current : [node]);
