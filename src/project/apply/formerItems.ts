import type { AppliedProject, FormerItem } from '../../changes/model/operation.ts';
import { hashParts } from '../compare/parts.ts';
import type { Project } from '../files/project.ts';
import { type ItemKey, formatItemKey, getOwnerKeys } from '../item.ts';
import { type Lock, toLockEntryJson } from '../pull/lock.ts';
import { getOrderedContent, hashFileContent } from '../pull/unchangedFiles.ts';
import { createFollowingSqlCheck } from './followingSql.ts';
import type { PreparedPlan } from './preparePlan.ts';

/**
 * Returns what the journal of an apply contains about the items that it changes, as they were before: what the instance
 * had, and what the lock file said about it. They contain hashes only, so no secrets. If the apply is undone,
 * `restoreFormerLock` uses them.
 */
export function createFormerItems({
  project,
  lock,
  prepared: {
    comparison: { changes, renamer },
    pulled,
  },
}: {
  readonly project: Pick<Project, 'items'>;
  readonly lock: Lock;
  readonly prepared: {
    readonly comparison: Pick<PreparedPlan['comparison'], 'changes' | 'renamer'>;
    readonly pulled: Pick<PreparedPlan['pulled'], 'items'>;
  };
}): NonNullable<AppliedProject['formerItems']> {
  const wanted = new Map(project.items.map((item) => [formatItemKey(item.key), item]));
  const current = new Map(pulled.items.map(({ key, content }) => [formatItemKey(key), content]));
  const isFollowingSql = createFollowingSqlCheck(renamer, pulled);
  const following = new Set(changes.filter(isFollowingSql).map(({ key }) => formatItemKey(key)));
  const items = new Map<string, FormerItem>();
  const add = (key: ItemKey, newKey = key): void => {
    const [text, newText] = [formatItemKey(key), formatItemKey(newKey)];
    if (items.has(text)) {
      return;
    }
    const lastSeen = lock.entries.get(text);
    const content = current.get(text);
    const file = wanted.get(newText);
    items.set(text, {
      key: text,
      ...(text === newText ? {} : { newKey: newText }),
      ...(following.has(newText) ? { followsRename: true } : {}),
      ...(lastSeen === undefined ? {} : { lastSeen: toLockEntryJson(lastSeen) }),
      ...(content === undefined ? {} : { parts: Object.fromEntries(hashParts(content)) }),
      ...(file === undefined
        ? {}
        : {
            appliedParts: Object.fromEntries(hashParts(getOrderedContent(file))),
            appliedFile: hashFileContent(file),
          }),
    });
  };
  for (const { key, from, deletedWith = [] } of changes) {
    add(from ?? key, key);
    deletedWith.forEach((item) => add(item.key));
  }
  for (const { key, from } of changes) {
    // A new name may be that of another item, such as of rules that the instance already has on it. And the instance
    // derives the columns of a custom table from its SQL.
    [key, ...getOwnerKeys(from ?? key).filter(({ kind }) => kind === 'table')].forEach((other) => add(other));
  }
  return [...items.values()];
}
