import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { webviews } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { AuditServices } from './auditPanel.ts';
import type { AccessFeatureDeps } from './deps.ts';

/**
 * Registers Effective Access, the rule matrix, the security check and the import of group membership; each is loaded on
 * first use.
 */
export function register(deps: AccessFeatureDeps): Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => {
    const { RulesPages } = await import('./rulesPages.ts');
    return store.add(new RulesPages(deps));
  });
  store.add(
    registerCommand('datamodelStudio.access.open', deps.log, async (target) =>
      (await load()).openAccess(target),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.access.openFiles', deps.log, async (uri) =>
      (await load()).openFileAccess(uri),
    ),
  );
  store.add(
    vscode.window.registerWebviewPanelSerializer(webviews.access, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await load()).restoreAccess(panel, state),
    }),
  );
  store.add(
    registerCommand('datamodelStudio.access.editMatrix', deps.log, async (target) =>
      (await load()).openMatrix(target),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.access.editFileMatrix', deps.log, async (uri) =>
      (await load()).openFileMatrix(uri),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.ruleMatrix.apply', deps.log, async () =>
      (await load()).applyActiveMatrix(),
    ),
  );
  store.add(
    vscode.window.registerWebviewPanelSerializer(webviews.ruleMatrix, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await load()).restoreMatrix(panel, state),
    }),
  );
  let auditServices: AuditServices | undefined;
  store.add(
    registerCommand('datamodelStudio.access.check', deps.log, async (target) => {
      const [{ AuditProblems }, { BaselineStore }, { checkSecurity }] = await Promise.all([
        import('./auditProblems.ts'),
        import('./baselineStore.ts'),
        import('./checkSecurity.ts'),
      ]);
      auditServices ??= {
        problems: store.add(new AuditProblems()),
        baselineStore: store.add(new BaselineStore(deps.securityBaselineStorage)),
        panels: new Map(),
      };
      await checkSecurity(deps, auditServices, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.access.importMembership', deps.log, async (target) => {
      const { importMembership } = await import('./importMembership.ts');
      await importMembership(deps, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.access.clearMembership', deps.log, async (target) => {
      const { clearMembership } = await import('./importMembership.ts');
      await clearMembership(deps, target);
    }),
  );
  store.add(deps.sessions.onDidEnd((connectionId) => auditServices?.problems.clear(connectionId)));
  return store;
}
