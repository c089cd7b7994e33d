import type { VersionedTextCache, VersionedText } from '../../base/versionedTextCache.ts';
import { type JsonDocument, parseJson } from './parseJson.ts';

/** The trees of the open documents, shared by all readers. */
export type JsonTrees = VersionedTextCache<JsonDocument>;

/** The tree of an open document; each version is parsed once. */
export const getJsonTree = (trees: JsonTrees, document: VersionedText): JsonDocument =>
  trees.getOrCreate(document, parseJson);
