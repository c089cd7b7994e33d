import type { Disposable } from '../../base/disposable.ts';

/** The network below HTTP, as far as the doctor touches it. Every failure is an error with Node's `code`. */
export interface Probes {
  /** The addresses of a name, in the order in which they are tried. */
  lookup(host: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Opens a connection; the caller closes it. */
  connect(host: string, port: number, signal: AbortSignal): Promise<Wire>;
}

/** One open connection. What it carries changes with each layer that is put on it. */
export interface Wire extends Disposable {
  /** The address that answered. */
  readonly address: string;
  /**
   * Asks an HTTP proxy at the other end for a tunnel. A status of 200 leads to the target from here on;
   * `undefined` when what came was no HTTP.
   * @param target `host:port`
   */
  tunnel(
    target: string,
    authorization: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly status: number | undefined }>;
  /**
   * Puts TLS on the connection and tells what was shown, trusted or not: nothing is sent over it that matters.
   * @param host whom the certificate must name
   * @param caFiles certificates of further authorities, as PEM texts
   * @throws TransportFailure `tls` when a certificate file cannot be read as one
   */
  handshake(host: string, caFiles: readonly string[], signal: AbortSignal): Promise<Handshake>;
}

/** What the other end showed. */
export interface Handshake {
  /** Such as `TLSv1.3`. */
  readonly protocol: string | undefined;
  /** OpenSSL's code for what is wrong with the certificate; `undefined` when it is trusted. */
  readonly problem: string | undefined;
  /** Who the certificate is for, who vouches for it, and who for that one. */
  readonly chain: readonly string[];
  readonly names: readonly string[];
  readonly validFrom: Date | undefined;
  readonly validTo: Date | undefined;
}
