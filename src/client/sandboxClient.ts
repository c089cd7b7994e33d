import * as z from 'zod';
import { getProblemMessage } from '../contract/problem.ts';
import { type Transport, TransportFailure } from './transport.ts';

/** An expression for the sandbox's engine to check. */
export interface ExpressionCheckRequest {
  /** The datamodel whose tables it may reference. */
  readonly datamodel: string;
  readonly sql: string;
  /** The table of the column that it computes; absent for the query of a custom table. */
  readonly columnOf?: string;
}

const checkResultSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), columns: z.array(z.string()) }),
  z.object({ ok: z.literal(false), message: z.string(), table: z.string().optional() }),
]);

/**
 * The result of the check: the columns of a query, or the engine's error message and the custom table that it concerns.
 */
export type ExpressionCheckResult = z.infer<typeof checkResultSchema>;

/** The sandbox could not check the expression. */
export class SandboxCheckError extends Error {
  override readonly name = 'SandboxCheckError';
  /**
   * The sandbox's message, if any. It may contain data, so the message of this error, which is logged, has none of it.
   */
  readonly serverMessage: string | undefined;

  constructor(serverMessage: string | undefined, options?: ErrorOptions) {
    super(
      serverMessage === undefined
        ? 'The sandbox returned no usable response'
        : 'The sandbox could not check the expression',
      options,
    );
    this.serverMessage = serverMessage;
  }
}

/** The features that only a sandbox has, in addition to the platform's REST API. Only reads. */
export class SandboxClient {
  readonly #url: string;
  readonly #tokenSource: () => Promise<string | undefined>;
  readonly #transport: Transport;

  /** @param deps.transport owned by the caller */
  constructor(deps: {
    readonly baseUrl: string;
    readonly tokenSource: () => Promise<string | undefined>;
    readonly transport: Transport;
  }) {
    this.#url = new URL('/sandbox/check', deps.baseUrl).href;
    this.#tokenSource = deps.tokenSource;
    this.#transport = deps.transport;
  }

  /**
   * Has the sandbox's engine check an expression.
   * @throws SandboxCheckError
   */
  async check(request: ExpressionCheckRequest, signal: AbortSignal): Promise<ExpressionCheckResult> {
    const { status, text } = await this.#post(JSON.stringify(request), signal);
    const result = status === 200 ? checkResultSchema.safeParse(tryParse(text)).data : undefined;
    if (result === undefined) {
      throw new SandboxCheckError(getProblemMessage(text));
    }
    return result;
  }

  async #post(
    body: string,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const token = await this.#tokenSource();
    try {
      return await this.#transport.send({
        method: 'POST',
        url: this.#url,
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body,
        signal,
      });
    } catch (error) {
      throw error instanceof TransportFailure ? new SandboxCheckError(undefined, { cause: error }) : error;
    }
  }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the caller reports the refusal with the server's message.
    return undefined;
  }
}
