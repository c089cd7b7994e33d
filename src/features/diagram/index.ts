import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { webviews } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { DiagramFeatureDeps } from './deps.ts';

/** Registers the diagram of a datamodel's tables and relations; loaded on first use. */
export function register(deps: DiagramFeatureDeps): Disposable {
  const store = new DisposableStore();
  const getDiagrams = lazy(async () => {
    const { Diagrams } = await import('./diagrams.ts');
    return store.add(new Diagrams(deps));
  });
  store.add(
    registerCommand('datamodelStudio.diagram.open', deps.log, async (node) =>
      (await getDiagrams()).open(node),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.diagram.openFiles', deps.log, async (uri) =>
      (await getDiagrams()).openFileDiagram(uri),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.diagram.relate', deps.log, async (node) =>
      (await getDiagrams()).createRelation(node),
    ),
  );
  store.add(
    vscode.window.registerWebviewPanelSerializer(webviews.diagram, {
      deserializeWebviewPanel: async (tab, state: unknown) => (await getDiagrams()).restore(tab, state),
    }),
  );
  return store;
}
