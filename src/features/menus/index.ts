import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { registerCommand, runCommand } from '../../platform/commands.ts';

/**
 * Registers the commands that menus show in place of others: a menu says once what the Command Palette repeats in each
 * title ("New ▸ Table…" for "New Table…"), and the editor shows the same title of a command everywhere.
 */
export function register({ log }: { readonly log: Log }): Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommand('datamodelStudio.menus.refresh', log, (node) =>
      runCommand('datamodelStudio.explorer.refresh', node),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.menus.compare', log, (node) =>
      runCommand('datamodelStudio.compare.start', node),
    ),
  );
  store.add(registerNewMenu(log));
  store.add(registerEditMenu(log));
  return store;
}

function registerNewMenu(log: Log): Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommand('datamodelStudio.menus.newDataset', log, (node) =>
      runCommand('datamodelStudio.resources.newDataset', node),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.menus.newTable', log, (node) =>
      runCommand('datamodelStudio.resources.newTable', node),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.menus.newCustomTable', log, (node) =>
      runCommand('datamodelStudio.resources.newCustomTable', node),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.menus.newCustomColumn', log, (node) =>
      runCommand('datamodelStudio.resources.newCustomColumn', node),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.menus.newRelation', log, (node) =>
      runCommand('datamodelStudio.resources.newRelation', node),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.menus.newRule', log, (node) =>
      runCommand('datamodelStudio.resources.newRule', node),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.menus.newViewpoint', log, (node) =>
      runCommand('datamodelStudio.resources.newViewpoint', node),
    ),
  );
  return store;
}

function registerEditMenu(log: Log): Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommand('datamodelStudio.menus.editDescription', log, (node) =>
      runCommand('datamodelStudio.resources.editDescription', node),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.menus.editConnectorOptions', log, (node) =>
      runCommand('datamodelStudio.resources.editConnectorOptions', node),
    ),
  );
  return store;
}
