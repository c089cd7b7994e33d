import type { HistoryEntry } from '../changes/journal/entry.ts';
import { getWrittenDocuments } from '../changes/journal/writtenDocuments.ts';
import { RulesRefusedError, type StoppedError } from '../changes/run/writeErrors.ts';
import { ApiError } from '../client/errors.ts';
import { getRuleRefusal } from '../client/httpError.ts';
import { sortByText } from '../base/sortByText.ts';
import type { CommandContext } from './command.ts';

/** Returns the titles of the datamodels that a change has deleted, and of those that it has deleted tables of. */
function findDatamodels(entry: HistoryEntry, kinds: ReadonlySet<string>): string {
  const titles = getWrittenDocuments(entry)
    .filter(({ action, kind }) => action === 'delete' && kinds.has(kind))
    .map(({ kind, name, within }) => (kind === 'datamodel' ? name : within))
    .filter((title) => title !== '');
  return joinSorted(titles);
}

/** Lists texts in alphabetical order, each once. */
export const joinSorted = (texts: readonly string[]): string =>
  sortByText([...new Set(texts)], (text) => text).join(', ');

/**
 * Says what a rollback doesn't restore by itself: a build fills what was deleted, and generates the columns of custom
 * tables on some instances (platform-facts.md, 2.2).
 * @param entry the change that was rolled back
 */
export function reportRestored(entry: HistoryEntry, { output }: Pick<CommandContext, 'output'>): void {
  const titles = findDatamodels(entry, new Set(['datamodel', 'table']));
  if (titles !== '') {
    output.printMessage(
      `Build ${titles} afterward: what was restored has no data before that, and custom tables may have no columns.`,
      'warning',
    );
  }
}

/**
 * Warns if a rollback stopped because a restored datamodel must be built before it can have rules: once it's built,
 * nothing restricts its rows until the rollback is finished.
 * @param entry the change that is being rolled back
 */
export function warnOfMissingRules(
  entry: HistoryEntry,
  { cause }: Pick<StoppedError, 'cause'>,
  { output }: Pick<CommandContext, 'output'>,
): void {
  if (!(cause instanceof RulesRefusedError) || !needsBuild(cause)) {
    return;
  }
  const titles = findDatamodels(entry, new Set(['datamodel'])) || 'The datamodel';
  output.printMessage(
    `${titles}: restored without data security rules. From its build until these are restored, everyone with access to it sees all rows. Share it with no one before that: build it, and roll back again right after the build.`,
    'warning',
  );
}

const needsBuild = ({ refused }: RulesRefusedError): boolean =>
  refused.some(({ error }) => error instanceof ApiError && getRuleRefusal(error) === 'needs-build');
