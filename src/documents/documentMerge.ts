import type { DocumentState } from './documentState.ts';
import { type MergeConflict, type MergeResult, type MergeSide, mergeJson } from './mergeJson.ts';
import { DocumentRefusedError } from './refusals.ts';
import { editDocumentText } from './editDocumentText.ts';
import { Version, readVersion } from './version.ts';

/** The result of merging the server's changes into the user's text. */
export interface DocumentMerge {
  /** The user's text with the server's changes, edited as little as possible. Conflicting parts are the user's. */
  readonly text: string;
  readonly conflicts: readonly MergeConflict[];
  /** The server's version that was merged. */
  readonly theirs: Version;
  /** Creates the variants of {@link text}, each with the conflicting parts of one version. */
  readonly getConflictTexts: () => ConflictTexts;
}

/** The texts from which the user resolves conflicts. */
export interface ConflictTexts {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  /**
   * The server's version, but with the conflicting parts of the base. It is the base of the document while its text is
   * {@link base}.
   */
  readonly mergedBase: Version;
}

/** The part of a document's state that a merge needs. */
type DocumentMergeState = Pick<DocumentState, 'base' | 'handler'>;

/**
 * Merges JSON by key, and SQL line by line (see {@link mergeJson}). Anything that both sides changed is a conflict. If
 * the base is unknown, every value that both sides have and that differs is a conflict.
 * @throws DocumentRefusedError when the text cannot be read
 */
export function mergeDocument(state: DocumentMergeState, theirs: Version, text: string): DocumentMerge {
  const ours = readVersion(text, state.handler);
  if (ours === undefined) {
    throw new DocumentRefusedError('not-json');
  }
  const merge = (preferred: MergeSide): MergeResult => mergeVersions(state, { ours, theirs }, preferred);
  const toText = ({ merged }: MergeResult): string =>
    typeof merged === 'string' ? merged : editDocumentText(text, merged);
  const result = merge('ours');
  return {
    text: toText(result),
    conflicts: result.conflicts,
    theirs,
    getConflictTexts: () => {
      const base = merge('base');
      const { isServerManaged } = state.handler;
      // Replaces only the conflicting parts of the server's version: the user's other changes are not part of a base.
      const { merged } = mergeJson(result.merged, base.merged, theirs.value, { isServerManaged });
      return {
        base: toText(base),
        ours: toText(result),
        theirs: toText(merge('theirs')),
        mergedBase: Version.create(merged, isServerManaged),
      };
    },
  };
}

/**
 * Returns whether no conflict is left to resolve: wherever the server's version differs from the base, the text has the
 * same change or a different one.
 */
export function areConflictsResolved(state: DocumentMergeState, theirs: Version, ours: Version): boolean {
  const { merged } = mergeVersions(state, { ours, theirs }, 'ours');
  return Version.create(merged, state.handler.isServerManaged).hash === ours.hash;
}

const mergeVersions = (
  { base, handler: { isServerManaged } }: DocumentMergeState,
  { ours, theirs }: Readonly<Record<'ours' | 'theirs', Version>>,
  preferred: MergeSide,
): MergeResult => mergeJson(base?.value ?? null, ours.value, theirs.value, { isServerManaged, preferred });
