import type { Disposable } from '../../base/disposable.ts';

/** The network functions below HTTP that the doctor uses. Network failures have Node's `code`. */
export interface Probes {
  /** The addresses of a name, in the order in which they are tried. */
  lookup(host: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Opens a connection; the caller closes it. */
  connect(host: string, port: number, signal: AbortSignal): Promise<ProbeSocket>;
}

/** An open connection, to which a proxy tunnel and TLS can be added. */
export interface ProbeSocket extends Disposable {
  /** The address that responded. */
  readonly address: string;
  /**
   * Asks an HTTP proxy at the other end for a tunnel. After a status of 200 the connection leads to the target;
   * `undefined` if the response was not HTTP.
   * @param target `host:port`
   */
  openTunnel(
    target: string,
    authorization: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly status: number | undefined }>;
  /**
   * Sets up TLS on the connection and returns the presented certificate, trusted or not: nothing confidential is sent
   * over it.
   * @param host the name that the certificate must contain
   * @param caCertificates certificates of further authorities, as PEM texts
   * @throws TransportFailure `tls` if one of `caCertificates` is not a certificate
   */
  startTls(host: string, caCertificates: readonly string[], signal: AbortSignal): Promise<Handshake>;
}

/** The certificate and protocol of the other end. */
export interface Handshake {
  /** Such as `TLSv1.3`. */
  readonly protocol: string | undefined;
  /** OpenSSL's code for the problem with the certificate; `undefined` if it is trusted. */
  readonly problem: string | undefined;
  /** The names of the certificate, its issuer, the issuer's issuer and so on, up to the authority. */
  readonly chain: readonly string[];
  /** The names that the certificate is valid for. */
  readonly names: readonly string[];
  readonly validFrom: Date | undefined;
  readonly validTo: Date | undefined;
}
