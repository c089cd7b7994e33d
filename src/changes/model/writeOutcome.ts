import type { JsonValue } from '../../base/json.ts';
import type { ReadDocument } from './readDocument.ts';

/**
 * What a second look says of a write whose answer was lost; `answer` is what the server would have answered, `changed`
 * what somebody else has made of the document meanwhile.
 */
export type WriteOutcome =
  | { readonly state: 'happened'; readonly answer: JsonValue | undefined }
  | { readonly state: 'not-happened' | 'unknown'; readonly changed?: ReadDocument };
