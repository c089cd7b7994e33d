import { toPathSegment } from '../catalog/pathSegment.ts';
import { type ResourceKind, type ResourceRef, resourceRefSchema } from '../catalog/resourceRef.ts';
import type { RuleSubject } from '../catalog/ruleSubject.ts';
import { documentSuffixes } from '../catalog/viewAddress.ts';

/** Kinds of resources that are not documents: collections, embedded items without a text of their own, and builds. */
type NonDocumentKind = 'column' | 'rules' | 'customData' | 'build';
export type DocumentKindName = Exclude<ResourceKind, NonDocumentKind>;
/** Identifies a document within its connection. */
export type DocumentRef = Extract<ResourceRef, { kind: DocumentKindName }>;

/** A document and its connection. */
export interface DocumentIdentity {
  readonly connectionId: string;
  readonly resource: DocumentRef;
}

const nonDocumentKinds: readonly ResourceKind[] = [
  'column',
  'rules',
  'customData',
  'build',
] satisfies NonDocumentKind[];

export const isDocumentRef = (resource: ResourceRef): resource is DocumentRef =>
  !nonDocumentKinds.includes(resource.kind);

/** The parts of a document's URI. */
export interface DocumentAddress {
  /** The names of the document and its containers, for breadcrumbs, labels and tabs. It starts with the path mark. */
  readonly path: string;
  /** The identity; empty in the URIs of earlier versions, which have it in their path. */
  readonly query: string;
}

/**
 * An invisible character (U+2060) before the name of the connection. No path of a file on disk starts with it, so the
 * editor can determine the language of a document by its path alone (decisions.md, "Documents").
 */
const pathMark = '\u2060';

/** Returns the address of a document: the display path, which users see, and the identity separately. */
export function getDocumentAddress(path: string): DocumentAddress {
  const [, query, displayPath = ''] = /^\/([^/]+)\/(.*)$/s.exec(path) ?? [];
  return query === undefined ? { path, query: '' } : { path: `/${pathMark}${displayPath}`, query };
}

/** Returns the path of the document, or of the folder, that has an address. */
export const getDocumentPath = ({ path, query }: DocumentAddress): string =>
  query === '' || query.includes('/') || !path.startsWith(`/${pathMark}`)
    ? path
    : `/${query}/${path.slice(pathMark.length + 1)}`;

/** Parses an address; returns `undefined` if it is not the address of a document. */
export const readDocumentAddress = (address: DocumentAddress): DocumentIdentity | undefined =>
  readDocumentPath(getDocumentPath(address));

/**
 * Creates the path of a document, `/<identity>/<display path>`; its URI has the two parts separately
 * ({@link getDocumentAddress}). Because of the identity, renaming a resource does not break an open tab (decisions.md,
 * "Documents"). The identity ends with a hash of the display path: a path with other names is rejected, so that nothing
 * is saved over a resource under a name that it never had.
 * @param document `within`: the names of the document's containers, outermost first, starting with its connection
 */
export function createDocumentPath(
  document: DocumentIdentity & { readonly name: string; readonly within: readonly string[] },
): string {
  const { connectionId, resource, name, within } = document;
  const fileName = `${toPathSegment(name)}${documentSuffixes[resource.kind]}`;
  const displayPath = [...within.map(toPathSegment), fileName].join('/');
  return `/${[...getIdentityParts(connectionId, resource), hashText(displayPath)].map(escapePart).join('~')}/${displayPath}`;
}

/** Parses a document path; returns `undefined` if {@link createDocumentPath} cannot have created it. */
export function readDocumentPath(documentPath: string): DocumentIdentity | undefined {
  const [, identity = '', displayPath = ''] = /^\/([^/]+)\/(.+)$/.exec(documentPath) ?? [];
  const parts = identity.split('~').map(unescapePart);
  const pathHash = parts.pop();
  const [connectionId, kind, ...ids] = parts;
  if (!connectionId || pathHash !== hashText(displayPath)) {
    return undefined;
  }
  const resource = resourceRefSchema.safeParse(toRefCandidate(kind, ids)).data;
  if (resource === undefined || !isDocumentRef(resource)) {
    return undefined;
  }
  const isCanonical =
    [...getIdentityParts(connectionId, resource), pathHash].map(escapePart).join('~') === identity;
  return isCanonical && displayPath.endsWith(documentSuffixes[resource.kind])
    ? { connectionId, resource }
    : undefined;
}

