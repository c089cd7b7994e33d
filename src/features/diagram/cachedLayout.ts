import * as vscode from 'vscode';
import { computeLayoutInWorker } from '../../webviews/diagramLayout/computeLayoutInWorker.ts';
import type { DiagramModel } from '../../webviews/diagramLayout/diagramModel.ts';
import { type DiagramLayout, createLayoutInput } from '../../webviews/diagramLayout/layoutInput.ts';

/** The layout of a diagram, which is computed again only if its input has changed. */
export class CachedLayout {
  readonly #extensionUri: vscode.Uri;
  #last: { readonly input: string; readonly layout: DiagramLayout } | undefined;

  constructor(extensionUri: vscode.Uri) {
    this.#extensionUri = extensionUri;
  }

  /** @param onCompute called before a layout is computed, which may take a while */
  async compute(model: DiagramModel, signal: AbortSignal, onCompute: () => void): Promise<DiagramLayout> {
    const input = createLayoutInput(model);
    const key = JSON.stringify(input);
    if (this.#last?.input !== key) {
      onCompute();
      const script = vscode.Uri.joinPath(this.#extensionUri, 'dist', 'layoutWorker.js');
      this.#last = { input: key, layout: await computeLayoutInWorker(script.fsPath, input, signal) };
    }
    return this.#last.layout;
  }
}
