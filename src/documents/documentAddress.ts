import { toPathSegment } from '../catalog/pathSegment.ts';
import { type ResourceKind, type ResourceRef, resourceRefSchema } from '../catalog/resourceRef.ts';
import type { RuleSubject } from '../catalog/ruleSubject.ts';
import { documentSuffixes } from '../catalog/viewAddress.ts';

/** Kinds of resources that are no documents: collections, what is embedded without a text of its own, and builds. */
type OtherKind = 'column' | 'rules' | 'customData' | 'build';
export type DocumentKindName = Exclude<ResourceKind, OtherKind>;
/** What identifies a document within its connection. */
export type DocumentRef = Extract<ResourceRef, { kind: DocumentKindName }>;

/** Which document of which connection. */
export interface DocumentIdentity {
  readonly connectionId: string;
  readonly resource: DocumentRef;
}

const otherKinds: readonly ResourceKind[] = ['column', 'rules', 'customData', 'build'] satisfies OtherKind[];

export const isDocument = (resource: ResourceRef): resource is DocumentRef =>
  !otherKinds.includes(resource.kind);

/**
 * The path of a document. Its first part is the identity, so that a resource that is renamed does not break an open
 * tab (design.md, section 8); the rest is for people. The identity ends with a mark of those names: a path with other
 * names is no document, so that nothing is saved over a resource under a name that nobody gave it.
 */
export function createDocumentPath(
  target: DocumentIdentity & { readonly name: string; readonly within: readonly string[] },
): string {
  const { connectionId, resource, name, within } = target;
  const base = `${toPathSegment(name)}${documentSuffixes[resource.kind]}`;
  const shown = [...within.map(toPathSegment), base].join('/');
  return `/${[...getIdentityParts(connectionId, resource), hashName(shown)].map(escapePart).join('~')}/${shown}`;
}

/** The document at a path; `undefined` for a path that {@link createDocumentPath} does not make. */
export function readDocumentPath(path: string): DocumentIdentity | undefined {
  const [, identity = '', shown = ''] = /^\/([^/]+)\/(.+)$/.exec(path) ?? [];
  const parts = identity.split('~').map(unescapePart);
  const mark = parts.pop();
  const [connectionId, kind, ...ids] = parts;
  if (!connectionId || mark !== hashName(shown)) {
    return undefined;
  }
  const resource = resourceRefSchema.safeParse(toRefCandidate(kind, ids)).data;
  if (resource === undefined || !isDocument(resource)) {
    return undefined;
  }
  const same = [...getIdentityParts(connectionId, resource), mark].map(escapePart).join('~') === identity;
  return same && shown.endsWith(documentSuffixes[resource.kind]) ? { connectionId, resource } : undefined;
}

/** The name under which people know a document: the last part of its path without the suffix. */
export function getDisplayName(path: string): string {
  const base = path.slice(path.lastIndexOf('/') + 1);
  const suffix = Object.values(documentSuffixes).find((known) => base.endsWith(known)) ?? '';
  return base.slice(0, base.length - suffix.length);
}

/** The names above a document, from the outside in. */
export const getDisplayParents = (path: string): readonly string[] => path.split('/').slice(2, -1);

/** What a document is in, from the outside in, without its connection. */
export const getPathInConnection = (path: string): readonly string[] => getDisplayParents(path).slice(1);

/** The parts of an identity, in an order that never changes: open tabs outlive an update of the product. */
function getIdentityParts(connectionId: string, ref: DocumentRef): readonly string[] {
  const head = [connectionId, ref.kind];
  switch (ref.kind) {
    case 'datamodel':
      return [...head, ref.datamodelId];
    case 'dataset':
      return [...head, ref.datamodelId, ref.datasetId];
    case 'table':
    case 'tableExpression':
      return [...head, ref.datamodelId, ref.datasetId, ref.tableId];
    case 'columnExpression':
      return [...head, ref.datamodelId, ref.datasetId, ref.tableId, ref.columnId];
    case 'relation':
      return [...head, ref.datamodelId, ref.relationId];
    case 'columnRules':
      return [...head, ...getSubjectParts(ref.subject), ref.table, ref.column];
    case 'rule':
      return [...head, ...getSubjectParts(ref.subject), ref.ruleId];
    case 'viewpoint':
      return [...head, ref.viewpointId];
    case 'customDataObject':
      return [...head, ref.objectId];
  }
}

/** As many parts for either kind of subject, so that what follows is always at the same place. */
const getSubjectParts = (subject: RuleSubject): readonly string[] =>
  subject.kind === 'live'
    ? [subject.kind, subject.title, '']
    : [subject.kind, subject.server, subject.elasticube];

/** What might be a reference: the schema of references decides. */
function toRefCandidate(kind: string | undefined, ids: readonly string[]): unknown {
  if (kind === 'columnRules' || kind === 'rule') {
    const [subject, first, second, third, fourth] = ids;
    const named =
      subject === 'live'
        ? { kind: subject, title: first }
        : { kind: subject, server: first, elasticube: second };
    return { kind, subject: named, table: third, column: fourth, ruleId: third };
  }
  const [first, second, third, fourth] = ids;
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

/** Letters, digits, `-` and `_` as they are, every other UTF-16 unit as a dot and four digits. */
const escapePart = (part: string): string =>
  part.replace(/[^\w-]/g, (unit) => `.${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const unescapePart = (part: string): string =>
  part.replace(/\.([0-9a-f]{4})/g, (_match, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );

/** FNV-1a: it tells names apart, it keeps nothing secret. */
function hashName(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}
