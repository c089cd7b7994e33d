import type { DocumentIdentity } from './documentAddress.ts';
import type { DocumentHandler } from './kinds/kinds.ts';
import type { ServerDocument } from './serverDocumentCache.ts';
import type { Version } from './version.ts';

/** A version with the modification time that the editor is given for it. */
export interface ShownVersion {
  readonly version: Version;
  /** Milliseconds since the epoch; later for each version with other content. */
  readonly mtime: number;
}

/** The editor's knowledge of a file: what it was given when it last read or wrote it. */
export interface EditorFileStat {
  readonly mtime: number;
  readonly size: number;
}

/** A save that stopped halfway: it is ended before another one begins. */
export interface InterruptedSave {
  readonly entryId: string;
  /** The hash of the version that the user saved. */
  readonly wanted: string;
  readonly how: 'finish' | 'take-back';
  /** Something would remain that must not: a temporary deny rule, or references to names that no longer exist. */
  readonly isBinding: boolean;
  readonly facts: SaveProgress;
}

/** The progress of a save. */
export interface SaveProgress {
  readonly done: number;
  readonly total: number;
  /** True if an incomplete write has changed something. */
  readonly isPartly: boolean;
  /** True if it could not be determined whether the last write happened. */
  readonly isUnknown: boolean;
  /** True while temporary deny rules are in force: the parties of the rules see no value. */
  readonly hidesValues: boolean;
}

/** The known state of one document. */
export interface DocumentState {
  readonly path: string;
  document: DocumentIdentity;
  handler: DocumentHandler;
  /** The server's version when last read. */
  current?: ShownVersion;
  /** The response that `current` was created from. */
  source?: ServerDocument;
  /** The version that the user's text is based on: a save must not overwrite anything newer. */
  base?: Version;
  /** The base that is stored in case the window closes. */
  remembered?: Version;
  /** The version that the editor last read. */
  lastRead?: ShownVersion;
  editor?: EditorFileStat;
  /**
   * The hash of the version that was presented to the editor as newer, so that it asked the user
   * (decisions.md, "Documents").
   */
  asked?: string;
  /** The hash of the last sent version: identifies a save whose outcome was unknown. */
  attempted?: string;
  /** The previous save stopped halfway. */
  interruptedSave?: InterruptedSave;
  /** A save was just accepted, and the editor doesn't know yet: until then, the saved bytes are the content. */
  isAwaitingEditor: boolean;
}

/** The state of a document as the file system reports it. */
export interface DocumentStat {
  readonly mtime: number;
  readonly size: number;
  readonly isReadOnly: boolean;
}
