import { X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';
import * as tls from 'node:tls';
import { getErrorChain } from '../base/errorChain.ts';
import { isLoopback } from '../base/loopback.ts';
import { TransportFailure, type TransportFailureKind } from './transport.ts';

/** Sources of proxy settings: the editor's settings first, then the environment (decisions.md, "REST client"). */
export interface ProxySettings {
  /** `http.proxy`; takes precedence over the environment. */
  readonly proxy?: string | undefined;
  /** `http.noProxy`; takes precedence over `NO_PROXY` if it is not empty. */
  readonly noProxy?: readonly string[] | undefined;
  /** The environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The proxy setting is not a usable address. The message does not repeat it: it may contain a password. */
export class ProxySettingError extends Error {
  override readonly name = 'ProxySettingError';

  constructor() {
    super('The proxy setting is not a usable address');
  }
}

/**
 * The proxy for requests to `url`; `undefined` for a direct connection. This machine is always reached directly: the
 * sandbox listens here.
 * @throws ProxySettingError if the configured proxy cannot be used: users would not expect it to be bypassed
 */
export function resolveProxy(url: string, settings: ProxySettings): string | undefined {
  const target = URL.parse(url);
  if (target === null) {
    return undefined;
  }
  const { proxy, noProxy = [], environment = {} } = settings;
  const getVariable = (name: string): string =>
    environment[name.toLowerCase()] || environment[name.toUpperCase()] || '';
  const noProxyEntries = noProxy.length > 0 ? noProxy : getVariable('no_proxy').split(/[\s,]+/);
  if (
    isLoopback(target.hostname) ||
    noProxyEntries.some((entry) => matchesNoProxyEntry(entry.trim(), target))
  ) {
    return undefined;
  }
  // Many machines set only HTTP_PROXY, for both protocols.
  const environmentProxy =
    (target.protocol === 'https:' && getVariable('https_proxy')) || getVariable('http_proxy');
  const proxySetting = (proxy ?? '').trim() || environmentProxy.trim();
  return proxySetting === '' ? undefined : parseProxy(proxySetting);
}

function parseProxy(proxySetting: string): string {
  const url = URL.parse(
    /^[a-z][a-z\d+.-]*:\/\//i.test(proxySetting) ? proxySetting : `http://${proxySetting}`,
  );
  if (
    url === null ||
    url.hostname === '' ||
    !/^(https?|socks5?):$/.test(url.protocol) ||
    !canBeDecoded(`${url.username}:${url.password}`)
  ) {
    throw new ProxySettingError();
  }
  return url.href;
}

/** False for a user and password that were not percent-encoded: then it is unknown which ones are meant. */
function canBeDecoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    // A percent sign isn't followed by two hexadecimal digits.
    return false;
  }
}

/**
 * Returns whether an address matches an entry of `NO_PROXY`: a host, or a domain including its subdomains
 * (`example.com`, `.example.com`, `*.example.com`), or `*`. An entry may have a port; an IPv6 address then has
 * brackets.
 */
