import type { DocumentState } from './documentState.ts';
import { type MergeConflict, mergeJson } from './merge.ts';
import { DocumentRefusedError } from './refusals.ts';
import { editDocumentText } from './textEdits.ts';
import { type Version, readVersion } from './version.ts';

/** The result of merging the server's changes into the user's text. */
export interface DocumentMerge {
  /** The user's text with the server's changes, edited as little as possible. Conflicting parts are the user's. */
  readonly text: string;
  readonly conflicts: readonly MergeConflict[];
  /** The server's version that was merged. */
  readonly theirs: Version;
}

/**
 * Merges JSON by key, and SQL line by line (see {@link mergeJson}). Anything that both sides changed is a conflict. If
 * the base is unknown, every value that both sides have and that differs is a conflict.
 * @throws DocumentRefusedError when the text cannot be read
 */
export function mergeDocument(
  { base, handler }: Pick<DocumentState, 'base' | 'handler'>,
  theirs: Version,
  text: string,
): DocumentMerge {
  const ours = readVersion(text, handler);
  if (ours === undefined) {
    throw new DocumentRefusedError('not-json');
  }
  const { merged, conflicts } = mergeJson(
    base?.value ?? null,
    ours.value,
    theirs.value,
    handler.isServerManaged,
  );
  return { text: typeof merged === 'string' ? merged : editDocumentText(text, merged), conflicts, theirs };
}
