/** Why a document cannot be sent. */
export type PayloadProblem =
  | 'missing-property'
  | 'wrong-type'
  | 'no-table-property'
  | 'too-few-columns'
  | 'id-mismatch'
  | 'fullname-mismatch'
  | 'encrypted-parameters'
  | 'visibility-needs-app'
  | 'visibility-needs-party'
  | 'incomplete-details'
  | 'empty-list'
  | 'not-json';

/** A document that the spec does not let us send. Thrown by the payload makers before anything goes out. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
  readonly problem: PayloadProblem;
  /** The offending property, as keys and indices. */
  readonly path: readonly (string | number)[];

  constructor(problem: PayloadProblem, path: readonly (string | number)[] = []) {
    super(`${problem}${path.length === 0 ? '' : ` at ${path.join('.')}`}`);
    this.problem = problem;
    this.path = path;
  }
}