function matchesNoProxyEntry(entry: string, target: URL): boolean {
  if (entry === '' || entry === '*') {
    return entry === '*';
  }
  if (isIPv6(entry)) {
    // The URL has the shortest form of an address.
    return URL.parse(`http://[${entry}]`)?.hostname === target.hostname;
  }
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (port !== undefined && port !== getPort(target)) {
    return false;
  }
  const domain = name.toLowerCase().replace(/^\*?\./, '');
  const host = target.hostname.toLowerCase();
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

const getPort = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/**
 * Creates a TLS context that trusts Node's own certificate authorities (with `NODE_EXTRA_CA_CERTS`), those of the
 * system, and the given ones. Created once per agent: reading hundreds of certificates for every connection would be
 * slow.
 * @param caCertificates certificates of additional authorities, as PEM texts
 * @throws TransportFailure `tls` when a certificate file cannot be read as one
 */
export function createSecureContext(caCertificates: readonly string[]): tls.SecureContext {
  try {
    const ca = [...tls.getCACertificates('default'), ...tls.getCACertificates('system')];
    return tls.createSecureContext({ ca: [...new Set([...ca, ...caCertificates.map(requireCertificates)])] });
  } catch (error) {
    throw new TransportFailure('tls', { mayHaveBeenSent: false, cause: error });
  }
}

/** A secure context silently accepts text without any certificate, so the text is parsed first. */
function requireCertificates(text: string): string {
  return new X509Certificate(text).raw.length > 0 ? text : '';
}

/** The classification of a failed exchange by its error codes. */
export interface FailureClassification {
  readonly kind: TransportFailureKind;
  readonly phase?: 'connect' | 'headers' | 'body';
  /** True if the server certainly received no request: the name, the connection, the proxy or TLS had failed before. */
  readonly failedBeforeSending: boolean;
}

const createClassification = (
  kind: TransportFailureKind,
  failedBeforeSending: boolean,
  phase?: 'connect' | 'headers' | 'body',
): FailureClassification => ({ kind, failedBeforeSending, ...(phase === undefined ? {} : { phase }) });

/** Node's and undici's error codes. */
const classifications: ReadonlyMap<string, FailureClassification> = new Map([
  ['ENOTFOUND', createClassification('dns', true)],
  ['EAI_AGAIN', createClassification('dns', true)],
  ['EAI_FAIL', createClassification('dns', true)],
  ['ECONNREFUSED', createClassification('refused', true)],
  ['EHOSTUNREACH', createClassification('refused', true)],
  ['ENETUNREACH', createClassification('refused', true)],
  ['ECONNRESET', createClassification('reset', false)],
  ['ECONNABORTED', createClassification('reset', false)],
  ['EPIPE', createClassification('reset', false)],
  ['UND_ERR_SOCKET', createClassification('reset', false)],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', createClassification('reset', false)],
  ['ERR_STREAM_PREMATURE_CLOSE', createClassification('reset', false)],
  // A truncated compressed body.
  ['Z_BUF_ERROR', createClassification('reset', false)],
  ['UND_ERR_CONNECT_TIMEOUT', createClassification('timeout', true, 'connect')],
  ['ETIMEDOUT', createClassification('timeout', false, 'connect')],
  ['UND_ERR_HEADERS_TIMEOUT', createClassification('timeout', false, 'headers')],
  ['UND_ERR_BODY_TIMEOUT', createClassification('timeout', false, 'body')],
  ['UND_ERR_PRX_CONN', createClassification('proxy', true)],
  ['UND_ERR_PRX_TLS', createClassification('proxy', true)],
]);

/** OpenSSL's and Node's codes for an invalid certificate or a failed handshake. */
const tlsCodePattern =
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/;

/** undici's codes for a proxy that rejects a request: it responds to CONNECT or the request with a status. */
const proxyRefusalCodes: ReadonlySet<string> = new Set(['UND_ERR_ABORTED', 'UND_ERR_INVALID_ARG']);

/** With a proxy in between, these failures concern the connection to the proxy. */
const proxyAttributedKinds: ReadonlySet<string> = new Set(['dns', 'refused']);

/**
 * Classifies a failed exchange by the codes of the error and of its causes; never by its message.
 * @param usesProxy whether a proxy was in between
 */
export function classifyFailure(error: unknown, usesProxy: boolean): FailureClassification {
  for (const code of getErrorCodes(error)) {
    if (tlsCodePattern.test(code)) {
      return createClassification('tls', true);
    }
    if (usesProxy && proxyRefusalCodes.has(code)) {
      return createClassification('proxy', true);
    }
    const classification = classifications.get(code);
    if (classification !== undefined) {
      return usesProxy && proxyAttributedKinds.has(classification.kind)
        ? createClassification('proxy', true)
        : classification;
    }
  }
  return createClassification('unknown', false);
}

/** The codes of an error and of its causes, innermost first: the outer ones only wrap. */
const getErrorCodes = (error: unknown): readonly string[] =>
  getErrorChain(error)
    .toReversed()
    .map((cause): unknown => Reflect.get(cause, 'code'))
    .filter((code) => typeof code === 'string');
