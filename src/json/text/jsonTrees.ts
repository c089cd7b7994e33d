import type { PerVersion, VersionedText } from '../../base/perVersion.ts';
import { type JsonDocument, parseJson } from './parseJson.ts';

/** The trees of the open documents, which all who read one share. */
export type JsonTrees = PerVersion<JsonDocument>;

/** The text of an open document as a tree; each version is read once. */
export const treeOf = (trees: JsonTrees, document: VersionedText): JsonDocument =>
  trees.of(document, parseJson);
