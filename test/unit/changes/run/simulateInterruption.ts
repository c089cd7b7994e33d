import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, isJsonObject, parseLossless, stringify } from '../../../../src/base/json.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import type { History } from '../../../../src/changes/journal/history.ts';
import type { Writer } from '../../../../src/changes/run/writer.ts';
import { type ChangeFixture, connectionId } from './support.ts';

/** A process that does not exist. */
const deadPid = 999_999_999;

/**
 * Simulates that the window was killed during the last operation: only some lines of its journal were written.
 * @param isWritten returns whether a line of the journal was written; the first line always was
 */
export async function killWindow(
  fixture: ChangeFixture,
  isWritten: (line: JsonObject) => boolean,
): Promise<{ readonly writer: Writer; readonly history: History; readonly entry: HistoryEntry }> {
  rewriteJournal(fixture, deadPid, isWritten);
  const { writer, history } = fixture.open();
  const [entry] = await history.readUnfinished(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was left unfinished');
  }
  return { writer, history, entry };
}

/**
 * Simulates a process that has carried out only part of the last operation: only some lines of its journal are written.
 * @param process what is recorded of the process besides its ID
 */
export function rewriteJournal(
  fixture: ChangeFixture,
  pid: number,
  isWritten: (line: JsonObject) => boolean,
  process: JsonObject = { host: hostname() },
): void {
  const path = getLastJournalPath(join(fixture.folder, 'history'));
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLossless)
    .filter(isJsonObject);
  const remainingLines = lines.filter((line) => line['line'] === 'begin' || isWritten(line));
  writeFileSync(path, remainingLines.map((line) => `\n${stringify({ ...line, pid, process })}\n`).join(''));
}

/** Journal names sort by time. */
function getLastJournalPath(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const last = files
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .at(-1);
  return join(folder, last ?? '');
}
