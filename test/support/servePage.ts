import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { renderWebviewHtml } from '../../src/platform/webviewHtml.ts';

/** The origin of served pages. As in VS Code, it is a secure context, which the clipboard requires. */
export const pageOrigin = 'https://page.test';

/** A page of the product that is shown in a browser without VS Code. */
export interface ServedPage {
  /** The name of its bundle. */
  readonly bundle: string;
  /** The folder of the bundles. */
  readonly folder: string;
  /** The state that the page persisted before a reload of the window. */
  readonly state?: unknown;
  readonly translations?: Readonly<Record<string, string>> | undefined;
  /** The HTML of the page, if it does not load a bundle. */
  readonly html?: string | undefined;
}

/** The editor's side of a served page. */
export interface ServedPageHost<In> {
  /** Called with each message of the page. */
  readonly receive: (message: In) => unknown;
  /** Called with the state that the page persists for a reload of the window. */
  readonly saveState?: (state: unknown) => void;
}

/** Opens a page of the product, with a stand-in for the API that the editor gives to pages. */
export async function servePage<In>(page: Page, served: ServedPage, host: ServedPageHost<In>): Promise<void> {
  await page.exposeFunction('postToHost', (json: string) => host.receive(JSON.parse(json) as In));
  await page.exposeFunction('saveState', (state: unknown) => host.saveState?.(state));
  await page.addInitScript((initial: unknown) => {
    const bindings = globalThis as unknown as {
      postToHost(json: string): void;
      saveState(state: unknown): void;
    };
    let state = initial;
    globalThis.acquireVsCodeApi = () => ({
      // As in the editor, messages are JSON. Other serializations of large ones take long, which would be measured as work
      // of the page.
      postMessage: (message: unknown) => bindings.postToHost(JSON.stringify(message)),
      getState: () => state,
      setState: (next: unknown) => {
        state = next;
        bindings.saveState(next);
        return next;
      },
    });
  }, served.state);
  const html =
    served.html ??
    renderWebviewHtml({
      script: `/${served.bundle}.js`,
      style: `/${served.bundle}.css`,
      cspSource: pageOrigin,
      nonce: 'test',
      title: served.bundle,
      language: 'en',
      loadingText: 'Loading…',
      translations: served.translations ?? {},
    });
  await page.route(`${pageOrigin}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    return pathname === '/'
      ? route.fulfill({ contentType: 'text/html', body: html })
      : route.fulfill({ path: join(served.folder, pathname) });
  });
  await page.goto(`${pageOrigin}/`);
}

/** Posts a message to a served page, as its host does; does nothing if the page is closed. */
export async function postToPage(page: Page, message: unknown): Promise<void> {
  try {
    await page.evaluate((data) => window.postMessage(data, window.origin), message);
  } catch (error) {
    if (!page.isClosed()) {
      throw error;
    }
  }
}
