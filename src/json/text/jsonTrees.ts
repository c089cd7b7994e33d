import type { VersionedTextCache, VersionedText } from '../../base/versionedTextCache.ts';
import { type JsonDocument, parseJsonTree } from './parseJsonTree.ts';

/** Cache of the syntax trees of open documents, shared by all language features. */
export type JsonTrees = VersionedTextCache<JsonDocument>;

/** Returns the syntax tree of an open document. Each version is parsed once. */
export const getJsonTree = (trees: JsonTrees, document: VersionedText): JsonDocument =>
  trees.getOrCreate(document, parseJsonTree);
