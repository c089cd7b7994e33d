import * as z from 'zod';
import { stringify } from '../base/json.ts';
import { type AddressProblem, parseAddress } from './parseAddress.ts';
import { getAddress } from './addressRoles.ts';
import { type Connection, type RemoteConnection, connectionRoles } from './connection.ts';
import { type WebLinkProblem, getWebLinkProblem, webLinkKinds } from './webLinks.ts';

/** A shared connection: what a colleague needs to know, without secrets. */
const profileSchema = z.strictObject({
  name: z.string().min(1),
  url: z.string(),
  role: z.enum(connectionRoles).default('production'),
  tenantId: z.string().optional(),
  webLinks: z.strictObject({ datamodel: z.string().optional(), viewpoint: z.string().optional() }).optional(),
});
const fileSchema = z.strictObject({
  $comment: z.string().optional(),
  connections: z.array(profileSchema).min(1),
});

/**
 * A file of shared connections that can't be read. `path` is the path of the value in its JSON, `reason` the problem.
 */
export class SharedConnectionsError extends Error {
  override readonly name = 'SharedConnectionsError';
  readonly path: string;
  readonly reason: string;
  /** The problem with an address, or with the pattern of addresses, if that is the reason. */
  readonly addressProblem: AddressProblem | WebLinkProblem | undefined;
  /** The allowed values, if the value is none of them. */
  readonly choices: readonly string[];

  constructor(
    path: string,
    reason: string,
    {
      addressProblem,
      choices = [],
    }: {
      readonly addressProblem?: AddressProblem | WebLinkProblem;
      readonly choices?: readonly string[];
    } = {},
  ) {
    super(path === '' ? reason : `${path}: ${reason}`);
    this.path = path;
    this.reason = reason;
    this.addressProblem = addressProblem;
    this.choices = choices;
  }
}

/** The connections as a file to share. Sandboxes are omitted: each machine has its own. */
export function formatSharedConnections(connections: readonly Connection[]): string {
  const profiles = connections
    .filter((connection) => connection.kind === 'remote')
    .map(({ name, url, role, tenantId, webLinks }) => ({
      name,
      url,
      role,
      ...(tenantId ? { tenantId } : {}),
      ...(webLinks ? { webLinks } : {}),
    }));
  return `${stringify({ connections: profiles }, 2)}\n`;
}

/**
 * Reads shared connections. Each gets a new ID, so that none uses the token of an existing connection, and starts
 * signed out. A missing role defaults to production: the safest one.
 * @throws SharedConnectionsError if the text is not a file of shared connections
 */
export function parseSharedConnections(text: string, createId: () => string): readonly RemoteConnection[] {
  const file = fileSchema.safeParse(parse(text));
  if (!file.success) {
    const [issue] = file.error.issues;
    const choices = issue?.code === 'invalid_value' ? issue.values.map(String) : [];
    throw new SharedConnectionsError(
      issue?.path.join('.') ?? '',
      issue?.message ?? 'not a connections file',
      {
        choices,
      },
    );
  }
  return file.data.connections.map((profile, index) => {
    const address = parseAddress(profile.url);
    if (address.problem !== undefined) {
      throw new SharedConnectionsError(`connections.${index}.url`, address.problem, {
        addressProblem: address.problem,
      });
    }
    const { name, role, tenantId, webLinks } = profile;
    for (const kind of webLinkKinds) {
      const problem = getWebLinkProblem(webLinks?.[kind]);
      if (problem !== undefined) {
        throw new SharedConnectionsError(`connections.${index}.webLinks.${kind}`, problem, {
          addressProblem: problem,
        });
      }
    }
    return {
      kind: 'remote',
      id: createId(),
      name,
      role,
      url: address.url,
      ...(tenantId ? { tenantId } : {}),
      ...(webLinks ? { webLinks } : {}),
    };
  });
}

/** The shared connections to instances, or to tenants of instances, for which there is no connection yet. */
export function filterNewConnections(
  sharedConnections: readonly RemoteConnection[],
  existing: readonly Connection[],
): readonly RemoteConnection[] {
  const seenKeys = new Set(existing.map(getInstanceKey));
  return sharedConnections.filter((connection) => {
    const key = getInstanceKey(connection);
    const isNew = !seenKeys.has(key);
    seenKeys.add(key);
    return isNew;
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SharedConnectionsError('', error instanceof Error ? error.message : String(error));
  }
}

/** Identifies the instance, or the tenant of an instance, that a connection leads to; `undefined` for the sandbox. */
function getInstanceKey(connection: Connection): string | undefined {
  const address = getAddress(connection);
  return address === undefined || connection.kind === 'sandbox'
    ? undefined
    : JSON.stringify([address, connection.tenantId ?? '']);
}
