import type { Hono } from 'hono';
import * as z from 'zod';
import type { Authenticate, Tokens } from './auth.ts';
import { readJsonBody } from './body.ts';
import { answerResponse, ok } from './call.ts';
import { checked, plain } from './check.ts';
import type { EngineTasks } from './engine/port.ts';
import { type Faults, faultsSchema } from './faults.ts';
import { ownPaths } from './paths.ts';
import { forbidden, invalid, notFound } from './problem.ts';
import { isChallenge, proofOf } from './proof.ts';
import type { Store } from './store.ts';

export interface OwnDeps {
  readonly store: Store;
  readonly faults: Faults;
  readonly tasks: EngineTasks;
  /** Largest request body in bytes. */
  readonly maxBodyBytes: number;
  /** What tells one running sandbox from another. */
  readonly identity: { readonly pid: number; readonly folder: string };
  readonly tokens: Tokens;
  /** The port that the listener has; 0 before it listens. */
  readonly port: () => number;
}

/** What the engine is asked to look at; a column's expression names the table of the column. */
const checkSchema = z.strictObject({
  datamodel: z.string().min(1),
  sql: z.string(),
  columnOf: z.string().min(1).optional(),
});

/**
 * Registers what only a sandbox has: who it is, its fault switches, its engine. For its administrator alone, but for the
 * proof that it is the one: whoever asks for it sends no token before.
 */
export function registerOwnRoutes(app: Hono, deps: OwnDeps, authenticate: Authenticate): void {
  const { faults, store, tasks, identity, maxBodyBytes, tokens, port } = deps;
  app.get(`${ownPaths}/proof`, (c) => {
    const challenge = c.req.query('challenge');
    if (!isChallenge(challenge)) {
      throw invalid('challenge: expected 32 hex digits');
    }
    const proven = { pid: identity.pid, port: port() };
    return answerResponse(ok({ proof: proofOf(tokens.adminToken, challenge, proven) }));
  });
  app.use(`${ownPaths}/*`, async (c, next) => {
    if (!authenticate(c.req.header('authorization')).administrator) {
      throw forbidden('Only the administrator of the sandbox may do this');
    }
    await next();
  });
  const current = (): Response => answerResponse(ok({ faults: faults.current }));
  app.get(`${ownPaths}/identity`, () => answerResponse(ok({ ...identity, seed: store.seedName ?? null })));
  app.get(`${ownPaths}/faults`, current);
  app.put(`${ownPaths}/faults`, async (c) => {
    faults.set(checked(faultsSchema, plain(await readJsonBody(c.req.raw, maxBodyBytes))).faults);
    return current();
  });
  app.post(`${ownPaths}/check`, async (c) => {
    const { datamodel, ...text } = checked(checkSchema, plain(await readJsonBody(c.req.raw, maxBodyBytes)));
    const document = store.datamodels.document(datamodel);
    if (document === undefined) {
      throw notFound('Datamodel', datamodel);
    }
    return answerResponse(ok(await tasks.check(document, text)));
  });
}
