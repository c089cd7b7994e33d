import type { JsonValue } from '../../base/json.ts';
import { type EditableJsonDocument, editDocument } from './editDocument.ts';
import type { FormDocumentAdapter } from './formSync.ts';

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
  adapter: FormDocumentAdapter<Edit>,
  edit: Edit,
  displayedValue: JsonValue,
): Promise<AnswerOutcome> {
  let isOutdated = false;
  const isApplied = await editDocument(document, adapter.emptyValue, (value) => {
    const rebasedEdit = adapter.rebase(edit, displayedValue, value);
    isOutdated = rebasedEdit === undefined;
    return rebasedEdit === undefined ? undefined : adapter.apply(value, rebasedEdit);
  });
  return isApplied ? 'written' : isOutdated ? 'outdated' : 'refused';
}
