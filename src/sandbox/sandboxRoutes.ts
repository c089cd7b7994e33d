import type { Hono } from 'hono';
import * as z from 'zod';
import type { Authenticate, Tokens } from './auth.ts';
import { readJsonBody } from './body.ts';
import { toHttpResponse, createOkResponse } from './endpointCall.ts';
import { parseWithSchema, toPlainValue } from './validation.ts';
import type { EngineTasks } from './engine/buildEngine.ts';
import { type Faults, faultsSchema } from './faults.ts';
import { sandboxPathPrefix } from './paths.ts';
import { createForbiddenProblem, createValidationProblem, createNotFoundProblem } from './problem.ts';
import { isChallenge, createProof } from './proof.ts';
import type { Store } from './store.ts';

export interface SandboxRouteDependencies {
  readonly store: Store;
  readonly faults: Faults;
  readonly tasks: EngineTasks;
  /** Largest request body in bytes. */
  readonly maxBodyBytes: number;
  /** Distinguishes one running sandbox from another. */
  readonly identity: { readonly pid: number; readonly folder: string };
  readonly tokens: Tokens;
  /** The port of the listener; 0 before it listens. */
  readonly getPort: () => number;
}

/** Body of POST /sandbox/check. `columnOf` is the table of a column expression; absent for a custom table's query. */
const checkSchema = z.strictObject({
  datamodel: z.string().min(1),
  sql: z.string(),
  columnOf: z.string().min(1).optional(),
});

/**
 * Registers the routes that only a sandbox has: its identity, its fault switches and its expression check. They require
 * the administrator's token, except for the proof of identity, which a caller requests before it sends a token.
 */
export function registerSandboxRoutes(
  app: Hono,
  deps: SandboxRouteDependencies,
  authenticate: Authenticate,
): void {
  const { faults, store, tasks, identity, maxBodyBytes, tokens, getPort } = deps;
  app.get(`${sandboxPathPrefix}/proof`, (c) => {
    const challenge = c.req.query('challenge');
    if (!isChallenge(challenge)) {
      throw createValidationProblem('challenge: expected 32 hex digits');
    }
    const processAddress = { pid: identity.pid, port: getPort() };
    return toHttpResponse(
      createOkResponse({ proof: createProof(tokens.adminToken, challenge, processAddress) }),
    );
  });
  app.use(`${sandboxPathPrefix}/*`, async (c, next) => {
    if (!authenticate(c.req.header('authorization')).isAdministrator) {
      throw createForbiddenProblem('Only administrators can use the paths under /sandbox');
    }
    await next();
  });
  const createFaultsResponse = (): Response =>
    toHttpResponse(createOkResponse({ faults: faults.activeFaults }));
  app.get(`${sandboxPathPrefix}/identity`, () =>
    toHttpResponse(createOkResponse({ ...identity, seed: store.seedName ?? null })),
  );
  app.get(`${sandboxPathPrefix}/faults`, createFaultsResponse);
  app.put(`${sandboxPathPrefix}/faults`, async (c) => {
    faults.set(
      parseWithSchema(faultsSchema, toPlainValue(await readJsonBody(c.req.raw, maxBodyBytes))).faults,
    );
    return createFaultsResponse();
  });
  app.post(`${sandboxPathPrefix}/check`, async (c) => {
    const { datamodel, ...request } = parseWithSchema(
      checkSchema,
      toPlainValue(await readJsonBody(c.req.raw, maxBodyBytes)),
    );
    const document = store.datamodels.getDocument(datamodel);
    if (document === undefined) {
      throw createNotFoundProblem('Datamodel', datamodel);
    }
    return toHttpResponse(createOkResponse(await tasks.checkExpression(document, request)));
  });
}
