import type { DocumentIdentity } from './documentAddress.ts';
import type { DocumentHandler } from './kinds/documentHandler.ts';
import type { ServerDocument } from './serverDocumentCache.ts';
import type { Version } from './version.ts';

/** A version with the modification time that is reported to the editor for it. */
export interface ShownVersion {
  readonly version: Version;
  /** Milliseconds since the epoch; increases with every change of the content. */
  readonly mtime: number;
}

/** The file stat that the editor received when it last read or wrote the file. */
export interface EditorFileStat {
  readonly mtime: number;
  readonly size: number;
}

/** A save that stopped halfway. It is finished or rolled back before the next save begins. */
export interface InterruptedSave {
  readonly entryId: string;
  /** The hash of the version that the user saved. */
  readonly versionHash: string;
  readonly recovery: 'finish' | 'roll-back';
  /** True if recovery can't be skipped: temporary deny rules or references to renamed items would remain. */
  readonly mustRecover: boolean;
  readonly progress: SaveProgress;
}

/** The progress of a save. */
export interface SaveProgress {
  readonly doneCount: number;
  readonly totalCount: number;
  /** True if a failed write has changed some of its items. */
  readonly hasPartialWrite: boolean;
  /** True if it is unknown whether the last write reached the server. */
  readonly hasUnknownOutcome: boolean;
  /** True while temporary deny rules are in force: the parties of the rules see no values. */
  readonly hasDenyRules: boolean;
}

/** The known state of one document. */
export interface DocumentState {
  readonly path: string;
  identity: DocumentIdentity;
  handler: DocumentHandler;
  /** The server's version when last read. */
  serverVersion?: ShownVersion;
  /** The server's response that `serverVersion` was created from. */
  serverDocument?: ServerDocument;
  /** The version that the user's text is based on: a save must not overwrite anything newer. */
  base?: Version;
  /** The base that is stored in case the window closes. */
  storedBase?: Version;
  /** The version that the editor last read. */
  lastReadVersion?: ShownVersion;
  editorStat?: EditorFileStat;
  /** The hash of a version that is the result of our own writes, although the user's text is not based on it. */
  ownWriteHash?: string;
  /** The server's version that was merged with unresolved conflicts; `base` already has everything else in it. */
  mergedVersion?: Version;
  /** The hash of the version that was sent last. It identifies a save whose response was lost. */
  attemptedHash?: string;
  /** The previous save stopped halfway. */
  interruptedSave?: InterruptedSave;
  /** True from the server accepting a save until the editor is informed. Meanwhile the content is the saved bytes. */
  isAwaitingEditor: boolean;
}

/** The state of a document as the file system reports it. */
export interface DocumentStat {
  readonly mtime: number;
  readonly size: number;
  readonly isReadOnly: boolean;
}
