import { livePrefix } from '../contract/ruleTerms.ts';
import { type JsonNode, parseJson } from '../viewpoints/json/tree.ts';
import { fieldOf } from './columnProposals.ts';
import type { JsonDocumentKind } from './documentKind.ts';
import { memberOf, namingObjects } from './subject.ts';

/**
 * The title of the datamodel that a document names itself: the datasource of a viewpoint, the cube or live datamodel
 * of its rules. `undefined` where it names none, or several.
 */
export function datamodelTitle(kind: JsonDocumentKind, text: string): string | undefined {
  const { root } = parseJson(text);
  if (kind === 'viewpoint') {
    const datasource = memberOf(memberOf(root, 'details'), 'datasource');
    return datasource?.kind === 'object' ? datasourceTitle(datasource) : undefined;
  }
  const titles = new Set(namingObjects(kind, root).map(({ node }) => ruleTitle(node)));
  return titles.size === 1 ? [...titles][0] : undefined;
}

function datasourceTitle(datasource: JsonNode & { kind: 'object' }): string | undefined {
  const fullname = fieldOf(datasource, 'fullname');
  return fieldOf(datasource, 'title') ?? (fullname === undefined ? undefined : titleIn(fullname));
}

/** `server/title`, or `live:title`. */
const titleIn = (fullname: string): string =>
  fullname.startsWith(livePrefix)
    ? fullname.slice(livePrefix.length)
    : fullname.slice(fullname.lastIndexOf('/') + 1);

function ruleTitle(rule: JsonNode & { kind: 'object' }): string | undefined {
  const fullname = fieldOf(rule, 'fullname');
  return fieldOf(rule, 'elasticube') ?? (fullname === undefined ? undefined : titleIn(fullname));
}
