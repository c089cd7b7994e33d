import { type FileHandle, open } from 'node:fs/promises';
import { stringify } from '../../base/json.ts';
import type { JournalLine } from './entry.ts';

/**
 * A journal that lines are added to. A line is on the disk before the answer: what a killed process had written down
 * is there, whole lines only. A line that was cut off stays alone, since every line begins with a line end.
 */
export class JournalFile {
  readonly #path: string;
  #last: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Adds a line; one after the other, also when the callers do not wait. */
  append(line: JournalLine): Promise<void> {
    const write = this.#last.then(() => appendText(this.#path, `\n${stringify(line)}\n`));
    // The next line is written although this one could not be.
    this.#last = write.catch(() => undefined);
    return write;
  }
}

async function appendText(path: string, text: string): Promise<void> {
  let file: FileHandle | undefined;
  try {
    // What documents hold is for nobody else to read.
    file = await open(path, 'a', 0o600);
    await file.appendFile(text);
    await file.datasync();
  } finally {
    await file?.close();
  }
}
