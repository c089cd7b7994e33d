import type { TransportFailureKind } from './transport.ts';

/** What the codes of an error say about an exchange that failed. */
export interface FailureMeaning {
  readonly kind: TransportFailureKind;
  readonly phase?: 'connect' | 'headers' | 'body';
  /** True where the server was certainly not reached. */
  readonly beforeSending: boolean;
}

const meaning = (
  kind: TransportFailureKind,
  beforeSending: boolean,
  phase?: 'connect' | 'headers' | 'body',
): FailureMeaning => ({ kind, beforeSending, ...(phase === undefined ? {} : { phase }) });

/** Node's and undici's error codes. */
const meanings: ReadonlyMap<string, FailureMeaning> = new Map([
  ['ENOTFOUND', meaning('dns', true)],
  ['EAI_AGAIN', meaning('dns', true)],
  ['EAI_FAIL', meaning('dns', true)],
  ['ECONNREFUSED', meaning('refused', true)],
  ['EHOSTUNREACH', meaning('refused', true)],
  ['ENETUNREACH', meaning('refused', true)],
  ['ECONNRESET', meaning('reset', false)],
  ['ECONNABORTED', meaning('reset', false)],
  ['EPIPE', meaning('reset', false)],
  ['UND_ERR_SOCKET', meaning('reset', false)],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', meaning('reset', false)],
  ['ERR_STREAM_PREMATURE_CLOSE', meaning('reset', false)],
  // A compressed body that breaks off.
  ['Z_BUF_ERROR', meaning('reset', false)],
  ['UND_ERR_CONNECT_TIMEOUT', meaning('timeout', true, 'connect')],
  ['ETIMEDOUT', meaning('timeout', false, 'connect')],
  ['UND_ERR_HEADERS_TIMEOUT', meaning('timeout', false, 'headers')],
  ['UND_ERR_BODY_TIMEOUT', meaning('timeout', false, 'body')],
  ['UND_ERR_PRX_CONN', meaning('proxy', true)],
  ['UND_ERR_PRX_TLS', meaning('proxy', true)],
]);

/** OpenSSL's and Node's codes for a certificate or a handshake that is no good. */
const tlsCode =
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/;

/** undici's codes for a proxy that does not let a request through: it answers CONNECT or the request with a status. */
const proxyRefusals: ReadonlySet<string> = new Set(['UND_ERR_ABORTED', 'UND_ERR_INVALID_ARG']);

/** With a proxy in between, a name or a port that does not answer is the proxy's. */
const maybeProxy: ReadonlySet<string> = new Set(['dns', 'refused']);

/**
 * What kept an exchange from ending well, by the codes of the error and of its causes; never by its words.
 * @param throughProxy whether a proxy was in between
 */
export function failureMeaning(error: unknown, throughProxy: boolean): FailureMeaning {
  for (const code of codesOf(error)) {
    if (tlsCode.test(code)) {
      return meaning('tls', true);
    }
    if (throughProxy && proxyRefusals.has(code)) {
      return meaning('proxy', true);
    }
    const known = meanings.get(code);
    if (known !== undefined) {
      return throughProxy && maybeProxy.has(known.kind) ? meaning('proxy', true) : known;
    }
  }
  return meaning('unknown', false);
}

/** How deep causes are followed: an error may name itself as its cause. */
const deepestCause = 5;

/** The codes of an error and of its causes, the innermost first: the outer ones only wrap. */
function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  let current = error;
  for (let depth = 0; current instanceof Error && depth < deepestCause; depth += 1) {
    const code: unknown = Reflect.get(current, 'code');
    if (typeof code === 'string') {
      codes.unshift(code);
    }
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return codes;
}
