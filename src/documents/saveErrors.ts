import type { InterruptedSave, SaveProgress } from './documentState.ts';
import type { Version } from './version.ts';

/**
 * The server has a version that the user's text is not based on; nothing was sent (decisions.md, "Documents").
 */
export class DocumentConflictError extends Error {
  override readonly name = 'DocumentConflictError';
  readonly path: string;
  /** The server's version. */
  readonly theirs: Version;
  /** The version that the user's text is based on; `undefined` if that is no longer known. */
  readonly base: Version | undefined;

  constructor(path: string, theirs: Version, base: Version | undefined) {
    super('The document has changed on the server');
    this.path = path;
    this.theirs = theirs;
    this.base = base;
  }
}

/** A save stopped after some of its writes, or it is unknown how many succeeded. `cause` is why it stopped. */
export class IncompleteSaveError extends Error {
  override readonly name = 'IncompleteSaveError';
  readonly progress: SaveProgress;

  constructor(progress: SaveProgress, cause: unknown) {
    super(`The save stopped after ${progress.doneCount} of ${progress.totalCount} writes`, { cause });
    this.progress = progress;
  }
}

/** The previous save stopped halfway, and the user has to review how it's ended; nothing was sent. */
export class RecoveryReviewNeededError extends Error {
  override readonly name = 'RecoveryReviewNeededError';
  readonly connectionId: string;
  readonly entryId: string;
  readonly recovery: InterruptedSave['recovery'];

  constructor(connectionId: string, { entryId, recovery }: Pick<InterruptedSave, 'entryId' | 'recovery'>) {
    super('How the interrupted save is ended was not reviewed');
    this.connectionId = connectionId;
    this.entryId = entryId;
    this.recovery = recovery;
  }
}

/** The server accepted a save but still has its earlier version. */
export class SaveNotAppliedError extends Error {
  override readonly name = 'SaveNotAppliedError';
  readonly path: string;

  constructor(path: string) {
    super('The server accepted the save and kept the former document');
    this.path = path;
  }
}

/** The connection must be unlocked before the document can be saved; nothing was sent. */
export class ConnectionLockedError extends Error {
  override readonly name = 'ConnectionLockedError';
  readonly connectionId: string;

  constructor(connectionId: string) {
    super('The connection is locked');
    this.connectionId = connectionId;
  }
}

/** The document has errors, and the user has not been asked whether to save it anyway; nothing was sent. */
export class ErrorsFoundError extends Error {
  override readonly name = 'ErrorsFoundError';
  /** The messages of the errors. */
  readonly messages: readonly string[];

  constructor(messages: readonly string[]) {
    super('The document has errors');
    this.messages = messages;
  }
}
