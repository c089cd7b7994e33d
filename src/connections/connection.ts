import * as z from 'zod';

/**
 * The purpose of a connection. Writes are refused before they are sent if the connection is read-only, or a production
 * one that is not unlocked (decisions.md, "REST client"). Listed from the loosest to the strictest.
 */
export const connectionRoles = ['development', 'staging', 'production', 'read-only'] as const;
export type ConnectionRole = (typeof connectionRoles)[number];

/**
 * A cube set. The user adds it by name, since no endpoint lists cube sets. `server` is the term that its rules have in
 * place of a server (decisions.md, "REST client").
 */
const cubeSetSchema = z.object({ name: z.string().min(1), server: z.string().min(1) });
export type CubeSet = z.infer<typeof cubeSetSchema>;

const fields = {
  id: z.string().min(1),
  name: z.string().min(1),
  role: z.enum(connectionRoles),
  cubeSets: z.array(cubeSetSchema).optional(),
  /** The tenant on whose behalf viewpoints are read and changed (rest-api.md, "Viewpoint API"). */
  tenantId: z.string().optional(),
};

/** The patterns of the addresses that items have in the web interface (`webLinks.ts`). */
const webLinksSchema = z.object({ datamodel: z.string().optional(), viewpoint: z.string().optional() });
export type WebLinks = z.infer<typeof webLinksSchema>;

/** A remote instance: its address is known and its token is in the secret storage. */
const remoteSchema = z.object({
  ...fields,
  kind: z.literal('remote'),
  url: z.url({ protocol: /^https?$/ }),
  webLinks: webLinksSchema.optional(),
});

/** The embedded sandbox: its address is known once it runs. */
const sandboxSchema = z.object({ ...fields, kind: z.literal('sandbox') });

/** One saved connection, without secrets. */
export const connectionSchema = z.discriminatedUnion('kind', [remoteSchema, sandboxSchema]);
export type Connection = z.infer<typeof connectionSchema>;
export type RemoteConnection = z.infer<typeof remoteSchema>;
export type SandboxConnection = z.infer<typeof sandboxSchema>;

/** The connection to the embedded sandbox; there is only one, so its ID is fixed. */
export const sandboxConnectionId = 'sandbox';

/** True if two versions of a connection reach the same instance with the same role; names, cube sets, and web links may differ. */
export const hasSameAccess = (a: Connection, b: Connection): boolean => getAccessKey(a) === getAccessKey(b);

function getAccessKey(connection: Connection): string {
  const { id, kind, role, tenantId } = connection;
  const url = connection.kind === 'remote' ? connection.url : undefined;
  return JSON.stringify([id, kind, role, url, tenantId]);
}
