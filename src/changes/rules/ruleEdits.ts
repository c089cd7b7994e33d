import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { type RuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import { isNonEmptyString } from '../../security/readRules.ts';
import { isPartOfReplacement } from '../model/liveRuleReplacement.ts';
import type { Write } from '../model/operation.ts';
import { getObjects } from '../model/jsonMembers.ts';
import { parseRuleDocuments, getScopeKey } from './parsedRuleDocument.ts';
import { getRuleAction } from './ruleAction.ts';
import type { RuleWriteGroup } from './ruleWriteGroup.ts';
import type { RuleEdit } from './ruleTarget.ts';

/** A document from before the operation. */
interface DocumentBefore {
  readonly ref: ResourceRef;
  readonly document?: JsonValue | undefined;
}

/** Collects the rules of a subject from the documents before the operation, each once. */
export function collectRules(
  documents: readonly DocumentBefore[],
  subject: RuleSubject,
): readonly JsonObject[] {
  const objects = documents.flatMap(({ ref, document = null }): readonly JsonObject[] => {
    if (!('subject' in ref) || !isSameSubject(ref.subject, subject)) {
      return [];
    }
    return getObjects(ref.kind === 'rule' ? [document] : document);
  });
  const rulesById = new Map(
    objects.flatMap((rule) => (isNonEmptyString(rule['_id']) ? [[rule['_id'], rule] as const] : [])),
  );
  return [...rulesById.values(), ...objects.filter((rule) => !isNonEmptyString(rule['_id']))];
}

/** The edits of a rule change. */
export interface RuleEdits {
  readonly edits: readonly RuleEdit[];
  /** Scopes for which an earlier version of the product has created temporary deny rules, as separate writes. */
  readonly denyScopes: readonly string[];
}

/**
 * Returns the edits that the writes of a group request. Deleting a rule that didn't exist is no edit. Updating such a
 * rule is an edit without `before`, which `checkRuleWrites` refuses before anything is sent.
 * @param previousRules the rules before the operation
 */
export function getRuleEdits(
  group: RuleWriteGroup,
  writes: readonly Write[],
  previousRules: readonly JsonObject[],
): RuleEdits {
  const byId = new Map(
    previousRules.flatMap((rule) => (isNonEmptyString(rule['_id']) ? [[rule['_id'], rule] as const] : [])),
  );
  const edits: RuleEdit[] = [];
  const denyScopes: string[] = [];
  for (const index of group.writeIndices) {
    const write = writes[index];
    if (write === undefined) {
      continue;
    }
    if (write.step === 'guard') {
      denyScopes.push(...parseRuleDocuments(getObjects(write.body)).map(getScopeKey));
      continue;
    }
    const action = getRuleAction(write);
    if (action === 'create') {
      edits.push(
        ...getObjects(write.body).map(
          (after): RuleEdit => ({
            after,
            discardsFormerFields: isPartOfReplacement(write),
            writeIndex: index,
          }),
        ),
      );
    } else if (action === 'update') {
      const before = byId.get(write.params['ruleId'] ?? '');
      edits.push({ before, after: isJsonObject(write.body) ? write.body : {}, writeIndex: index });
    } else {
      edits.push(...getDeletedRules(write, byId).map((before) => ({ before, writeIndex: index })));
    }
  }
  return { edits, denyScopes };
}

function getDeletedRules(
  { params, batch }: Write,
  byId: ReadonlyMap<string, JsonObject>,
): readonly JsonObject[] {
  return (batch?.ids ?? [params['ruleId'] ?? ''])
    .map((id) => byId.get(id))
    .filter((rule) => rule !== undefined);
}
