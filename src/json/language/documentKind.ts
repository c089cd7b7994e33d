/** The kinds of JSON documents that refer to a datamodel. */
export type JsonDocumentKind = 'viewpoint' | 'rule' | 'rules';

const suffixKinds: readonly (readonly [suffix: string, kind: JsonDocumentKind])[] = [
  ['.viewpoint.json', 'viewpoint'],
  ['.rule.json', 'rule'],
  ['.rules.json', 'rules'],
];

/**
 * Returns the kind of a document that refers to a datamodel, by the suffix of its path (decisions.md, "Names and file
 * suffixes").
 */
export function getDocumentKindForPath(path: string): JsonDocumentKind | undefined {
  return suffixKinds.find(([suffix]) => path.endsWith(suffix))?.[1];
}
