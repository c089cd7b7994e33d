import { type PartHashes, hashParts } from '../compare/parts.ts';
import type { ProjectItem } from '../item.ts';
import { equalsBase } from './mergeItem.ts';
import { renameRules } from './movedRules.ts';
import type { PullEntry } from './mergeUnits.ts';
import { getOrderedContent } from './unchangedFiles.ts';

/** Returns the item of the project, if it has one. Moved rules have the name that their column has on the instance. */
export const getRenamedItem = ({ ours, movedRules: moved }: PullEntry): ProjectItem | undefined =>
  ours === undefined || moved === undefined
    ? ours
    : { key: moved.to, content: renameRules(ours.content, moved.to) };

/**
 * Returns the base of an item. For moved rules, it has the new name of their column if the project or the instance
 * still has the rules of the lock.
 */
export function getRenamedParts({
  key,
  ours,
  theirs,
  base,
  movedRules: moved,
}: PullEntry): PartHashes | undefined {
  if (base === undefined || moved === undefined) {
    return base?.parts;
  }
  const baseContent = [ours === undefined ? undefined : getOrderedContent(ours), theirs?.content].find(
    (content) => content !== undefined && equalsBase(key, renameRules(content, moved.from), base.parts),
  );
  return baseContent === undefined ? base.parts : hashParts(renameRules(baseContent, moved.to));
}
