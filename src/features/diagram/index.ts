import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { webviews } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { DiagramFeatureDeps } from './deps.ts';
import type { Diagrams } from './diagrams.ts';

/** Registers the diagram of a datamodel's tables and relations; loaded on first use. */
export function register(deps: DiagramFeatureDeps): Disposable {
  const store = new DisposableStore();
  let diagrams: Promise<Diagrams> | undefined;
  const getDiagrams = (): Promise<Diagrams> => {
    diagrams ??= import('./diagrams.ts').then(({ Diagrams: LoadedDiagrams }) =>
      store.add(new LoadedDiagrams(deps)),
    );
    return diagrams;
  };
  store.add(
    registerCommand('datamodelStudio.diagram.open', deps.log, async (node) =>
      (await getDiagrams()).open(node),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.diagram.openFiles', deps.log, async (uri) =>
      (await getDiagrams()).openFiles(uri),
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
