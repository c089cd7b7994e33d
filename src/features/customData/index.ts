import type { Disposable } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { CustomDataDeps } from './deps.ts';

/** Custom data as a table that is filtered and changed; loaded when it is first asked for. */
export const register = (deps: CustomDataDeps): Disposable =>
  registerCommand('datamodelStudio.customData.open', deps.log, async (target) => {
    const { openCustomData } = await import('./customDataPanel.ts');
    await openCustomData(deps, target);
  });