/**
 * Returns the display name of a document: the last part of its path, without the suffix.
 * @param path the path of the document or of its URI
 */
export function getDisplayName(path: string): string {
  const fileName = path.slice(path.lastIndexOf('/') + 1);
  const suffix = Object.values(documentSuffixes).find((candidate) => fileName.endsWith(candidate)) ?? '';
  return fileName.slice(0, fileName.length - suffix.length);
}

/**
 * Returns the names of a document's connection and containers, outermost first.
 * @param documentPath a path of {@link createDocumentPath}, not that of a URI, which lacks the identity
 */
export const getConnectionAndContainerNames = (documentPath: string): readonly string[] =>
  documentPath.split('/').slice(2, -1);

/** Returns the names of a document's containers, outermost first, without that of its connection. */
export const getContainerNames = (documentPath: string): readonly string[] =>
  getConnectionAndContainerNames(documentPath).slice(1);

/** The parts of an identity. Their order must never change: the tabs of an earlier version must still open. */
function getIdentityParts(connectionId: string, ref: DocumentRef): readonly string[] {
  const prefix = [connectionId, ref.kind];
  switch (ref.kind) {
    case 'datamodel':
      return [...prefix, ref.datamodelId];
    case 'dataset':
      return [...prefix, ref.datamodelId, ref.datasetId];
    case 'table':
    case 'tableExpression':
      return [...prefix, ref.datamodelId, ref.datasetId, ref.tableId];
    case 'columnExpression':
      return [...prefix, ref.datamodelId, ref.datasetId, ref.tableId, ref.columnId];
    case 'relation':
      return [...prefix, ref.datamodelId, ref.relationId];
    case 'columnRules':
      return [...prefix, ...getSubjectParts(ref.subject), ref.table, ref.column];
    case 'rule':
      return [...prefix, ...getSubjectParts(ref.subject), ref.ruleId];
    case 'viewpoint':
      return [...prefix, ref.viewpointId];
    case 'customDataObject':
      return [...prefix, ref.objectId];
  }
}

/** Returns the same number of parts for each kind of subject, so that the following parts keep their positions. */
const getSubjectParts = (subject: RuleSubject): readonly string[] =>
  subject.kind === 'live'
    ? [subject.kind, subject.title, '']
    : [subject.kind, subject.server, subject.elasticube];

/** Converts the parts of an identity to a reference that is not yet validated. */
function toRefCandidate(kind: string | undefined, ids: readonly string[]): unknown {
  if (kind === 'columnRules' || kind === 'rule') {
    const [subjectKind, first, second, third, fourth] = ids;
    const ruleSubject =
      subjectKind === 'live'
        ? { kind: subjectKind, title: first }
        : { kind: subjectKind, server: first, elasticube: second };
    return { kind, subject: ruleSubject, table: third, column: fourth, ruleId: third };
  }
  const [first, second, third, fourth] = ids;
  // The schema keeps only the members that a reference of this kind has.
  return {
    kind,
    viewpointId: first,
    objectId: first,
    datamodelId: first,
    relationId: second,
    datasetId: second,
    tableId: third,
    columnId: fourth,
  };
}

/** Keeps letters, digits, `-` and `_`, and escapes every other UTF-16 unit as a dot and four digits. */
const escapePart = (part: string): string =>
  part.replace(/[^\w-]/g, (unit) => `.${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const unescapePart = (part: string): string =>
  part.replace(/\.([0-9a-f]{4})/g, (_match, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );

/** Computes an FNV-1a hash: enough to distinguish paths, not cryptographic. */
function hashText(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}
