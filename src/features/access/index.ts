import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { webviews } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { AuditServices } from './auditPanel.ts';
import type { AccessFeatureDeps } from './deps.ts';
import type { MatrixTabs } from './openMatrix.ts';

/**
 * Registers Effective Access, the rule matrix, the security check and the import of group membership; each is loaded on
 * first use.
 */
export function register(deps: AccessFeatureDeps): Disposable {
  const store = new DisposableStore();
  const loadPageDeps = lazy(async () => {
    const { MatrixDrafts } = await import('./matrixDrafts.ts');
    return { ...deps, matrixDrafts: store.add(new MatrixDrafts(deps.matrixDraftStorage)) };
  });
  store.add(
    registerCommand('datamodelStudio.access.open', deps.log, async (target) => {
      const { openAccess } = await import('./openAccess.ts');
      await openAccess(await loadPageDeps(), target);
    }),
  );
  const matrixTabs: MatrixTabs = new Map();
  const loadFileAccessPages = lazy(async () => {
    const { FileAccessPages } = await import('./fileAccessPages.ts');
    return store.add(
      new FileAccessPages(await loadPageDeps(), async (target) => {
        const { showFileMatrix } = await import('./openMatrix.ts');
        await showFileMatrix(await loadMatrixDeps(), target);
      }),
    );
  });
  const loadMatrixDeps = async () => ({ deps: await loadPageDeps(), tabs: matrixTabs, loadFileAccessPages });
  store.add(
    registerCommand('datamodelStudio.access.openFiles', deps.log, async (uri) =>
      (await loadFileAccessPages()).open(uri, matrixTabs.values()),
    ),
  );
  store.add(
    vscode.window.registerWebviewPanelSerializer(webviews.access, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        const { restoreAccess } = await import('./openAccess.ts');
        await restoreAccess(await loadPageDeps(), panel, state, loadFileAccessPages);
      },
    }),
  );
  store.add(
    registerCommand('datamodelStudio.access.editMatrix', deps.log, async (target) => {
      const { openMatrix } = await import('./openMatrix.ts');
      await openMatrix(await loadPageDeps(), matrixTabs, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.access.editFileMatrix', deps.log, async (uri) => {
      const { openFileMatrix } = await import('./openMatrix.ts');
      await openFileMatrix(await loadMatrixDeps(), uri);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.ruleMatrix.apply', deps.log, async () => {
      const { applyActiveMatrix } = await import('./openMatrix.ts');
      await applyActiveMatrix(matrixTabs);
    }),
  );
  store.add(
    vscode.window.registerWebviewPanelSerializer(webviews.ruleMatrix, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        const { restoreMatrix } = await import('./openMatrix.ts');
        await restoreMatrix(await loadMatrixDeps(), panel, state);
      },
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
