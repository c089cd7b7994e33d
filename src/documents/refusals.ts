import type { JsonPath } from '../base/json.ts';
import type { PayloadProblem } from '../client/errors.ts';
import type { JsonTextProblem } from './jsonText.ts';

/** The reason why a document is not saved although nothing failed. The UI provides the message for each code. */
export type RefusalCode =
  /** Only an explicit save writes to a server. */
  | 'not-explicit'
  /** It is unknown whether the user asked for the save. */
  | 'maybe-not-explicit'
  /** The text is not a valid document of its kind; see `problems`. */
  | 'not-json'
  /** The editor encoded the text in something other than UTF-8. */
  | 'not-utf-8'
  /** The file was decoded with the wrong encoding, so characters would be lost. */
  | 'undecodable-text'
  /** The document is not an object, or not a list where one is required. */
  | 'wrong-shape'
  /** The user changed parts that a write of this kind can't change; see `paths`. */
  | 'not-editable'
  /** The user removed parts that a write of this kind can't remove; see `paths`. */
  | 'not-removable'
  /** An item refers to one that the server does not have; see `paths`. */
  | 'unknown-item'
  /** The expression is blank. */
  | 'empty-expression'
  /** The API guide does not allow this value; see `payloadProblem` and `paths`. */
  | 'not-allowed'
  /** Documents of this kind can't be changed at all. */
  | 'read-only'
  /** Nothing was read at that path, so nothing can be saved there. */
  | 'not-opened'
  /** The server no longer has the resource. */
  | 'gone'
  /** The column of a new rule has no rule for everyone else, and the user has not decided about one. */
  | 'default-rule-undecided'
  /** The write needs secrets that the document does not show; see `paths`. */
  | 'secrets-needed';

/** A save that was refused before anything was sent. The document stays as it is, unsaved. */
export class DocumentRefusedError extends Error {
  override readonly name = 'DocumentRefusedError';
  readonly code: RefusalCode;
  /** The paths of the refused parts in the document. */
  readonly paths: readonly JsonPath[];
  readonly problems: readonly JsonTextProblem[];
  readonly payloadProblem: PayloadProblem | undefined;
  /** The name of the resource that a save would create; empty for other refusals. */
  readonly createdName: string;

  constructor(
    code: RefusalCode,
    details: {
      readonly paths?: readonly JsonPath[];
      readonly problems?: readonly JsonTextProblem[];
      readonly payloadProblem?: PayloadProblem;
      readonly createdName?: string;
    } = {},
  ) {
    const { paths = [], problems = [], payloadProblem, createdName = '' } = details;
    super(`${code}${paths.map((path) => ` ${path.join('.')}`).join(',')}`);
    this.code = code;
    this.paths = paths;
    this.problems = problems;
    this.payloadProblem = payloadProblem;
    this.createdName = createdName;
  }
}
