import type { Disposable } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { RenameDeps } from './deps.ts';

/** Renaming a table or column everywhere at once; loaded with the first rename. */
export function register(deps: RenameDeps): Disposable {
  return registerCommand('datamodelStudio.rename.start', deps.log, async (node) => {
    const { startRename } = await import('./startRename.ts');
    await startRename(deps, node ?? deps.selection.current[0]);
  });
}
