import type { JsonValue } from '../../base/json.ts';
import { type EditableJsonDocument, editDocument } from './editDocument.ts';
import type { FormModelAdapter } from './formSync.ts';

/**
 * The outcome of an answer: `outdated` if it no longer applies to the document, `refused` if the text is not valid JSON
 * or the edits could not be applied.
 */
export type AnswerOutcome = 'written' | 'outdated' | 'refused';

/**
 * Writes an edit that the user selected in a quick pick. The text may have changed while the quick pick was open, so
 * the edit is rebased; it is dropped if the part that it applies to no longer exists.
 * @param displayedValue the document that was displayed when the quick pick was opened
 */
export async function applyFormAnswer<Edit>(
  document: EditableJsonDocument,
  kind: FormModelAdapter<Edit>,
  edit: Edit,
  seen: JsonValue,
): Promise<AnswerOutcome> {
  let isOutdated = false;
  const isDone = await editDocument(document, kind.empty, (value) => {
    const current = kind.rebase(edit, seen, value);
    isOutdated = current === undefined;
    return current === undefined ? undefined : kind.apply(value, current);
  });
  return isDone ? 'written' : isOutdated ? 'outdated' : 'refused';
}
