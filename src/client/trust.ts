import { X509Certificate } from 'node:crypto';
import * as tls from 'node:tls';
import { TransportFailure } from './transport.ts';

/**
 * Node's own authorities (with `NODE_EXTRA_CA_CERTS`), those that the system trusts, and the person's own. Made once
 * per agent: reading some hundred certificates for every connection would be slow.
 * @throws TransportFailure `tls` when a certificate file cannot be read as one
 */
export function trustedContext(caFiles: readonly string[]): tls.SecureContext {
  try {
    const ca = [...tls.getCACertificates('default'), ...tls.getCACertificates('system')];
    return tls.createSecureContext({ ca: [...new Set([...ca, ...caFiles.map(checked)])] });
  } catch (error) {
    throw new TransportFailure('tls', { sent: false, cause: error });
  }
}

/** A context takes a text without any certificate in silence, so it is read once before. */
function checked(text: string): string {
  return new X509Certificate(text).raw.length > 0 ? text : '';
}
