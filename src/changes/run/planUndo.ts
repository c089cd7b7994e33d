import type { HistoryEntry } from '../journal/entry.ts';
import type { History } from '../journal/history.ts';
import { ofToday } from '../journal/movedIds.ts';
import { refsToRead, restore, type TakenBack, undo } from '../journal/takeBack.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { timesOf } from './runChecks.ts';
import type { RunOptions, WriteSession } from './runOptions.ts';

/** How an entry is taken back, worked out from what there is now; see {@link RunOptions.timesBefore}. */
export type TakingBack = TakenBack & Required<Pick<RunOptions, 'timesBefore'>>;

interface UndoDeps {
  readonly sessions: { get(connectionId: string): Promise<WriteSession> };
  readonly history: History;
}

/**
 * The operation that undoes an entry, made from what the server has now.
 * @throws ApiError
 */
export async function planUndo(entry: HistoryEntry, deps: UndoDeps): Promise<TakingBack> {
  const { own, timesBefore } = await translated(entry, { replaced: 'gone' }, deps);
  return { ...(await undo(own, await present(own, deps))), timesBefore };
}

/**
 * The operation that restores what an entry found, over whatever was done since.
 * @throws ApiError
 */
export async function planRestore(entry: HistoryEntry, deps: UndoDeps): Promise<TakingBack> {
  const { own, timesBefore } = await translated(entry, { replaced: 'same' }, deps);
  return { ...(await restore(own, await present(own, deps))), timesBefore };
}

/** The entry with the ids and hashes that things have today. */
async function translated(entry: HistoryEntry, how: Parameters<typeof ofToday>[2], { history }: UndoDeps) {
  const entries = await history.entries(entry.operation.connectionId);
  return { own: ofToday(entry, entries, how), timesBefore: timesOf(entry.id, entries) };
}

async function present(entry: HistoryEntry, { sessions }: UndoDeps): Promise<readonly ReadDocument[]> {
  const { client } = await sessions.get(entry.operation.connectionId);
  const reader = new DocumentReader(client);
  return Promise.all(refsToRead(entry).map(async (ref) => ({ ref, document: await reader.document(ref) })));
}
