import { cpSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
  const [entry] = await history.readUnfinishedEntries(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was left unfinished');
  }
  return { writer, history, entry };
}

/**
 * Simulates a process that has carried out only part of the last operation: only some lines of its journal are written.
 * @param processFields what is recorded of the process besides its ID
 */
export function rewriteJournal(
  fixture: ChangeFixture,
  pid: number,
  isWritten: (line: JsonObject) => boolean,
  processFields: JsonObject = { host: hostname() },
): void {
  const path = getLastJournalPath(fixture);
  const lines = readLines(path).filter((line) => line['line'] === 'begin' || isWritten(line));
  writeLines(path, lines, { pid, process: processFields });
}

/** Simulates that the process that ended an operation was killed right before it recorded that. */
export function killBeforeEnd(fixture: ChangeFixture, { id }: HistoryEntry): void {
  const path = getLastJournalPath(fixture, `${id}.jsonl`);
  const lines = readLines(path);
  if (lines.at(-1)?.['line'] !== 'end' || lines.at(-2)?.['line'] !== 'claim') {
    throw new Error('The journal was not ended right after it was claimed');
  }
  writeLines(path, lines.slice(0, -1), { pid: deadPid, process: { host: hostname() } });
}

const readLines = (path: string): readonly JsonObject[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLossless)
    .filter(isJsonObject);

const writeLines = (path: string, lines: readonly JsonObject[], processFields: JsonObject): void =>
  writeFileSync(path, lines.map((line) => `\n${stringify({ ...line, ...processFields })}\n`).join(''));

/**
 * Runs a task as a process that is killed at one of its writes, counted from 1: no line is written to any journal from
 * then on. Returns false if the task ended before.
 * @param loss what is lost of that write: its request, which then never reaches the server, or its response
 */
export async function runKilled(
  fixture: ChangeFixture,
  { killedAt, loss }: { readonly killedAt: number; readonly loss: 'request-lost' | 'response-lost' },
  task: () => Promise<unknown>,
): Promise<boolean> {
  const folder = join(fixture.folder, 'history');
  const copy = join(fixture.folder, 'history when killed');
  let count = 0;
  fixture.getWriteFault = () => {
    count += 1;
    if (count !== killedAt) {
      return undefined;
    }
    cpSync(folder, copy, { recursive: true });
    // What the process does from then on must not reach the server.
    fixture.failsAfterRequest = true;
    return loss;
  };
  try {
    await task();
  } catch (error) {
    if (count < killedAt) {
      throw error;
    }
  }
  fixture.getWriteFault = () => undefined;
  fixture.failsAfterRequest = false;
  fixture.failsAllRequests = false;
  if (count < killedAt) {
    return false;
  }
  rmSync(folder, { recursive: true });
  renameSync(copy, folder);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (/\.(?:jsonl|claim)$/.test(name)) {
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replaceAll(`"pid":${process.pid},`, `"pid":${deadPid},`));
    }
  }
  return true;
}

/** Returns the path of the last journal whose name ends with a text. Journal names sort by time. */
function getLastJournalPath(fixture: ChangeFixture, nameEnd = '.jsonl'): string {
  const folder = join(fixture.folder, 'history');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const last = files
    .filter((name) => name.endsWith(nameEnd))
    .sort()
    .at(-1);
  return join(folder, last ?? '');
}
