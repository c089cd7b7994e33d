import * as z from 'zod';

/** What a connection is for. production and read-only refuse writes in the transport (design.md, section 4). */
export const connectionRoles = ['development', 'staging', 'production', 'read-only'] as const;
export type ConnectionRole = (typeof connectionRoles)[number];

const fields = { id: z.string().min(1), name: z.string().min(1), role: z.enum(connectionRoles) };

/** An instance somewhere else: its address is known and its token is in the secret storage. */
const remoteSchema = z.object({
  ...fields,
  kind: z.literal('remote'),
  url: z.url({ protocol: /^https?$/ }),
  tenantId: z.string().optional(),
});

/** The embedded sandbox: its address is found when it runs. */
const sandboxSchema = z.object({ ...fields, kind: z.literal('sandbox') });

/** One saved connection, without secrets. */
export const connectionSchema = z.discriminatedUnion('kind', [remoteSchema, sandboxSchema]);
export type Connection = z.infer<typeof connectionSchema>;
export type RemoteConnection = z.infer<typeof remoteSchema>;
export type SandboxConnection = z.infer<typeof sandboxSchema>;
