import type { Transport } from '../client/transport.ts';
import type { Shell } from './shell.ts';
import type { InstanceTarget } from './target.ts';

/** The limits for the requests of a command. */
export const requestLimits = { timeoutMs: 60_000, concurrency: 6 };

/** Creates the transport to an instance, with the proxy and the certificates of the options and the environment. */
export async function createTransport(
  { certificates }: Pick<InstanceTarget, 'certificates'>,
  shell: Pick<Shell, 'env'>,
): Promise<Transport> {
  const { UndiciTransport } = await import('../client/undiciTransport.ts');
  return new UndiciTransport({ ...getNetworkSettings(shell), caCertificates: certificates });
}

/** Node.js itself uses `NODE_TLS_REJECT_UNAUTHORIZED` to turn off the checks of certificates, and prints a warning. */
export const getNetworkSettings = ({ env }: Pick<Shell, 'env'>) => ({
  environment: env,
  strictSSL: env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0',
});
