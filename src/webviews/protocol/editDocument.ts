import type { JsonValue } from '../../base/json.ts';
import { computeEdits } from '../../json/text/computeEdits.ts';
import { toParsedJson } from '../../json/text/parsedJson.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import type { TextEdit } from '../../base/textEdit.ts';

/** A text that may be changed from elsewhere at any time. */
export interface EditableJsonDocument {
  /** The current text, parsed. */
  readonly json: JsonDocument;
  readonly isReadOnly: boolean;
  /** Applies the edits to the current text; false if that failed. */
  apply(edits: readonly TextEdit[]): Promise<boolean>;
}

/** The number of attempts to edit a text that keeps changing. */
export const maxAttempts = 20;

/**
 * Edits a text so that its value becomes the result of `change`, which gets `empty` if there is no value; false if it
 * is not JSON, rejects edits, or `change` returns nothing. An editor rejects edits of a text that has changed since
 * they were computed: they are then computed again.
 */
export async function editDocument(
  document: EditableJsonDocument,
  empty: JsonValue,
  change: (value: JsonValue) => JsonValue | undefined,
): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const json = toParsedJson(document.json);
    if (json.error !== undefined || document.isReadOnly) {
      return false;
    }
    const changed = change(json.value ?? empty);
    if (changed === undefined) {
      return false;
    }
    const isDone = await document.apply(computeEdits(json, changed));
    if (isDone || document.json.text === json.text) {
      return isDone;
    }
  }
  return false;
}
