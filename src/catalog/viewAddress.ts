import * as z from 'zod';
import { toPathSegment } from './pathSegment.ts';
import { type ResourceKind, type ResourceRef, getRefKey, resourceRefSchema } from './resourceRef.ts';

/** The address of the document that shows a resource, as parts of a URI. */
export interface ViewAddress {
  /** Human-readable names; the last one is the title of the document. */
  readonly path: string;
  /** Identifies the connection and the resource. */
  readonly query: string;
}

const querySchema = z.object({ connection: z.string().min(1), resource: resourceRefSchema });

/** The suffix of the document name for each kind (decisions.md, "Names and file suffixes"). */
export const documentSuffixes: Readonly<Record<ResourceKind, string>> = {
  datamodel: '.datamodel.json',
  dataset: '.dataset.json',
  table: '.table.json',
  tableExpression: '.datamodel.sql',
  column: '.column.json',
  columnExpression: '.datamodel.sql',
  relation: '.relation.json',
  rules: '.rules.json',
  columnRules: '.rules.json',
  rule: '.rule.json',
  viewpoint: '.viewpoint.json',
  customData: '.custom-data.json',
  customDataObject: '.custom-data.json',
  build: '.build.json',
};

/** The address of a resource. Two addresses are equal exactly if their names, connections, and resources are. */
export function createViewAddress(target: {
  readonly connectionId: string;
  readonly resource: ResourceRef;
  readonly name: string;
  /** The names of its containers, outermost first. */
  readonly within: readonly string[];
}): ViewAddress {
  const { connectionId, resource, name, within } = target;
  const folders = within.map(toPathSegment);
  const path = `/${[...folders, `${toPathSegment(name)}${documentSuffixes[resource.kind]}`].join('/')}`;
  const identity = { connection: connectionId, resource: JSON.parse(getRefKey(resource)) as ResourceRef };
  return { path, query: JSON.stringify(identity) };
}

/** The resource that a document shows; `undefined` for an address that this extension did not create. */
export function readViewAddress(
  query: string,
): { readonly connectionId: string; readonly resource: ResourceRef } | undefined {
  try {
    const parsed = querySchema.safeParse(JSON.parse(query)).data;
    return parsed && { connectionId: parsed.connection, resource: parsed.resource };
  } catch {
    return undefined;
  }
}
