import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { type ResourceRef, sameRef } from '../catalog/resourceRef.ts';
import type { WriteState } from '../history/entry.ts';
import type { DocumentReader } from './documentReader.ts';
import type { Operation, Write } from './operation.ts';
import type { ReadDocument } from './preImages.ts';

/** The documents as the writes before this one left them, as far as their answers tell. */
export function beforeWrite(
  index: number,
  { writes }: Operation,
  known: { readonly before: readonly ReadDocument[]; readonly states: readonly WriteState[] },
): readonly ReadDocument[] {
  return known.before.map((old) => {
    const answers = writes.slice(0, index).flatMap(({ target }, earlier) => {
      const state = known.states[earlier];
      const answer = state?.state === 'done' ? state.answer : undefined;
      const isOwn = target !== undefined && answer !== undefined && sameRef(target, old.ref);
      return isOwn && isWhole(answer, old.document, old.ref) ? [answer] : [];
    });
    return answers.length === 0 ? old : { ref: old.ref, document: answers.at(-1) };
  });
}

/** What a write left of its target; `not-asked` for what it was put into, which is another document. */
export async function documentAfter(
  { endpoint, target, body, batch }: Write,
  state: WriteState,
  look: { readonly old: JsonValue | undefined; readonly reader: DocumentReader },
): Promise<{ readonly document: JsonValue | undefined } | 'not-asked'> {
  const action = endpoint.split('.')[1] ?? '';
  if (target !== undefined && batch !== undefined) {
    return { document: await look.reader.document(target) };
  }
  if (target === undefined || action.startsWith('create') || target.kind === 'customData') {
    return 'not-asked';
  }
  if (state.state === 'done' && action === 'delete') {
    return { document: undefined };
  }
  const isAnswered = state.state === 'done' && state.answer !== undefined;
  if (isAnswered && endpoint === 'customData.updateMatching' && isJsonObject(look.old)) {
    // What its answer says is not shown (spec); it merges at the root (design.md, section 5).
    const change = isJsonObject(body) ? body['objectForUpdate'] : undefined;
    return { document: isJsonObject(change) ? { ...look.old, ...change } : look.old };
  }
  return state.state === 'done' && isWhole(state.answer, look.old, target)
    ? { document: state.answer }
    : { document: await look.reader.document(target) };
}

/** An answer is the document when it has all that the document had, in the spelling that the document has. */
export function isWhole(
  answer: JsonValue | undefined,
  old: JsonValue | undefined,
  { kind }: ResourceRef,
): boolean {
  return (
    isJsonObject(answer) &&
    isJsonObject(old) &&
    Object.keys(old).every((name) => name in answer) &&
    (kind !== 'rule' || partyNames(old).isSupersetOf(partyNames(answer)))
  );
}

/** How the parties of a rule are spelled: `party` where it is written, often `partyId` where it is read (facts 3.1). */
const partyNames = ({ shares }: JsonObject): ReadonlySet<string> =>
  new Set(
    (Array.isArray(shares) ? (shares as readonly JsonValue[]) : [])
      .filter(isJsonObject)
      .flatMap((share) => ['party', 'partyId'].filter((name) => name in share)),
  );
