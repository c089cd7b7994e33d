import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { type RuleSubject, sameSubject } from '../../catalog/ruleSubject.ts';
import { isText } from '../../security/readRule.ts';
import type { Write } from '../model/operation.ts';
import { itemsOf } from '../model/read.ts';
import { holdRules, spotOf } from './heldRule.ts';
import { ruleActionOf } from './ruleAction.ts';
import type { RuleGroup } from './ruleGroup.ts';
import type { RuleEdit } from './ruleTarget.ts';

/** A document as the server had it. */
interface Document {
  readonly ref: ResourceRef;
  readonly document?: JsonValue | undefined;
}

/** The rules of a subject as far as documents that were read before the operation hold them, each once. */
export function rulesIn(documents: readonly Document[], subject: RuleSubject): readonly JsonObject[] {
  const objects = documents.flatMap(({ ref, document = null }): readonly JsonObject[] => {
    if (!('subject' in ref) || !sameSubject(ref.subject, subject)) {
      return [];
    }
    return itemsOf(ref.kind === 'rule' ? [document] : document);
  });
  const named = new Map(
    objects.flatMap((rule) => (isText(rule['_id']) ? [[rule['_id'], rule] as const] : [])),
  );
  return [...named.values(), ...objects.filter((rule) => !isText(rule['_id']))];
}

export interface RuleEdits {
  readonly edits: readonly RuleEdit[];
  /** Where an operation of an earlier version has put deny rules as writes of their own. */
  readonly denied: readonly string[];
}

/**
 * What the writes of a group ask for.
 * @param former the rules before the operation
 */
export function ruleEdits(
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
      denied.push(...holdRules(itemsOf(write.body)).map(spotOf));
      continue;
    }
    const action = ruleActionOf(write);
    if (action === 'create') {
      edits.push(
        ...itemsOf(write.body).map((after) => ({ after, isWhole: write.step === 'replaced', write: index })),
      );
    } else if (action === 'update') {
      const before = byId.get(write.params['ruleId'] ?? '');
      edits.push({ before, after: isJsonObject(write.body) ? write.body : {}, write: index });
    } else {
      edits.push(...deletedBy(write, byId).map((before) => ({ before, write: index })));
    }
  }
  return { edits, denied };
}

function deletedBy({ params, batch }: Write, byId: ReadonlyMap<string, JsonObject>): readonly JsonObject[] {
  return (batch?.ids ?? [params['ruleId'] ?? ''])
    .map((id) => byId.get(id))
    .filter((rule) => rule !== undefined);
}
