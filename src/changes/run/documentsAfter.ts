import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { getRefId, getRefKey, type ResourceRef } from '../../catalog/resourceRef.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { WriteState } from '../journal/entry.ts';
import type { Operation } from '../model/operation.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import { hasSameForm } from './sameForm.ts';

/**
 * Returns the documents right before a write: as the earlier writes of the operation left them, if responses show it.
 */
export function getDocumentsBefore(
  index: number,
  { writes }: Operation,
  { before, states }: { readonly before: readonly ReadDocument[]; readonly states: readonly WriteState[] },
): readonly ReadDocument[] {
  const answers = writes.slice(0, index).flatMap(({ target }, earlierIndex) => {
    const state = states[earlierIndex];
    return target !== undefined && state?.state === 'done' && state.answer !== undefined
      ? [{ key: getRefKey(target), answer: state.answer }]
      : [];
  });
  // Grouped, since an operation may have thousands of writes and documents, and this runs for each write.
  const answersByKey = Map.groupBy(answers, ({ key }) => key);
  return before.map((documentBefore) => {
    const { ref, document } = documentBefore;
    const last = answersByKey
      .get(getRefKey(ref))
      ?.findLast(({ answer }) => isCompleteResponse(answer, document, ref));
    return last === undefined ? documentBefore : { ref, document: last.answer };
  });
}

/** Returns the IDs of what the writes before a write have created, changed, or deleted, or may have. */
export const getWrittenIds = (
  index: number,
  { writes }: Operation,
  states: readonly WriteState[],
): ReadonlySet<string> =>
  new Set(
    writes.slice(0, index).flatMap(({ target }, earlierIndex) => {
      const state = states[earlierIndex];
      const answer = state?.state === 'done' ? asObject(state.answer) : {};
      // For a creation, the target is the container.
      return state === undefined || state.state === 'waiting'
        ? []
        : getText(answer['oid']) || (target && getRefId(target)) || [];
    }),
  );

/**
 * Returns the keys of the lists of rules that the writes before a write have changed, or may have.
 */
export const getWrittenRules = (
  index: number,
  { writes }: Operation,
  states: readonly WriteState[],
): ReadonlySet<string> =>
  new Set(
    writes.slice(0, index).flatMap((write, earlierIndex) => {
      const subject = getWriteRuleSubject(write);
      return subject === undefined || states[earlierIndex]?.state === 'waiting'
        ? []
        : getRefKey({ kind: 'rules', subject });
    }),
  );

/**
 * Returns whether a response is the complete document: it has all members that the document had; for a rule, it has the
 * same ID, and its shares use no other party fields.
 */
export function isCompleteResponse(
  response: JsonValue | undefined,
  previous: JsonValue | undefined,
  { kind }: ResourceRef,
): boolean {
  return (
    isJsonObject(response) &&
    isJsonObject(previous) &&
    Object.keys(previous).every((name) => name in response) &&
    (kind !== 'rule' ||
      (response['_id'] === previous['_id'] &&
        getPartyFieldNames(previous).isSupersetOf(getPartyFieldNames(response))))
  );
}

/**
 * Returns whether a response shows a document as a request for the document would: with all its members, also the
 * nested ones, and in the same form. The response bodies of writes are not specified (rest-api.md, "What is not
 * described").
 * @param previous an earlier version of the document
 */
export const showsDocument = (
  response: JsonValue | undefined,
  previous: JsonValue | undefined,
  ref: ResourceRef,
): boolean => isCompleteResponse(response, previous, ref) && hasSameForm(response, previous);

/**
 * Returns the names of the party fields that a rule uses: `party` when written, often `partyId` when read
 * (platform-facts.md, 3.1).
 */
const getPartyFieldNames = ({ shares }: JsonObject): ReadonlySet<string> =>
  new Set(getObjects(shares).flatMap((share) => ['party', 'partyId'].filter((name) => name in share)));
