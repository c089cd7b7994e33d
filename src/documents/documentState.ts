import type { DocumentIdentity } from './documentAddress.ts';
import type { DocumentHandler } from './kinds/kinds.ts';
import type { ServerDocument } from './serverDocumentCache.ts';
import type { Version } from './version.ts';

/** A version with the time at which it was met first. */
export interface ShownVersion {
  readonly version: Version;
  /** Milliseconds since the epoch; later for each version that says something else. */
  readonly mtime: number;
}

/** What the editor believes of a file: what it was told when it last read or wrote it. */
export interface EditorFileStat {
  readonly mtime: number;
  readonly size: number;
}

/** A save that stopped half-way: it ends before another one begins. */
export interface InterruptedSave {
  readonly entryId: string;
  /** The hash of what the person wanted. */
  readonly wanted: string;
  readonly how: 'finish' | 'take-back';
  /** Something would stay as it must not: a temporary deny rule, or what goes by names that are no more. */
  readonly isBinding: boolean;
  readonly facts: SaveProgress;
}

/** How far a save came. */
export interface SaveProgress {
  readonly done: number;
  readonly total: number;
  /** True when a write that was not carried out whole has changed something. */
  readonly isPartly: boolean;
  /** True when it could not be found out whether the last write happened. */
  readonly isUnknown: boolean;
  /** True while temporary deny rules are in force: those whom the rules name see no value. */
  readonly hidesValues: boolean;
}

/** All that is known of one document. */
export interface DocumentState {
  readonly path: string;
  document: DocumentIdentity;
  handler: DocumentHandler;
  /** What the server was last seen to hold. */
  current?: ShownVersion;
  /** What `current` was made from. */
  source?: ServerDocument;
  /** What the person's text was made from: a save must not overwrite anything newer. */
  base?: Version;
  /** The base that is kept in case the window goes. */
  remembered?: Version;
  /** What the editor was last given to read. */
  lastRead?: ShownVersion;
  editor?: EditorFileStat;
  /** The hash that the editor was shown as newer in a way that made it ask the person (design.md, section 8). */
  asked?: string;
  /** The hash of what was last sent: a save of which nobody knew whether it happened is known by it. */
  attempted?: string;
  /** The save before stopped half-way. */
  interruptedSave?: InterruptedSave;
  /** A save was just accepted, and the editor has not heard of it yet: what it wrote is the content until then. */
  isAwaitingEditor: boolean;
}

/** What the document is, as the file system tells it. */
export interface DocumentStat {
  readonly mtime: number;
  readonly size: number;
  readonly isReadOnly: boolean;
}
