import type { Page } from 'playwright-core';
import type { FromForm, ToForm } from '../../src/webviews/protocol/documentForm.ts';
import type { FormDocumentAdapter } from '../../src/webviews/protocol/formSync.ts';
import { FormTextHost } from '../support/formTextHost.ts';
import { BenchWebviewPage } from './webviewPage.ts';

/** The page of a form in its own browser, with a host that synchronizes the form with a text. */
export class BenchFormPage<Edit> implements AsyncDisposable {
  readonly #webview: BenchWebviewPage<ToForm>;
  readonly #host: FormTextHost<Edit>;

  private constructor(webview: BenchWebviewPage<ToForm>, host: FormTextHost<Edit>) {
    this.#webview = webview;
    this.#host = host;
  }

  static async open<Edit>(
    bundle: string,
    adapter: FormDocumentAdapter<Edit>,
    text: string,
  ): Promise<BenchFormPage<Edit>> {
    let post: (message: ToForm) => void = () => undefined;
    const host = new FormTextHost(adapter, text, (message) => post(message));
    const webview = await BenchWebviewPage.open<ToForm>(bundle, (message, benchPage) => {
      post = (message) => benchPage.post(message);
      return host.receive(message as FromForm<Edit, unknown>);
    });
    return new BenchFormPage(webview, host);
  }

  get page(): Page {
    return this.#webview.page;
  }

  get text(): string {
    return this.#host.text;
  }

  /** See {@link BenchWebviewPage.measureTaskMs}. */
  measureTaskMs(step: () => Promise<unknown>): Promise<number> {
    return this.#webview.measureTaskMs(step);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#webview[Symbol.asyncDispose]();
  }
}
