import type { JsonObject } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { asObject, itemsOf, textOf } from './read.ts';
import type { Write } from './operation.ts';

/** Whose rules a write of rules changes; empty where it does not tell. */
export function ruleSubjectsOf({ params, body, target }: Write): readonly RuleSubject[] {
  if (target !== undefined && 'subject' in target) {
    return [target.subject];
  }
  const own = subjectIn(params);
  const subjects = own === undefined ? itemsOf(body).flatMap((rule) => cubeOf(rule) ?? []) : [own];
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()];
}

/** Whose a rule of a request is: rules of one request may be for several cubes, which they name. */
export const subjectOfRule = (write: Write, rule: unknown): RuleSubject | undefined =>
  write.target !== undefined && 'subject' in write.target
    ? write.target.subject
    : (subjectIn(write.params) ?? cubeOf(asObject(rule)));

/** The datamodel or cube set that a path names. */
function subjectIn({ title, server, elasticube }: Write['params']): RuleSubject | undefined {
  if (title !== undefined) {
    return { kind: 'live', title };
  }
  return server && elasticube ? { kind: 'extract', server, elasticube } : undefined;
}

const cubeOf = ({ server, elasticube }: JsonObject): RuleSubject | undefined =>
  textOf(server) !== '' && textOf(elasticube) !== ''
    ? { kind: 'extract', server: textOf(server), elasticube: textOf(elasticube) }
    : undefined;
