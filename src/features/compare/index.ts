import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { CompareDeps } from './deps.ts';

/** Registers the command that compares a resource with one of another connection or datamodel; loaded on first use. */
export function register(deps: CompareDeps): Disposable {
  const store = new DisposableStore();
  /** The texts of comparisons that are about to be shown, by URI. */
  const texts = new Map<string, string>();
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(schemes.comparison, {
      provideTextDocumentContent: async (uri) => {
        const text = texts.get(String(uri));
        texts.delete(String(uri));
        return text ?? (await import('./comparedText.ts')).readRestoredSide(deps.sessions, uri);
      },
    }),
  );
  store.add(
    registerCommand('datamodelStudio.compare.start', deps.log, async (target) => {
      const { compareWith } = await import('./compareWith.ts');
      await compareWith(deps, texts, target);
    }),
  );
  return store;
}
