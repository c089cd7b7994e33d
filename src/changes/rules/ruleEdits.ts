import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { type RuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import { isText } from '../../security/readRule.ts';
import type { Write } from '../model/operation.ts';
import { getObjects } from '../model/readJson.ts';
import { toHeldRules, getSpotKey } from './heldRule.ts';
import { getRuleAction } from './ruleAction.ts';
import type { RuleGroup } from './ruleGroup.ts';
import type { RuleEdit } from './ruleTarget.ts';

/** A document from before the operation. */
interface Document {
  readonly ref: ResourceRef;
  readonly document?: JsonValue | undefined;
}

/** Collects the rules of a subject from the documents before the operation, each once. */
export function collectRules(documents: readonly Document[], subject: RuleSubject): readonly JsonObject[] {
  const objects = documents.flatMap(({ ref, document = null }): readonly JsonObject[] => {
    if (!('subject' in ref) || !isSameSubject(ref.subject, subject)) {
      return [];
    }
    return getObjects(ref.kind === 'rule' ? [document] : document);
  });
  const named = new Map(
    objects.flatMap((rule) => (isText(rule['_id']) ? [[rule['_id'], rule] as const] : [])),
  );
  return [...named.values(), ...objects.filter((rule) => !isText(rule['_id']))];
}

/** The edits of a rule change. */
export interface RuleEdits {
  readonly edits: readonly RuleEdit[];
  /** Spots where an earlier version of the product has created temporary deny rules, as separate writes. */
  readonly denied: readonly string[];
}

/**
 * Returns the edits that the writes of a group request.
 * @param previousRules the rules before the operation
 */
export function getRuleEdits(
  group: RuleGroup,
  writes: readonly Write[],
  former: readonly JsonObject[],
): RuleEdits {
  const byId = new Map(former.flatMap((rule) => (isText(rule['_id']) ? [[rule['_id'], rule] as const] : [])));
  const edits: RuleEdit[] = [];
  const denied: string[] = [];
  for (const index of group.writes) {
    const write = writes[index];
    if (write === undefined) {
      continue;
    }
    if (write.step === 'guard') {
      denied.push(...toHeldRules(getObjects(write.body)).map(getSpotKey));
      continue;
    }
    const action = getRuleAction(write);
    if (action === 'create') {
      edits.push(
        ...getObjects(write.body).map((after) => ({
          after,
          isWhole: write.step === 'replaced',
          write: index,
        })),
      );
    } else if (action === 'update') {
      const before = byId.get(write.params['ruleId'] ?? '');
      edits.push({ before, after: isJsonObject(write.body) ? write.body : {}, write: index });
    } else {
      edits.push(...getDeletedRules(write, byId).map((before) => ({ before, write: index })));
    }
  }
  return { edits, denied };
}

function getDeletedRules(
  { params, batch }: Write,
  byId: ReadonlyMap<string, JsonObject>,
): readonly JsonObject[] {
  return (batch?.ids ?? [params['ruleId'] ?? ''])
    .map((id) => byId.get(id))
    .filter((rule) => rule !== undefined);
}
