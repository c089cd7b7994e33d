import type { ConflictTexts } from './documentMerge.ts';
import type { MergeConflict } from './mergeJson.ts';
import type { RemoteDocuments } from './remoteDocuments.ts';
import type { Version } from './version.ts';

/** A text that the user has open, and may be typing in. */
export interface OpenText {
  readonly text: string;
  /** A number that changes with every edit. */
  readonly version: number;
  /** Replaces the text as one undo step. Returns false, and changes nothing, if the editor rejects the edit. */
  replace(text: string): Promise<boolean>;
}

/** The result of a merge: conflicts are left for the user to resolve. */
export type MergeOutcome =
  | { readonly kind: 'merged'; readonly theirs: Version }
  | { readonly kind: 'refused' }
  /** The server has another version than the one to overwrite. */
  | { readonly kind: 'outdated' }
  | {
      readonly kind: 'conflicts';
      readonly conflicts: readonly MergeConflict[];
      readonly sides: ConflictTexts;
      readonly theirs: Version;
    };

/**
 * Merges the server's document into the open text. The server's version becomes the text's base only after the text
 * contains it: otherwise the next save would overwrite changes that the user has never seen, without asking
 * (decisions.md, "Documents").
 *
 * Conflicting parts become those of the base, as in the editor's own merges: as long as one of them is neither the
 * user's nor the server's, the text is not saved.
 * @param overwritten the server's version whose conflicting parts the user has decided to overwrite with their own
 * @throws DocumentRefusedError when the text cannot be read
 * @throws ApiError
 */
export async function mergeIntoText(
  documents: Pick<RemoteDocuments, 'merge' | 'adopt' | 'beginMerge'>,
  path: string,
  openText: OpenText,
  overwritten?: Version,
): Promise<MergeOutcome> {
  for (;;) {
    const { version } = openText;
    const { text, conflicts, theirs, getConflictTexts } = await documents.merge(path, openText.text);
    const isOutdated = (): boolean => openText.version !== version;
    if (isOutdated()) {
      continue;
    }
    if (overwritten !== undefined && overwritten.hash !== theirs.hash) {
      return { kind: 'outdated' };
    }
    const sides = conflicts.length > 0 && overwritten === undefined ? getConflictTexts() : undefined;
    const mergedText = sides?.base ?? text;
    if (mergedText === openText.text || (await openText.replace(mergedText))) {
      if (sides === undefined) {
        documents.adopt(path, theirs);
        return { kind: 'merged', theirs };
      }
      documents.beginMerge(path, { base: sides.mergedBase, theirs });
      return { kind: 'conflicts', conflicts, sides, theirs };
    }
    // The editor also rejects an edit if the text has changed meanwhile: then the merge starts over.
    if (!isOutdated()) {
      return { kind: 'refused' };
    }
  }
}
