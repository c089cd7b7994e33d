import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, isJsonObject, parseLossless, stringify } from '../../../../src/base/json.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import type { History } from '../../../../src/changes/journal/history.ts';
import type { Writer } from '../../../../src/changes/run/writer.ts';
import { type Bench, connectionId } from './support.ts';

/** A process that does not exist. */
const gone = 999_999_999;

/**
 * Simulates that the window was killed during the last operation: only some lines of its journal were written.
 * @param isWritten whether a line was; the first always is
 */
export async function killed(
  bench: Bench,
  isWritten: (line: JsonObject) => boolean,
): Promise<{ readonly writer: Writer; readonly history: History; readonly entry: HistoryEntry }> {
  leftOnTheWay(bench, gone, isWritten);
  const { writer, history } = bench.open();
  const [entry] = await history.readUnfinished(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was left unfinished');
  }
  return { writer, history, entry };
}

/**
 * Simulates that a process got, or is, no further with the last operation: only some lines of its journal are written.
 */
export function leftOnTheWay(bench: Bench, pid: number, isWritten: (line: JsonObject) => boolean): void {
  const path = lastJournal(join(bench.folder, 'history'));
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLossless)
    .filter(isJsonObject);
  const left = lines.filter((line) => line['line'] === 'begin' || isWritten(line));
  writeFileSync(path, left.map((line) => `\n${stringify({ ...line, pid })}\n`).join(''));
}

/** Journal names sort by time. */
function lastJournal(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const last = files
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .at(-1);
  return join(folder, last ?? '');
}
