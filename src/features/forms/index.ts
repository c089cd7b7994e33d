import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { type FormName, formEditors, type TreeTarget } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { FormsDeps } from './deps.ts';

/** Registers the forms for viewpoints, rules and rule sets, and their commands; loaded on first use. */
export function register(deps: FormsDeps): Disposable {
  const store = new DisposableStore();
  for (const [name, viewType] of Object.entries(formEditors) as [FormName, string][]) {
    store.add(
      vscode.window.registerCustomEditorProvider(viewType, createFormProvider(name, deps), {
        supportsMultipleEditorsPerDocument: true,
      }),
    );
  }
  store.add(
    registerCommand('datamodelStudio.forms.openForm', deps.log, async (uri) => {
      const { openFormForDocument } = await import('./commands.ts');
      await openFormForDocument(uri);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.forms.openText', deps.log, async (uri) => {
      const { openTextForDocument } = await import('./commands.ts');
      await openTextForDocument(uri);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.forms.addColumns', deps.log, async (node, selectedNodes) => {
      const { addColumnsToViewpoint } = await import('./addColumns.ts');
      await addColumnsToViewpoint(deps, selectedNodes ?? (node === undefined ? [] : [node]));
    }),
  );
  const getTargetNodes = (node?: TreeTarget, selectedNodes?: readonly TreeTarget[]): readonly TreeTarget[] =>
    selectedNodes ?? (node === undefined ? [] : [node]);
  store.add(
    registerCommand('datamodelStudio.viewpoints.publish', deps.log, async (node, selectedNodes) => {
      const { setPublished } = await import('./publish.ts');
      await setPublished(deps, getTargetNodes(node, selectedNodes), true);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.viewpoints.unpublish', deps.log, async (node, selectedNodes) => {
      const { setPublished } = await import('./publish.ts');
      await setPublished(deps, getTargetNodes(node, selectedNodes), false);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.viewpoints.share', deps.log, async (node) => {
      const { promptAndShareViewpoint } = await import('./publish.ts');
      await promptAndShareViewpoint(deps, node);
    }),
  );
  return store;
}

const createFormProvider = (name: FormName, deps: FormsDeps): vscode.CustomTextEditorProvider => ({
  async resolveCustomTextEditor(document, panel) {
    const { openForm } = await import('./openForm.ts');
    const form = await openForm(name, deps, document, panel);
    const disposeOnce = toDisposable(() => form.dispose());
    panel.onDidDispose(() => disposeOnce.dispose());
  },
});
