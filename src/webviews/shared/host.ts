import { PageHandshake } from '../protocol/handshake.ts';
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
export interface PageHost<In, Out> {
  /** Adds a listener for messages of the host; messages from other origins are ignored. */
  onMessage(receive: (message: In) => void): void;
  /** Sends a message; `ready` is repeated until the host has acknowledged it. */
  post(message: Out): void;
  /** Returns the persisted state. An older version may have stored it, so the page must validate it. */
  getState(): unknown;
  /** Persists the state of the view (selection, scroll position); never that of the document. */
  setState(state: unknown): void;
}

/** Connects the page to its host. The focus is restored when the user returns to the page. Call it once per page. */
export function connectHost<In extends { readonly type: string }, Out>(): PageHost<In, Out> {
  const api = acquireVsCodeApi();
  restoreFocusOnReturn();
  const end = new PageHandshake(
    crypto.getRandomValues(new Uint32Array(4)).join('-'),
    (call) => api.postMessage(call),
    (callback, delayMs) => void setTimeout(callback, delayMs),
  );
  return {
    onMessage(receive) {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (event.origin === window.origin && isMessage(event.data) && !end.handleMessage(event.data)) {
          receive(event.data as In);
        }
      });
    },
    post(message) {
      if (isMessage(message) && message.type === 'ready') {
        end.call();
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
