import type { JsonValue } from '../../base/json.ts';
import { computeEdits } from '../../json/text/computeEdits.ts';
import { toParsedJson } from '../../json/text/parsedJson.ts';
import type { JsonDocument } from '../../json/text/parseJsonTree.ts';
import type { TextEdit } from '../../base/textEdit.ts';

/** A JSON text that others can change at any time, such as a document in an editor. */
export interface EditableJsonDocument {
  /** The current text, parsed. */
  readonly json: JsonDocument;
  readonly isReadOnly: boolean;
  /** Applies the edits to the current text; resolves to false if that failed. */
  apply(edits: readonly TextEdit[]): Promise<boolean>;
}

/** The maximum number of attempts to edit a text that others keep changing. */
export const maxAttempts = 20;

/**
 * Edits a JSON text so that its value becomes the result of `change`. An editor rejects edits if the text has changed
 * since the edits were computed. Then they are computed again from the new text.
 * @param emptyValue passed to `change` if the text has no value
 * @param change returns `undefined` to leave the text unchanged
 * @returns false if the text was not changed: it is not valid JSON, it is read-only, `change` returned `undefined`, or
 *   all attempts failed
 */
export async function editDocument(
  document: EditableJsonDocument,
  emptyValue: JsonValue,
  change: (value: JsonValue) => JsonValue | undefined,
): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const json = toParsedJson(document.json);
    if (json.error !== undefined || document.isReadOnly) {
      return false;
    }
    const newValue = change(json.value ?? emptyValue);
    if (newValue === undefined) {
      return false;
    }
    const isApplied = await document.apply(computeEdits(json, newValue));
    if (isApplied || document.json.text === json.text) {
      return isApplied;
    }
  }
  return false;
}
