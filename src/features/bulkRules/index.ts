import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { BulkRulesDeps } from './deps.ts';

/** Registers importing, exporting and copying rules, and replacing a user or group in them; loaded on first use. */
export function register(deps: BulkRulesDeps): Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommand('datamodelStudio.rules.import', deps.log, async (target) => {
      const { importRules } = await import('./importRules.ts');
      await importRules(deps, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.rules.export', deps.log, async (target) => {
      const { exportRules } = await import('./exportRules.ts');
      await exportRules(deps, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.rules.copy', deps.log, async (target) => {
      const { copyRules } = await import('./copyRules.ts');
      await copyRules(deps, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.rules.addToSeveral', deps.log, async (node) => {
      const { addRulesToDatamodels } = await import('./addRulesToDatamodels.ts');
      await addRulesToDatamodels(deps, node);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.rules.replaceParty', deps.log, async (target) => {
      const { replaceParty } = await import('./replaceParty.ts');
      await replaceParty(deps, target);
    }),
  );
  return store;
}
