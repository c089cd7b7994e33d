import type { DocumentState } from './documentState.ts';
import { type MergeConflict, mergeJson } from './merge.ts';
import { DocumentRefusedError } from './refusals.ts';
import { editDocumentText } from './textEdits.ts';
import { type Version, readVersion } from './version.ts';

/** The user's text with the server's changes merged into it. */
export interface DocumentMerge {
  /** The text, changed as little as possible; in conflicts, the user's version. */
  readonly text: string;
  readonly conflicts: readonly MergeConflict[];
  /** The server's version that was merged. */
  readonly theirs: Version;
}

/**
 * Merges by key, and SQL by lines (see {@link mergeJson}). Anything that both sides changed is in conflict, as is a
 * text whose base is unknown.
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
