import { getSubjectTitle } from '../catalog/ruleSubject.ts';
import type { ResourceRef } from '../catalog/resourceRef.ts';
import type { JsonObject } from '../base/json.ts';
import type { HistoryEntry } from '../changes/journal/entry.ts';
import { asObject, getObjects, getText } from '../changes/model/jsonMembers.ts';
import type { ConflictError } from '../changes/run/writeErrors.ts';

type RecordedChange = Pick<HistoryEntry, 'writeStates'> & Partial<Pick<HistoryEntry, 'before'>>;

/**
 * Names the rules that others have changed: the datamodel, and the table and column if these are known.
 * @param entry the change that found the conflict: its journal has the rules that no longer exist
 */
export const formatConflictingRules = (
  { ref, document, otherRefs }: ConflictError,
  entry?: RecordedChange,
): string =>
  [ref, ...otherRefs]
    .flatMap((changedRef) =>
      'subject' in changedRef
        ? [
            [
              getSubjectTitle(changedRef.subject),
              ...getColumnNames(changedRef, [
                ...(changedRef === ref ? [asObject(document)] : []),
                ...listRecordedRules(entry),
              ]),
            ].join(' › '),
          ]
        : [],
    )
    .join(', ');

/** Returns the names of the table and column of rules; nothing if they are those of several columns, or unknown. */
function getColumnNames(ref: ResourceRef, rules: readonly JsonObject[]): readonly string[] {
  const names =
    ref.kind === 'columnRules'
      ? ref
      : ref.kind === 'rule'
        ? rules.find((rule) => rule['_id'] === ref.ruleId)
        : undefined;
  return names === undefined ? [] : [getText(names['table']), getText(names['column'])].filter(Boolean);
}

const listRecordedRules = (entry: RecordedChange | undefined): readonly JsonObject[] =>
  entry === undefined
    ? []
    : [
        ...(entry.before ?? []).map(({ document }) => document),
        ...entry.writeStates.map((state) => (state.state === 'done' ? state.answer : undefined)),
      ].flatMap((document) => [asObject(document), ...getObjects(document)]);
