import type { JsonValue } from '../../base/json.ts';
import { computeEdits } from '../../json/text/computeEdits.ts';
import { toParsedJson } from '../../json/text/parsedJson.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import type { TextEdit } from '../../json/text/textEdit.ts';

/** A text that may be changed from elsewhere at any time. */
export interface EditableJsonDocument {
  /** The text as it is now, as it was read. */
  readonly json: JsonDocument;
  readonly isReadOnly: boolean;
  /** Makes the edits of the text as it is now; false where it could not. */
  apply(edits: readonly TextEdit[]): Promise<boolean>;
}

/** So often an edit is made anew for a text that changes all the time. */
export const maxAttempts = 20;

/**
 * Makes a text say what `change` makes of its value, `empty` where it has none; false where it is no JSON, takes no
 * edits, or `change` answers nothing. An editor refuses edits of a text that has changed since they were thought of: they are then made anew.
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
