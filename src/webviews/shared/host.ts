import { PageHandshake } from '../protocol/handshake.ts';
import { handlePageKeys } from './pageKeys.ts';
import { restoreFocusOnReturn } from './restoreFocus.ts';

/** The API that the editor gives a webview; see `WebviewApi` of VS Code. */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  /** May be called only once per page. */
  function acquireVsCodeApi(): VsCodeApi;
}

/** The page's connection to its host: messages in both directions, and the persisted state of the view. */
export interface PageHost<Incoming, Outgoing> {
  /** Adds a listener for messages of the host; messages from other origins are ignored. */
  onMessage(listener: (message: Incoming) => void): void;
  /** Sends a message; `ready` is repeated until the host has acknowledged it. */
  post(message: Outgoing): void;
  /** Returns the persisted state. An older version may have stored it, so the page must validate it. */
  getState(): unknown;
  /** Persists the state of the view (selection, scroll position); never that of the document. */
  setState(state: unknown): void;
}

/** Connects the page to its host. The focus is restored when the user returns to the page. Call it once per page. */
export function connectHost<Incoming extends { readonly type: string }, Outgoing>(): PageHost<
  Incoming,
  Outgoing
> {
  const api = acquireVsCodeApi();
  // Remove the loading message that the page replaces.
  document.querySelector('#root')?.replaceChildren();
  restoreFocusOnReturn();
  handlePageKeys();
  const handshake = new PageHandshake(
    crypto.getRandomValues(new Uint32Array(4)).join('-'),
    (message) => api.postMessage(message),
    (callback, delayMs) => void setTimeout(callback, delayMs),
  );
  return {
    onMessage(listener) {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (event.origin === window.origin && isMessage(event.data) && !handshake.handleMessage(event.data)) {
          listener(event.data as Incoming);
        }
      });
    },
    post(message) {
      if (isMessage(message) && message.type === 'ready') {
        handshake.sendReady();
      } else {
        api.postMessage(message);
      }
    },
    getState: () => api.getState(),
    setState: (state) => api.setState(state),
  };
}

const isMessage = (data: unknown): data is { readonly type: string } =>
  typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';
