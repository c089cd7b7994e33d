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
 * How long an idle connection is kept, in milliseconds. Longer than pauses between the calls of one person: a write
 * that meets a connection just closed cannot be sent again.
 */
const keepAliveMs = 60_000;

/** Something that answers requests, e.g. a Hono app. */
export interface RequestFetcher {
  fetch(request: Request): Response | Promise<Response>;
}

/** The port is taken, or may not be used. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/**
 * The socket of a sandbox: 127.0.0.1 only. Faults of the connection, which an app can only name, are carried out
 * here.
 */
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

  /** The port that is listened on; 0 before {@link start}. */
  get port(): number {
    return this.#port;
  }

  /**
   * Listens.
   * @param port 0 for a free one.
   * @throws ListenError when the port cannot be had.
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

/** Answers a request that never became one, e.g. for its Host; an app answers every other one itself. */
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
