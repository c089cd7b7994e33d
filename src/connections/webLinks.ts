import type { ResourceRef } from '../catalog/resourceRef.ts';
import type { Connection } from './connection.ts';

/** The kinds of resources that the web interface of an instance has pages for. */
export const webLinkKinds = ['datamodel', 'viewpoint'] as const;
export type WebLinkKind = (typeof webLinkKinds)[number];

/** The problem with the pattern of a web link. */
export type WebLinkProblem = 'no-address' | 'has-credentials' | 'unknown-placeholder' | 'no-item';

/**
 * The start of a pattern: the address of the connection, or another one. Nothing from a server becomes a part of it.
 */
const originPattern = /^(?:\{url\}|https?:\/\/[^\s/?#\\{}]+)(?=[/?#]|$)/;

/** What a pattern may contain after its start: whitespace and backslashes don't belong in addresses. */
const restPattern = /^[^\s\\]*$/;

/** Returns the problem with the pattern of a web link; `undefined` if it is valid or there is none. */
export function getWebLinkProblem(pattern: string | undefined): WebLinkProblem | undefined {
  if (pattern === undefined) {
    return undefined;
  }
  const [start = ''] = originPattern.exec(pattern) ?? [];
  const rest = pattern.slice(start.length);
  if (start === '' || !restPattern.test(rest) || !URL.canParse(start.replace('{url}', 'https://host'))) {
    return 'no-address';
  }
  if (start.includes('@')) {
    return 'has-credentials';
  }
  if (/[{}]/.test(rest.replaceAll(/\{(?:id|title)\}/g, ''))) {
    return 'unknown-placeholder';
  }
  return rest.includes('{') ? undefined : 'no-item';
}

/**
 * Returns the address of a resource in the web interface: the pattern of its connection with the values encoded;
 * `undefined` if there is none. The platform does not describe these addresses, so the user enters the pattern.
 */
export function getWebLink(
  connection: Connection | undefined,
  resource: ResourceRef | undefined,
  title: string,
): string | undefined {
  if (connection?.kind !== 'remote' || (resource?.kind !== 'datamodel' && resource?.kind !== 'viewpoint')) {
    return undefined;
  }
  const id = resource.kind === 'datamodel' ? resource.datamodelId : resource.viewpointId;
  return fillPattern(connection.webLinks?.[resource.kind], connection.url, { id, title });
}

function fillPattern(
  pattern: string | undefined,
  url: string,
  values: Readonly<Record<'id' | 'title', string>>,
): string | undefined {
  // A stored pattern may have been entered in another version, so it is checked again.
  if (pattern === undefined || getWebLinkProblem(pattern) !== undefined) {
    return undefined;
  }
  const segments = pattern.replace(/^\{url\}/, () => url).split(/(\{(?:id|title)\})/);
  const encoded = segments.map((segment, index) =>
    index % 2 === 0 ? segment : encodeValue(values[segment === '{id}' ? 'id' : 'title']),
  );
  return encoded.some((part) => part === undefined) ? undefined : encoded.join('');
}

/**
 * Encodes a value. Returns `undefined` for invalid Unicode, and for `.` and `..`, which would lead to another folder
 * even if they were encoded.
 */
function encodeValue(value: string): string | undefined {
  return /^\.{1,2}$/.test(value) || !value.isWellFormed() ? undefined : encodeURIComponent(value);
}
