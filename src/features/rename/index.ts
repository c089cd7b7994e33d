import type { Disposable } from '../../base/disposable.ts';
import type { Plan } from '../../changes/model/plan.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { Write } from '../../changes/model/operation.ts';
import type { RenameDeps } from './deps.ts';

/**
 * Registers the command that renames a viewpoint, or a table or column with all its references; loaded on first use.
 */
export function register(deps: RenameDeps): Disposable {
  return registerCommand('datamodelStudio.rename.start', deps.log, async (node, newName) => {
    const { startRename } = await import('./startRename.ts');
    // A tree menu passes all selected nodes as its second argument.
    await startRename(
      deps,
      node ?? deps.selection.selectedNodes[0],
      typeof newName === 'string' ? newName : undefined,
    );
  });
}

/**
 * Returns a function that plans the additional writes of a save that renames something; its code is loaded with the
 * first such save.
 */
export const createReferenceUpdatePlanner =
  (deps: Pick<RenameDeps, 'connections' | 'sessions'>) =>
  async (plan: Plan): Promise<readonly Write[] | 'cancel'> =>
    (await import('./planReferenceUpdates.ts')).planReferenceUpdates(deps, plan);
