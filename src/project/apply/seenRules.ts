import type { AppliedProject } from '../../changes/model/operation.ts';
import type { ItemChange, ServerChangeState } from '../compare/itemChange.ts';
import type { Project } from '../files/project.ts';
import { formatItemKey } from '../item.ts';
import type { Lock } from '../pull/lock.ts';
import { renameLockEntries } from '../pull/renamedEntries.ts';
import type { PreparedPlan } from './preparePlan.ts';

/**
 * Returns the rules that a plan changes and that have not changed on the instance since the project has last seen them.
 * Rules that move to a column without rules are listed with the keys of both columns.
 */
export function getSeenRules({
  project,
  lock,
  prepared: { comparison, pulled },
}: {
  readonly project: Project;
  readonly lock: Lock;
  readonly prepared: Pick<PreparedPlan, 'comparison' | 'pulled'>;
}): NonNullable<AppliedProject['lastSeenRules']> {
  const current = new Set(pulled.items.map(({ key }) => formatItemKey(key)));
  const renamedLock = renameLockEntries(lock, { project, pulled });
  return (
    comparison.changes
      .flatMap((change): readonly (ServerChangeState & Pick<ItemChange, 'key' | 'from'>)[] => [
        // If the instance already has rules under the key of a creation, these belong to a column that gets another
        // name. Others may have changed them, so they aren't listed.
        ...(change.action === 'create' && current.has(formatItemKey(change.key)) ? [] : [change]),
        ...(change.deletedWith ?? []),
      ])
      .filter(
        ({ key: { kind }, isChangedOnServer }) =>
          (kind === 'rules' || kind === 'cubeSetRules') && !isChangedOnServer,
      )
      .map(({ key, from }) => {
        const text = formatItemKey(key);
        const keys =
          from === undefined ? [text] : [formatItemKey(from), ...(current.has(text) ? [] : [text])];
        return { keys, hashes: getHashes(lock, keys) };
      })
      // Rules that were seen under another name have other keys in the locks of other checkouts.
      .filter(({ keys, hashes }) => hashes === getHashes(renamedLock, keys))
  );
}

/**
 * Returns the keys, as texts, of the rules that a lock has as the applied project had last seen them. The lock of
 * another checkout may be older, and changes by others that it has not seen must not count as seen.
 */
export const getSeenRuleKeys = (
  { lastSeenRules = [] }: Pick<AppliedProject, 'lastSeenRules'>,
  lock: Lock,
): ReadonlySet<string> =>
  new Set(
    lastSeenRules.filter(({ keys, hashes }) => hashes === getHashes(lock, keys)).flatMap(({ keys }) => keys),
  );

/** Returns the hashes of rules, which are a single part each. */
const getHashes = ({ entries }: Lock, keys: readonly string[]): string =>
  keys.map((key) => entries.get(key)?.parts.get('') ?? '').join(' ');
