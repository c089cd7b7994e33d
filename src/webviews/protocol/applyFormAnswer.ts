import type { JsonValue } from '../../base/json.ts';
import { type EditableJsonDocument, editDocument } from './editDocument.ts';
import type { FormModelAdapter } from './formSync.ts';

/** What became of an answer: written, of no use any more, or refused by a text that is no JSON or takes no edits. */
export type AnswerOutcome = 'written' | 'outdated' | 'refused';

/**
 * Writes an edit that a person has chosen in view of `seen`, while the text may have become another: a list that is
 * open leaves it free. The edit reaches what it was chosen for, or nothing.
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
