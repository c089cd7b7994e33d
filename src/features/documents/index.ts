import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { DocumentsDeps } from './deps.ts';
import { LazyFileSystem } from './lazyFileSystem.ts';

/** Every resource as a document of the editor: a file system over the connections (design.md, section 8). */
export function register(deps: DocumentsDeps): Disposable {
  const store = new DisposableStore();
  const { log } = deps;
  const provider = store.add(
    new LazyFileSystem(async (changed) => {
      const { DocumentFileSystem } = await import('./fileSystem.ts');
      return new DocumentFileSystem(deps, changed);
    }),
  );
  store.add(
    vscode.workspace.registerFileSystemProvider(schemes.document, provider, { isCaseSensitive: true }),
  );
  store.add(
    registerCommand('datamodelStudio.documents.open', log, async (target) => {
      if (target !== undefined) {
        const { openResource } = await import('./openResource.ts');
        await openResource(deps, target);
      }
    }),
  );
  const onFile = async (file: { readonly path: string } | undefined) => {
    const [{ documents }, commands] = await Promise.all([provider.files(), import('./documentCommands.ts')]);
    return { documents, commands, path: file?.path ?? commands.activePath() };
  };
  store.add(
    registerCommand('datamodelStudio.documents.merge', log, async (file) => {
      const { documents, commands, path } = await onFile(file);
      await commands.merge(documents, path);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.documents.compare', log, async (file) => {
      const { commands, path } = await onFile(file);
      await commands.compareWithServer(path);
    }),
  );
  return store;
}
