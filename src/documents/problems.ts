import type { PayloadProblem } from '../client/errors.ts';
import type { JsonPath } from './merge.ts';
import type { JsonTextProblem } from './jsonText.ts';
import type { SaveProgress } from './documentState.ts';
import type { Version } from './version.ts';

/** Why a document is not saved although nothing failed. The shell words the code. */
export type RefusalCode =
  /** Only a save by hand writes to a server. */
  | 'not-by-hand'
  /** It is not known whether a person asked for the save. */
  | 'maybe-not-by-hand'
  /** The text is not what a document of its kind is; see `problems`. */
  | 'not-json'
  /** The editor wrote it in another encoding. */
  | 'not-utf-8'
  /** A file that the editor read in another encoding than it is in. */
  | 'lost-letters'
  /** The document is not an object, or no list where it must be one. */
  | 'wrong-shape'
  /** Parts that a write of this kind cannot change; see `paths`. */
  | 'not-editable'
  /** Parts that a write of this kind cannot take away; see `paths`. */
  | 'not-removable'
  /** An item says that it is one which the server does not have; see `paths`. */
  | 'unknown-item'
  /** An expression without a word. */
  | 'empty-expression'
  /** The spec does not let it be sent; see `payload` and `paths`. */
  | 'not-allowed'
  /** Documents of this kind cannot be changed at all. */
  | 'read-only'
  /** Nothing was read at that path, so that nothing can be saved there. */
  | 'not-opened'
  /** The server no longer has the resource. */
  | 'gone'
  /** The write needs secrets that the document does not show; see `paths`. */
  | 'secrets-needed';

/** A save that was refused before anything was sent. The document stays as it is, unsaved. */
export class DocumentRefusal extends Error {
  override readonly name = 'DocumentRefusal';
  readonly code: RefusalCode;
  /** Where in the document. */
  readonly paths: readonly JsonPath[];
  readonly problems: readonly JsonTextProblem[];
  readonly payload: PayloadProblem | undefined;

  constructor(
    code: RefusalCode,
    facts: {
      readonly paths?: readonly JsonPath[];
      readonly problems?: readonly JsonTextProblem[];
      readonly payload?: PayloadProblem;
    } = {},
  ) {
    const { paths = [], problems = [], payload } = facts;
    super(`${code}${paths.map((path) => ` ${path.join('.')}`).join(',')}`);
    this.code = code;
    this.paths = paths;
    this.problems = problems;
    this.payload = payload;
  }
}

/**
 * The server holds something that the person's text was not made from; nothing was sent. The editor's own dialog has
 * not asked about it: it cannot see a change that leaves the length as it was (design.md, section 8).
 */
export class DocumentConflict extends Error {
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
export class IncompleteSave extends Error {
  override readonly name = 'IncompleteSave';
  readonly progress: SaveProgress;

  constructor(progress: SaveProgress, cause: unknown) {
    super(`The save stopped after ${progress.done} of ${progress.of} writes`, { cause });
    this.progress = progress;
  }
}

/** The server said yes to a save and still holds what it held before. */
export class UnkeptSave extends Error {
  override readonly name = 'UnkeptSave';
  readonly path: string;

  constructor(path: string) {
    super('The server accepted the save and kept the former document');
    this.path = path;
  }
}
