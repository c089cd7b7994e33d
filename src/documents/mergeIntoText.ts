import type { MergeConflict } from './merge.ts';
import type { RemoteDocuments } from './remoteDocuments.ts';
import type { Version } from './version.ts';

/** A text that a person has open, and may go on typing in. */
export interface OpenText {
  readonly text: string;
  /** Another one after every change. */
  readonly version: number;
  /** Puts another text in its place, as one step of undo; false where the editor refuses, and nothing is changed then. */
  replace(text: string): Promise<boolean>;
}

/** What became of a merge: what both sides changed stays as it is, for the person to look at. */
export type MergeOutcome =
  | { readonly kind: 'merged' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'conflicts'; readonly conflicts: readonly MergeConflict[]; readonly theirs: Version };

/**
 * Puts what the server holds into the text that is open. Only a text that has it counts as made from the server's
 * version: otherwise the next save would overwrite what the person never got, without a question (design.md, section 8).
 * @throws DocumentRefusedError when the text cannot be read
 * @throws ApiError
 */
export async function mergeIntoText(
  documents: Pick<RemoteDocuments, 'merge' | 'adopt'>,
  path: string,
  open: OpenText,
): Promise<MergeOutcome> {
  for (;;) {
    const { version } = open;
    const { text, conflicts, theirs } = await documents.merge(path, open.text);
    const isOvertaken = (): boolean => open.version !== version;
    if (isOvertaken()) {
      continue;
    }
    if (conflicts.length > 0) {
      return { kind: 'conflicts', conflicts, theirs };
    }
    if (text === open.text || (await open.replace(text))) {
      documents.adopt(path, theirs);
      return { kind: 'merged' };
    }
    // The editor refuses edits of a text that has changed meanwhile.
    if (!isOvertaken()) {
      return { kind: 'refused' };
    }
  }
}
