import type { Connection } from './connection.ts';
import { demoCubeSets } from './demoCubeSets.ts';

/** A sandbox that was started outside the editor, with its token. */
export interface InjectedSandbox {
  readonly connection: Connection;
  readonly origin: string;
  readonly token: string;
}

/** The ID from earlier versions, since stored data refers to it. */
const injectedSandboxId = 'handed-over';

/** True if a connection leads to a sandbox: the embedded one, or the injected one. */
export const isSandbox = ({ kind, id }: Pick<Connection, 'kind' | 'id'>): boolean =>
  kind === 'sandbox' || id === injectedSandboxId;

/**
 * The sandbox that `npm start` injects through the environment of the process (decisions.md, "Stable interfaces");
 * never through a workspace. `undefined` if there is none or its address is not on this machine.
 */
export function getInjectedSandbox(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): InjectedSandbox | undefined {
  const url = environment['DATAMODEL_STUDIO_SANDBOX_URL'];
  const token = environment['DATAMODEL_STUDIO_SANDBOX_TOKEN'];
  if (!url || !token || !URL.canParse(url)) {
    return undefined;
  }
  const { hostname, origin } = new URL(url);
  if (hostname !== '127.0.0.1') {
    return undefined;
  }
  return {
    connection: {
      id: injectedSandboxId,
      kind: 'remote',
      name,
      role: 'development',
      url,
      ...(environment['DATAMODEL_STUDIO_SANDBOX_SEED'] === 'demo' ? { cubeSets: [...demoCubeSets] } : {}),
    },
    origin,
    token,
  };
}
