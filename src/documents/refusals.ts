import type { PayloadProblem } from '../client/errors.ts';
import type { JsonTextProblem } from './jsonText.ts';
import type { JsonPath } from './merge.ts';

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
export class DocumentRefusedError extends Error {
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
