import type { SaveProgress } from './documentState.ts';
import type { Version } from './version.ts';

/**
 * The server holds something that the person's text was not made from; nothing was sent. The editor's own dialog has
 * not asked about it: it cannot see a change that leaves the length as it was (design.md, section 8).
 */
export class DocumentConflictError extends Error {
  override readonly name = 'DocumentConflict';
  readonly path: string;
  /** What the server holds. */
  readonly theirs: Version;
  /** What the person's text was made from; `undefined` when that is not known any more. */
  readonly base: Version | undefined;

  constructor(path: string, theirs: Version, base: Version | undefined) {
    super('The document has changed on the server');
    this.path = path;
    this.theirs = theirs;
    this.base = base;
  }
}

/** Some of the writes of a save were carried out and some were not, or nobody knows. `cause` is why it stopped. */
export class IncompleteSaveError extends Error {
  override readonly name = 'IncompleteSave';
  readonly progress: SaveProgress;

  constructor(progress: SaveProgress, cause: unknown) {
    super(`The save stopped after ${progress.done} of ${progress.total} writes`, { cause });
    this.progress = progress;
  }
}

/** The server said yes to a save and still holds what it held before. */
export class SaveNotKeptError extends Error {
  override readonly name = 'UnkeptSave';
  readonly path: string;

  constructor(path: string) {
    super('The server accepted the save and kept the former document');
    this.path = path;
  }
}
