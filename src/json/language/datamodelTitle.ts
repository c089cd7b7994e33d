import { getTitleFromFullname } from '../../contract/terms.ts';
import { type JsonNode, getLiteralText } from '../text/jsonNode.ts';
import type { JsonDocument } from '../text/parseJsonTree.ts';
import type { JsonDocumentKind } from './documentKind.ts';
import { getMemberValue, findReferencingObjects } from './catalogReference.ts';

/** The title of a datamodel in a document, with the range of the value that contains it. */
export interface DatamodelTitle {
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the title of the datamodel that a document refers to: the datasource of a viewpoint, or the elasticube or live
 * datamodel of rules. `undefined` if the document refers to none or to several.
 */
export function findDatamodelTitle(
  kind: JsonDocumentKind,
  { root }: JsonDocument,
): DatamodelTitle | undefined {
  if (kind === 'viewpoint') {
    return readTitle(getMemberValue(getMemberValue(root, 'details'), 'datasource'), 'title');
  }
  const titles = findReferencingObjects(kind, root).map(({ node }) => readTitle(node, 'elasticube'));
  const [first] = titles;
  return titles.every((other) => other?.title === first?.title) ? first : undefined;
}

/** Reads the title from its key, or else from `fullname`: `server/title` or `live:title`. */
function readTitle(node: JsonNode | undefined, key: 'title' | 'elasticube'): DatamodelTitle | undefined {
  const [titleNode, fullnameNode] = [getMemberValue(node, key), getMemberValue(node, 'fullname')];
  const [title, fullname] = [getLiteralText(titleNode), getLiteralText(fullnameNode)];
  if (titleNode !== undefined && title !== undefined && title !== '') {
    return { title, start: titleNode.start, end: titleNode.end };
  }
  return fullnameNode === undefined || fullname === undefined || fullname === ''
    ? undefined
    : { title: getTitleFromFullname(fullname), start: fullnameNode.start, end: fullnameNode.end };
}
