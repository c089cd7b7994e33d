import type { VersionedTextCache, VersionedText } from '../../base/versionedTextCache.ts';
import { type JsonDocument, parseJson } from './parseJson.ts';

/** The trees of the open documents, which all who read one share. */
export type JsonTrees = VersionedTextCache<JsonDocument>;

/** The text of an open document as a tree; each version is read once. */
export const getJsonTree = (trees: JsonTrees, document: VersionedText): JsonDocument =>
  trees.getOrCreate(document, parseJson);
