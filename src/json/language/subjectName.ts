import { livePrefix } from '../../contract/terms.ts';
import { type JsonNode, textOf } from '../text/jsonNode.ts';
import type { JsonDocument } from '../text/parseJson.ts';
import type { JsonDocumentKind } from './documentKind.ts';
import { memberOf, namingObjects } from './subject.ts';

/** The title of a datamodel as a document writes it, with its place. */
export interface WrittenTitle {
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The datamodel that a document names itself: the datasource of a viewpoint, the cube or live datamodel of its rules.
 * `undefined` where it names none, or several.
 */
export function writtenTitle(kind: JsonDocumentKind, { root }: JsonDocument): WrittenTitle | undefined {
  if (kind === 'viewpoint') {
    return titleOf(memberOf(memberOf(root, 'details'), 'datasource'), 'title');
  }
  const all = namingObjects(kind, root).map(({ node }) => titleOf(node, 'elasticube'));
  const [first] = all;
  return all.every((written) => written?.title === first?.title) ? first : undefined;
}

/** By the key that has the title alone, else by `fullname`: `server/title`, or `live:title`. */
function titleOf(node: JsonNode | undefined, key: 'title' | 'elasticube'): WrittenTitle | undefined {
  const [plain, full] = [memberOf(node, key), memberOf(node, 'fullname')];
  const [title, fullname] = [textOf(plain), textOf(full)];
  if (plain !== undefined && title !== undefined && title !== '') {
    return { title, start: plain.start, end: plain.end };
  }
  return full === undefined || fullname === undefined || fullname === ''
    ? undefined
    : { title: titleIn(fullname), start: full.start, end: full.end };
}

const titleIn = (fullname: string): string =>
  fullname.startsWith(livePrefix)
    ? fullname.slice(livePrefix.length)
    : fullname.slice(fullname.lastIndexOf('/') + 1);
