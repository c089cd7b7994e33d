import { PageHandshake } from '../protocol/handshake.ts';
import { restoreFocusOnReturn } from './restoreFocus.ts';

/** What the editor gives a webview; see `WebviewApi` of VS Code. */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  /** May be called once a page. */
  function acquireVsCodeApi(): VsCodeApi;
}

/** The page's end of the messages between host and page. */
export interface PageHost<In, Out> {
  /** Messages come from our own extension; other frames are not listened to. */
  onMessage(receive: (message: In) => void): void;
  /** `ready` is said until the host has heard it. */
  post(message: Out): void;
  /** What the page last kept for when it is shown again; anything, so the page reads it with care. */
  getState(): unknown;
  /** Keeps the state of the view (selection, scroll), never of the document. */
  setState(state: unknown): void;
}

/** Connects the page to its host, and comes back to where one was in it. */
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
