import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringify } from '../../base/json.ts';
import type { JournalLine } from './entry.ts';
import { JournalError } from './journalError.ts';

/**
 * An append-only journal. Each line is flushed to disk before the append resolves, so nothing recorded is lost if the
 * process is killed. A truncated line doesn't affect others, since every line begins with a line break.
 */
export class JournalFile {
  readonly #path: string;
  #lastAppend: Promise<void> = Promise.resolve();
  /** The lines to write together once the append in progress has ended. */
  #nextBatch:
    | { readonly lines: string[]; readonly appended: Promise<void>; readonly start: () => void }
    | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Appends a line; lines are written in order even if the callers don't wait.
   * @throws JournalError
   */
  append(line: JournalLine): Promise<void> {
    const { appended, start } = this.#addToBatch(line);
    start();
    return appended;
  }

  /** Appends a line together with those that follow in the same turn of the event loop, with a single flush for all. */
  appendWithNext(line: JournalLine): Promise<void> {
    const { appended, start } = this.#addToBatch(line);
    setImmediate(start);
    return appended;
  }

  /** Adds a line to the next batch, which is written after `start` is called. */
  #addToBatch(line: JournalLine): { readonly appended: Promise<void>; readonly start: () => void } {
    const text = `\n${stringify(line)}\n`;
    if (this.#nextBatch !== undefined) {
      this.#nextBatch.lines.push(text);
      return this.#nextBatch;
    }
    const lines = [text];
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const appended = Promise.all([started, this.#lastAppend]).then(() => {
      this.#nextBatch = undefined;
      return appendText(this.#path, lines.join(''));
    });
    this.#nextBatch = { lines, appended, start };
    // If a line can't be written, the next ones still are.
    this.#lastAppend = appended.catch(() => undefined);
    return this.#nextBatch;
  }
}

async function appendText(path: string, text: string): Promise<void> {
  let file: FileHandle | undefined;
  try {
    // Documents are private: only the owner may read the file.
    file = await open(path, 'a', 0o600);
    await file.appendFile(text);
    await file.datasync();
  } catch (error) {
    throw new JournalError(dirname(path), error);
  } finally {
    await file?.close();
  }
}
