import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { getErrorCode } from '../base/fileErrors.ts';
import { stringify } from '../base/json.ts';
import { jsonHeaders } from './endpointCall.ts';
import { breakConnection } from './connectionFaults.ts';
import { BrokenResponse } from './faultResponses.ts';
import { HttpProblem, createProblemBody } from './problem.ts';

/** The one address that a sandbox listens on. */
const host = '127.0.0.1';

/**
 * How long an idle connection is kept open, in milliseconds. Longer than the usual pause between two actions of a user:
 * a write that fails because its connection was just closed cannot be retried safely.
 */
const keepAliveMs = 60_000;

/** Responds to requests, e.g. a Hono app. */
export interface RequestFetcher {
  fetch(request: Request): Response | Promise<Response>;
}

/** The port is in use, or the process may not listen on it. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** The HTTP server of a sandbox, on 127.0.0.1 only. It breaks the connection of a {@link BrokenResponse}. */
export class Listener {
  readonly #server: Server;
  #port = 0;
  #stopping: Promise<void> | undefined;

  constructor(app: RequestFetcher) {
    const handleRequest = async (request: Request, { outgoing }: HttpBindings): Promise<Response> => {
      const response = await app.fetch(request);
      if (!(response instanceof BrokenResponse)) {
        return response;
      }
      await breakConnection(response, outgoing);
      return RESPONSE_ALREADY_SENT;
    };
    // Replaces the global `Response` by one that is sent without a stream, which saves a fourth of the time.
    const listener = getRequestListener(
      (request, bindings) => handleRequest(request, bindings as HttpBindings),
      { errorHandler: createErrorResponse },
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
    const onError = (error: Error): void =>
      reject(new ListenError(describeListenError(error, port), { cause: error }));
    this.#server.once('error', onError);
    this.#server.listen(port, host, resolve);
    await promise;
    this.#server.off('error', onError);
    this.#port = (this.#server.address() as AddressInfo).port;
    return { port: this.#port };
  }

  /** Stops listening and closes all connections. Safe to call more than once. */
  stop(): Promise<void> {
    this.#stopping ??= new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    return this.#stopping;
  }
}

/** Says why the server can't listen on a port, and what to do. */
function describeListenError(error: Error, port: number): string {
  const code = getErrorCode(error);
  const reason =
    code === 'EADDRINUSE'
      ? `port ${port} is already in use`
      : code === 'EACCES'
        ? `you don't have permission to use port ${port}`
        : `port ${port} can't be used (${code})`;
  return `${reason}. Use another port, or omit --port.`;
}

/** Creates the response to a malformed request, for example one with an invalid Host header, or if the app throws. */
function createErrorResponse(error: unknown): Response {
  const isBadRequest = error instanceof RequestError;
  const problem = isBadRequest
    ? new HttpProblem(400, 'BadRequest', 1003, error.message)
    : new HttpProblem(500, 'InternalServerError', 1000, 'The sandbox has failed');
  return new Response(stringify(createProblemBody(problem, '')), {
    status: problem.status,
    headers: jsonHeaders,
  });
}
