import type { JsonValue } from '../../base/json.ts';
import type { ReadDocument } from './readDocument.ts';

/**
 * The verified outcome of a write whose response was lost; `answer` is what the server would have answered, `changed`
 * what another user has meanwhile made of the document.
 */
export type WriteOutcome =
  | { readonly state: 'happened'; readonly answer: JsonValue | undefined }
  | { readonly state: 'not-happened' | 'unknown'; readonly changed?: ReadDocument };
