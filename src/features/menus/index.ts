import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { CommandId, Commands } from '../../contributions.ts';
import { registerCommand, runCommand } from '../../platform/commands.ts';

/** The commands that accept the arguments of the command `Id`. */
type TargetId<Id extends CommandId> = {
  [Target in CommandId]: Commands[Id] extends Commands[Target] ? Target : never;
}[CommandId];

/**
 * Registers aliases of commands for menus. A command has the same title everywhere, but a submenu needs a shorter one:
 * in "New ▸ Table…", the alias has the title "Table…", whereas the Command Palette shows "New Table…".
 */
export function register({ log }: { readonly log: Log }): Disposable {
  const store = new DisposableStore();
  const registerAlias = <Id extends CommandId>(id: Id, target: TargetId<Id>): void => {
    store.add(registerCommand(id, log, (...args) => runCommand<CommandId>(target, ...args)));
  };
  registerAlias('datamodelStudio.menus.refresh', 'datamodelStudio.explorer.refresh');
  registerAlias('datamodelStudio.menus.compare', 'datamodelStudio.compare.start');
  registerAlias('datamodelStudio.menus.newDataset', 'datamodelStudio.resources.newDataset');
  registerAlias('datamodelStudio.menus.newTable', 'datamodelStudio.resources.newTable');
  registerAlias('datamodelStudio.menus.newCustomTable', 'datamodelStudio.resources.newCustomTable');
  registerAlias('datamodelStudio.menus.newCustomColumn', 'datamodelStudio.resources.newCustomColumn');
  registerAlias('datamodelStudio.menus.newRelation', 'datamodelStudio.resources.newRelation');
  registerAlias('datamodelStudio.menus.newRule', 'datamodelStudio.resources.newRule');
  registerAlias('datamodelStudio.menus.newViewpoint', 'datamodelStudio.resources.newViewpoint');
  registerAlias('datamodelStudio.menus.editDescription', 'datamodelStudio.resources.editDescription');
  registerAlias(
    'datamodelStudio.menus.editConnectorOptions',
    'datamodelStudio.resources.editConnectorOptions',
  );
  registerAlias('datamodelStudio.menus.projects.refresh', 'datamodelStudio.projects.refresh');
  registerAlias('datamodelStudio.menus.projects.compare', 'datamodelStudio.projects.compare');
  registerAlias('datamodelStudio.menus.projects.update', 'datamodelStudio.projects.update');
  registerAlias('datamodelStudio.menus.projects.plan', 'datamodelStudio.projects.plan');
  registerAlias('datamodelStudio.menus.projects.apply', 'datamodelStudio.projects.apply');
  return store;
}
