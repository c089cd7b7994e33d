import type { JsonValue } from '../../base/json.ts';
import { type EditableJsonDocument, editDocument } from './editDocument.ts';
import type { FormModelAdapter } from './formSync.ts';

/**
 * The outcome of an answer: written, no longer applicable, or refused because the text is not JSON or rejects edits.
 */
export type AnswerOutcome = 'written' | 'outdated' | 'refused';

/**
 * Writes an edit that the user chose while `seen` was displayed; the text may have changed since, because an open quick
 * pick does not lock it. The edit reaches what it was chosen for, or nothing.
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
