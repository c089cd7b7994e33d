import type { MergeConflict } from './merge.ts';
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
  | { readonly kind: 'merged' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'conflicts'; readonly conflicts: readonly MergeConflict[]; readonly theirs: Version };

/**
 * Merges the server's document into the open text. The server's version becomes the text's base only after the text
 * contains it: otherwise the next save would overwrite changes that the user has never seen, without asking
 * (decisions.md, "Documents").
 * @throws DocumentRefusedError when the text cannot be read
 * @throws ApiError
 */
export async function mergeIntoText(
  documents: Pick<RemoteDocuments, 'merge' | 'adopt'>,
  path: string,
  openText: OpenText,
): Promise<MergeOutcome> {
  for (;;) {
    const { version } = openText;
    const { text, conflicts, theirs } = await documents.merge(path, openText.text);
    const isOutdated = (): boolean => openText.version !== version;
    if (isOutdated()) {
      continue;
    }
    if (conflicts.length > 0) {
      return { kind: 'conflicts', conflicts, theirs };
    }
    if (text === openText.text || (await openText.replace(text))) {
      documents.adopt(path, theirs);
      return { kind: 'merged' };
    }
    // The editor also rejects an edit if the text has changed meanwhile: then the merge starts over.
    if (!isOutdated()) {
      return { kind: 'refused' };
    }
  }
}
