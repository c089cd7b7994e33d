import type { Page } from 'playwright-core';
import { parseJson } from '../../src/json/text/parseJson.ts';
import { applyEdits } from '../../src/base/textEdit.ts';
import type { FromForm } from '../../src/webviews/protocol/documentForm.ts';
import { type FormDocumentAdapter, FormSync } from '../../src/webviews/protocol/formSync.ts';
import { BenchWebviewPage } from './webviewPage.ts';

/** A form's page in its own browser. The host is real except for the editor: the text is a variable. */
export class BenchFormPage implements AsyncDisposable {
  readonly #webview: BenchWebviewPage<unknown>;
  readonly #document: { readonly text: string };

  private constructor(webview: BenchWebviewPage<unknown>, document: { readonly text: string }) {
    this.#webview = webview;
    this.#document = document;
  }

  static async open<Edit>(
    bundle: string,
    kind: FormDocumentAdapter<Edit>,
    text: string,
  ): Promise<BenchFormPage> {
    const document = {
      text,
      get json() {
        return parseJson(document.text);
      },
      isReadOnly: false,
      apply: async (edits: Parameters<typeof applyEdits>[1]) => {
        document.text = applyEdits(document.text, edits);
        return true;
      },
    };
    let sync: FormSync<Edit> | undefined;
    const webview = await BenchWebviewPage.open<unknown>(bundle, async (said, opened) => {
      const message = said as FromForm<Edit, unknown>;
      sync ??= new FormSync(document, kind, (out) => opened.post(out));
      if (message.type === 'ready') {
        sync.start();
      } else if (message.type === 'edit') {
        await sync.applyEdit(message);
      }
    });
    return new BenchFormPage(webview, document);
  }

  get page(): Page {
    return this.#webview.page;
  }

  get text(): string {
    return this.#document.text;
  }

  /** Milliseconds of main-thread work since the page was opened. */
  getTaskDurationMs(): Promise<number> {
    return this.#webview.getTaskDurationMs();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#webview[Symbol.asyncDispose]();
  }
}
