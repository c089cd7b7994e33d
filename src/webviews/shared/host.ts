import { PageEnd } from '../protocol/handshake.ts';
import { keepFocus } from './keptFocus.ts';

/** What the editor gives a webview; see `WebviewApi` of VS Code. */
interface HostApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  /** May be called once a page. */
  function acquireVsCodeApi(): HostApi;
}

/** The page's end of the messages between host and page. */
export interface Host<In, Out> {
  /** Messages come from our own extension; other frames are not listened to. */
  listen(receive: (message: In) => void): void;
  /** `ready` is said until the host has heard it. */
  post(message: Out): void;
  /** What the page last kept for when it is shown again; anything, so the page reads it with care. */
  kept(): unknown;
  /** Keeps the state of the view (selection, scroll), never of the document. */
  keep(state: unknown): void;
}

/** Connects the page to its host, and comes back to where one was in it. */
export function connectHost<In extends { readonly type: string }, Out>(): Host<In, Out> {
  const api = acquireVsCodeApi();
  keepFocus();
  const end = new PageEnd(
    crypto.getRandomValues(new Uint32Array(4)).join('-'),
    (call) => api.postMessage(call),
    (callback, delayMs) => void setTimeout(callback, delayMs),
  );
  return {
    listen(receive) {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (event.origin === window.origin && isMessage(event.data) && !end.hears(event.data)) {
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
    kept: () => api.getState(),
    keep: (state) => api.setState(state),
  };
}

const isMessage = (data: unknown): data is { readonly type: string } =>
  typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';
