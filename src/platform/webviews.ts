import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';
import { HostHandshake } from '../webviews/protocol/handshake.ts';
import { getPageTranslations } from './pageTranslations.ts';
import { renderErrorHtml, renderWebviewHtml } from './webviewHtml.ts';

/** The folder of the webview bundles: each is `dist/webviews/<name>.js` with its style sheet. */
const bundleFolder = ['dist', 'webviews'];

/** Renders one of the extension's pages in a webview; it may load its bundle and nothing else. */
export function renderPage(
  webview: vscode.Webview,
  page: { readonly extensionUri: vscode.Uri; readonly bundle: string; readonly title: string },
): void {
  const root = vscode.Uri.joinPath(page.extensionUri, ...bundleFolder);
  const toWebviewUri = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(root, file)).toString(true);
  webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [root] };
  webview.html = renderWebviewHtml({
    script: toWebviewUri(`${page.bundle}.js`),
    style: toWebviewUri(`${page.bundle}.css`),
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('base64'),
    title: page.title,
    language: getPageLanguage(),
    loadingText: vscode.l10n.t('Loading…'),
    translations: getPageTranslations(vscode.Uri.joinPath(root, `${page.bundle}.texts.json`)),
  });
}

/** Shows in a webview why the extension's page can't be shown there; it may load nothing. */
export function renderErrorPage(
  webview: vscode.Webview,
  page: { readonly title: string; readonly message: string },
): void {
  webview.options = { enableScripts: false, enableForms: false, localResourceRoots: [] };
  webview.html = renderErrorHtml({ ...page, language: getPageLanguage() });
}

/** Returns the language of the texts of a page. */
const getPageLanguage = (): string => (vscode.l10n.bundle === undefined ? 'en' : vscode.env.language);

/** Validates the messages of a page; zod schemas implement it. */
export interface MessageSchema<In> {
  safeParse(
    message: unknown,
  ): { readonly success: true; readonly data: In } | { readonly success: false; readonly error: Error };
}

/** The extension's side of the message channel to a page. */
export interface WebviewChannel<Out> extends Disposable {
  post(message: Out): void;
}

/**
 * Opens the message channel of a page. Incoming messages are validated. Invalid messages and failing handlers are
 * logged, and later messages are still handled. Messages posted before the page is ready are queued.
 */
export function openWebviewChannel<In, Out>(
  webview: vscode.Webview,
  schema: MessageSchema<In>,
  handleMessage: (message: In) => void | Promise<void>,
  log: Log,
): WebviewChannel<Out> {
  // A closed page receives no messages, so the result is not awaited.
  const handshake = new HostHandshake<Out>((message) => void webview.postMessage(message));
  const handleRawMessage = async (rawMessage: unknown): Promise<void> => {
    if (handshake.handleMessage(rawMessage)) {
      return;
    }
    const message = schema.safeParse(rawMessage);
    if (!message.success) {
      log.warn('webviews', 'A message has an unknown shape', { reason: message.error.message });
      return;
    }
    try {
      await handleMessage(message.data);
    } catch (error) {
      log.error('webviews', 'A message failed', { reason: String(error) });
    }
  };
  const subscription = webview.onDidReceiveMessage((rawMessage) => void handleRawMessage(rawMessage));
  return {
    post: (message) => handshake.post(message),
    dispose: () => subscription.dispose(),
  };
}
