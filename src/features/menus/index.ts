import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { CommandId, Commands } from '../../contributions.ts';
import { registerCommand, runCommand } from '../../platform/commands.ts';

/** The commands that take the arguments of a command. */
type TargetId<Id extends CommandId> = {
  [Target in CommandId]: Commands[Id] extends Commands[Target] ? Target : never;
}[CommandId];

/**
 * Registers the commands that menus show in place of others: a menu says once what the Command Palette repeats in each
 * title ("New ▸ Table…" for "New Table…"), and the editor shows the same title of a command everywhere.
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
  return store;
}
