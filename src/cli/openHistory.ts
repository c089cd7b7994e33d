import { hostname, userInfo } from 'node:os';
import type { Clock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { getJournalFolder } from '../changes/journal/commandLineJournal.ts';
import { History } from '../changes/journal/history.ts';
import type { InstanceTarget } from './target.ts';

const journalLimits = { maxBytes: 100 * 1024 * 1024, maxAgeMs: 90 * 24 * 60 * 60 * 1000 };

/**
 * Opens the history of the changes to an instance.
 * @param folder the state folder, which must belong to the user alone
 */
export const openHistory = (
  { environmentName, connection }: InstanceTarget,
  folder: string,
  clock: Clock,
): History =>
  new History({
    folder: getJournalFolder(folder),
    getLimits: () => journalLimits,
    clock,
    log: silentLog,
    actor: { user: getUserName(), host: hostname() },
    environment: { name: environmentName, role: connection.role, address: connection.url },
  });

/** Returns the name of the user of the operating system; in containers, a user may have only a number. */
function getUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}
