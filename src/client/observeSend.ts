import type { EndpointId } from '../contract/endpoints.ts';
import { endpoints } from '../contract/endpoints.ts';
import { isWrite } from './apiError.ts';
import type { RawResponse, Send, SendOptions } from './send.ts';

/** A request that changes something, before it is sent. */
export interface ObservedRequest {
  readonly endpoint: EndpointId;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** How a request has ended: with a response, or with the error that its caller gets. */
export type ObservedResult = { readonly response: RawResponse } | { readonly error: unknown };

/**
 * Called with each write before it is sent. The write is sent once the returned promise has resolved. The function that
 * it resolves to is called when the write has ended. If the promise is rejected, the write is not sent, and its caller
 * gets the error.
 */
export type SendObserver = (request: ObservedRequest) => Promise<(result: ObservedResult) => void>;

/** Returns a function that sends requests and passes each write to an observer. */
export function observeSend(send: Send, observer: SendObserver): Send {
  return async (endpoint, params, options = {}) => {
    const payload = isWrite(endpoints[endpoint]) ? tryCreateBody(options) : undefined;
    if (payload === undefined) {
      return send(endpoint, params, options);
    }
    const reportResult = await observer({ endpoint, params, body: payload.body });
    let response: RawResponse;
    try {
      response = await send(endpoint, params, options);
    } catch (error) {
      reportResult({ error });
      throw error;
    }
    reportResult({ response });
    return response;
  };
}

/** Returns `undefined` if no body can be created: then sending fails with the reason, and sends nothing. */
function tryCreateBody({ createBody }: SendOptions): { readonly body: unknown } | undefined {
  try {
    return { body: createBody?.() };
  } catch {
    return undefined;
  }
}
