import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { stringify } from '../base/json.ts';
import { jsonHeaders } from './endpointCall.ts';
import { breakConnection } from './connectionFaults.ts';
import { connectionFaultHeader } from './faultResponses.ts';
import { HttpProblem, createProblemBody } from './problem.ts';

/** The one address that a sandbox listens on. */
const host = '127.0.0.1';

/**
 * Time that an idle connection is kept, in milliseconds. Longer than pauses between the calls of one person: a write on
 * a connection that was just closed cannot be sent again.
 */
const keepAliveMs = 60_000;

/** A handler of requests, e.g. a Hono app. */
export interface RequestFetcher {
  fetch(request: Request): Response | Promise<Response>;
}

/** The port is in use, or not permitted. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** The socket of a sandbox: 127.0.0.1 only. Applies connection faults, which an app can only name. */
export class Listener {
  readonly #server: Server;
  #port = 0;
  #stopping: Promise<void> | undefined;

  constructor(app: RequestFetcher) {
    const handleRequest = async (request: Request, { outgoing }: HttpBindings): Promise<Response> => {
      const response = await app.fetch(request);
      if (!response.headers.has(connectionFaultHeader)) {
        return response;
      }
      await breakConnection(response, outgoing);
      return RESPONSE_ALREADY_SENT;
    };
    const listener = getRequestListener(
      (request, bindings) => handleRequest(request, bindings as HttpBindings),
      {
        overrideGlobalObjects: false,
        errorHandler: createRefusal,
      },
    );
    this.#server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
      void listener(incoming, outgoing);
    });
    this.#server.keepAliveTimeout = keepAliveMs;
  }

  /** The port that it listens on; 0 before {@link start}. */
  get port(): number {
    return this.#port;
  }

  /**
   * @param port 0 for a free one.
   * @throws ListenError when the port is not available.
   */
  async start(port = 0): Promise<{ readonly port: number }> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (error: Error): void => reject(new ListenError(error.message, { cause: error }));
    this.#server.once('error', fail);
    this.#server.listen(port, host, resolve);
    await promise;
    this.#server.off('error', fail);
    this.#port = (this.#server.address() as AddressInfo).port;
    return { port: this.#port };
  }

  /** Stops listening and closes every connection; may be called twice. */
  stop(): Promise<void> {
    this.#stopping ??= new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    return this.#stopping;
  }
}

/** Responds to a request that never became one, e.g. because of its Host; an app responds to every other one itself. */
function createRefusal(error: unknown): Response {
  const isBadRequest = error instanceof RequestError;
  const problem = isBadRequest
    ? new HttpProblem(400, 'BadRequest', 1003, error.message)
    : new HttpProblem(500, 'InternalServerError', 1000, 'The sandbox has failed');
  return new Response(stringify(createProblemBody(problem, '')), {
    status: problem.status,
    headers: jsonHeaders,
  });
}
