import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { type RuleSubject, subjectTitle } from '../catalog/ruleSubject.ts';
import type { Write } from '../writes/operation.ts';
import type { InverseWrites } from './inverseWrites.ts';
import { asObject, itemsOf, nameOf, textOf } from './read.ts';
import { addRuleWrites, idOf } from './ruleWritesBack.ts';

interface Known {
  readonly old: JsonValue | undefined;
  readonly answer: JsonValue | undefined;
}

/**
 * Takes a write of rules back that is part of a larger change. A deleted rule comes back under a new id (spec, "Data
 * security rule").
 */
export function ruleBack(
  { endpoint, params, target }: Write,
  { old, answer }: Known,
  inverse: InverseWrites,
): void {
  const action = endpoint.slice(endpoint.indexOf('.') + 1);
  const subject = target !== undefined && 'subject' in target ? target.subject : subjectOf(params);
  if (action.startsWith('create')) {
    deleteRules(endpoint, itemsOf(answer), subject, inverse);
  } else if (action === 'update' && isJsonObject(old)) {
    const isThere = target !== undefined && inverse.present(target) !== undefined;
    if (isThere) {
      inverse.add({ endpoint, params, body: old, target });
    } else if (subject !== undefined) {
      missingBack(subject, [old], inverse);
    }
  } else if (subject !== undefined) {
    missingBack(subject, action === 'delete' ? [asObject(old)] : itemsOf(old), inverse);
  }
}

/** Adds rules again, as far as they are no longer there. */
export function missingBack(
  subject: RuleSubject,
  rules: readonly JsonObject[],
  inverse: InverseWrites,
): void {
  const there = inverse.rules(subject);
  const adds = rules.filter((rule) => Object.keys(rule).length > 0 && !there.has(idOf(rule)));
  addRuleWrites(subject, { adds, deletes: [], updates: [] }, inverse);
}

function deleteRules(
  endpoint: Write['endpoint'],
  made: readonly JsonObject[],
  subject: RuleSubject | undefined,
  inverse: InverseWrites,
): void {
  if (made.length === 0) {
    inverse.lose({ code: 'not-identified', name: subject === undefined ? '' : subjectTitle(subject) });
  }
  for (const rule of made) {
    const ruleId = textOf(rule['_id']);
    const own =
      subject ?? subjectOf({ server: textOf(rule['server']), elasticube: textOf(rule['elasticube']) });
    if (own !== undefined && !inverse.rules(own).has(ruleId)) {
      continue;
    }
    inverse.add({
      endpoint: endpoint.startsWith('live') ? 'liveRules.delete' : 'extractRules.delete',
      params: { ruleId },
      ...(own === undefined ? {} : { target: { kind: 'rule', subject: own, ruleId } }),
    });
  }
}

function subjectOf({ title, server, elasticube }: Write['params']): RuleSubject | undefined {
  if (title !== undefined) {
    return { kind: 'live', title };
  }
  return server && elasticube ? { kind: 'extract', server, elasticube } : undefined;
}

/** Takes a write of a viewpoint back; bookmarks of a deleted one are gone for good (spec, DELETE). */
export function viewpointBack(
  { endpoint, params, body, target }: Write,
  { old, answer }: Known,
  inverse: InverseWrites,
): void {
  if (endpoint === 'viewpoints.create') {
    const viewpointId = textOf(asObject(answer)['id']);
    if (viewpointId === '') {
      inverse.lose({ code: 'not-identified', name: nameOf(asObject(body)) });
      return;
    }
    const ids = { viewpointId };
    inverse.add({ endpoint: 'viewpoints.delete', params: ids, target: { kind: 'viewpoint', ...ids } });
    return;
  }
  const document = asObject(old);
  if (target !== undefined && inverse.present(target) !== undefined) {
    const sent = endpoint === 'viewpoints.update' ? Object.keys(asObject(body)) : Object.keys(document);
    const names = sent.filter((name) => document[name] !== undefined);
    const fields = Object.fromEntries(names.map((name) => [name, document[name] ?? null]));
    inverse.add({ endpoint: 'viewpoints.update', params, body: fields, target });
    return;
  }
  const enabled = document['enabled'] === true;
  const index = inverse.add({
    endpoint: 'viewpoints.create',
    params: {},
    body: { ...document, visibility: { ...asObject(document['visibility']), enabled } },
  });
  inverse.lose({ code: 'new-id', name: nameOf(document) });
  inverse.move(textOf(document['id']), { write: index, from: ['id'] });
  inverse.lose({ code: 'bookmarks', name: nameOf(document) });
}
