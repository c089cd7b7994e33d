import type { JsonObject } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { asObject, getObjects, getText } from './readJson.ts';
import type { Write } from './operation.ts';

/** Returns the datamodels and cube sets whose rules a write changes; empty if unknown. */
export function getWriteRuleSubjects({ params, body, target }: Write): readonly RuleSubject[] {
  if (target !== undefined && 'subject' in target) {
    return [target.subject];
  }
  const pathSubject = readPathSubject(params);
  const subjects =
    pathSubject === undefined ? getObjects(body).flatMap((rule) => readRuleCube(rule) ?? []) : [pathSubject];
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()];
}

/** Returns the subject of a rule in a request. The rules of one bulk request may name different cubes. */
export const getSubjectOfWrittenRule = (write: Write, rule: unknown): RuleSubject | undefined =>
  write.target !== undefined && 'subject' in write.target
    ? write.target.subject
    : (readPathSubject(write.params) ?? readRuleCube(asObject(rule)));

/** Returns the datamodel or cube set that the path parameters name. */
function readPathSubject({ title, server, elasticube }: Write['params']): RuleSubject | undefined {
  if (title !== undefined) {
    return { kind: 'live', title };
  }
  return server && elasticube ? { kind: 'extract', server, elasticube } : undefined;
}

const readRuleCube = ({ server, elasticube }: JsonObject): RuleSubject | undefined =>
  getText(server) !== '' && getText(elasticube) !== ''
    ? { kind: 'extract', server: getText(server), elasticube: getText(elasticube) }
    : undefined;
