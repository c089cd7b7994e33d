import {
  type EndpointId,
  type PathDialect,
  PathSegmentError,
  pathFor,
  pathTemplate,
} from '../contract/endpoints.ts';
import { AddressError } from './errors.ts';
import { operationOf } from './apiError.ts';

/** Query parameters; `undefined` ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestAddress {
  /** The path within the instance, encoded, without query. */
  readonly path: string;
  readonly url: string;
  readonly origin: string;
}

/**
 * Where a request goes. Every name is one encoded segment, and the address is the one that is sent: it is refused
 * when a URL parser, or a proxy that decodes slashes, would read it as another path.
 * @param baseUrl `http` or `https`, with an optional path, without query, fragment or credentials
 * @throws AddressError
 */
export function requestAddress(
  baseUrl: string,
  endpoint: EndpointId,
  params: Readonly<Record<string, string>>,
  options: { readonly dialect: PathDialect; readonly query?: Query | undefined },
): RequestAddress {
  const template = operationOf(endpoint, pathTemplate(endpoint, options.dialect));
  const base = baseOf(baseUrl);
  if (base === undefined) {
    throw new AddressError(template);
  }
  const path = filledPath(endpoint, params, options.dialect);
  const sent = `${base.pathname.replace(/\/+$/, '')}${path}`;
  const url = URL.parse(`${base.origin}${sent}`);
  if (url === null || url.pathname !== sent || url.origin !== base.origin) {
    throw new AddressError(template);
  }
  return { path, url: `${base.origin}${sent}${queryText(endpoint, options.query)}`, origin: base.origin };
}

function baseOf(baseUrl: string): URL | undefined {
  const base = URL.parse(baseUrl);
  if (base === null || !/^https?:$/.test(base.protocol)) {
    return undefined;
  }
  const plain = base.username === '' && base.password === '' && base.search === '' && base.hash === '';
  return plain ? base : undefined;
}

function filledPath(
  endpoint: EndpointId,
  params: Readonly<Record<string, string>>,
  dialect: PathDialect,
): string {
  const template = operationOf(endpoint, pathTemplate(endpoint, dialect));
  for (const [name, value] of Object.entries(params)) {
    // A name may hold slashes; one that climbs must not become a path in a proxy that decodes it.
    const climbs =
      typeof value !== 'string' || value.split(/[\\/]/).some((part) => part === '.' || part === '..');
    if (climbs || !value.isWellFormed()) {
      throw new AddressError(template, name);
    }
  }
  try {
    return pathFor(endpoint, params, dialect);
  } catch (error) {
    if (error instanceof PathSegmentError) {
      throw new AddressError(template, error.parameter);
    }
    throw error;
  }
}

/** Blanks become `%20`, which servers read alike in paths and queries; a plus sign they do not. */
function queryText(endpoint: EndpointId, query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(endpoint, name, String(value)))}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function wellFormed(endpoint: EndpointId, name: string, value: string): string {
  if (!value.isWellFormed()) {
    throw new AddressError(operationOf(endpoint, pathTemplate(endpoint, 'plain')), name);
  }
  return value;
}
