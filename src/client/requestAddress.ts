import {
  type EndpointId,
  type PathDialect,
  PathSegmentError,
  formatPath,
  getPathTemplate,
} from '../contract/endpoints.ts';
import { AddressError } from './errors.ts';
import { createApiRequestInfo } from './apiError.ts';

/** Query parameters; `undefined` ones are omitted. */
export type QueryParams = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestAddress {
  /** The path within the instance, encoded, without query. */
  readonly path: string;
  readonly url: string;
  readonly origin: string;
}

/**
 * Creates the address of a request. Every parameter is one encoded segment, and the address is sent exactly as
 * returned: it is rejected if a URL parser, or a proxy that decodes slashes, would read it as another path.
 * @param baseUrl `http` or `https`, with an optional path, without query, fragment or credentials
 * @throws AddressError
 */
export function createRequestAddress(
  baseUrl: string,
  endpoint: EndpointId,
  params: Readonly<Record<string, string>>,
  options: { readonly dialect: PathDialect; readonly query?: QueryParams | undefined },
): RequestAddress {
  const requestInfo = createApiRequestInfo(endpoint, getPathTemplate(endpoint, options.dialect));
  const base = parseBaseUrl(baseUrl);
  if (base === undefined) {
    throw new AddressError(requestInfo);
  }
  const path = fillPath(endpoint, params, options.dialect);
  const fullPath = `${base.pathname.replace(/\/+$/, '')}${path}`;
  const url = URL.parse(`${base.origin}${fullPath}`);
  if (url === null || url.pathname !== fullPath || url.origin !== base.origin) {
    throw new AddressError(requestInfo);
  }
  return {
    path,
    url: `${base.origin}${fullPath}${formatQuery(endpoint, options.query)}`,
    origin: base.origin,
  };
}

function parseBaseUrl(baseUrl: string): URL | undefined {
  const base = URL.parse(baseUrl);
  if (base === null || !/^https?:$/.test(base.protocol)) {
    return undefined;
  }
  const hasOnlyOriginAndPath =
    base.username === '' && base.password === '' && base.search === '' && base.hash === '';
  return hasOnlyOriginAndPath ? base : undefined;
}

function fillPath(
  endpoint: EndpointId,
  params: Readonly<Record<string, string>>,
  dialect: PathDialect,
): string {
  const requestInfo = createApiRequestInfo(endpoint, getPathTemplate(endpoint, dialect));
  for (const [name, value] of Object.entries(params)) {
    // A name may contain slashes, but one with `..` must not become a path in a proxy that decodes it.
    const hasDotSegment =
      typeof value !== 'string' ||
      value.split(/[\\/]/).some((segment) => segment === '.' || segment === '..');
    if (hasDotSegment || !value.isWellFormed()) {
      throw new AddressError(requestInfo, name);
    }
  }
  try {
    return formatPath(endpoint, params, dialect);
  } catch (error) {
    if (error instanceof PathSegmentError) {
      throw new AddressError(requestInfo, error.parameter);
    }
    throw error;
  }
}

/** Encodes blanks as `%20`, which servers decode the same way in paths and queries, unlike plus signs. */
function formatQuery(endpoint: EndpointId, query: QueryParams = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [
          `${encodeURIComponent(name)}=${encodeURIComponent(requireWellFormed(endpoint, name, String(value)))}`,
        ],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function requireWellFormed(endpoint: EndpointId, name: string, value: string): string {
  if (!value.isWellFormed()) {
    throw new AddressError(createApiRequestInfo(endpoint, getPathTemplate(endpoint, 'plain')), name);
  }
  return value;
}
