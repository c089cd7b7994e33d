import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { CatalogChange } from '../catalog/catalog.ts';
import type { RuleSubject } from '../catalog/ruleSubject.ts';
import type { Write } from './operation.ts';

/** What is no longer as it was once a write was sent, whatever became of it. */
export function affectedBy(writes: readonly Write[]): readonly CatalogChange[] {
  const changes = new Map(writes.flatMap(changesOf).map((change) => [JSON.stringify(change), change]));
  return [...changes.values()];
}

function changesOf(write: Write): readonly CatalogChange[] {
  const { endpoint, params, target } = write;
  const area = endpoint.slice(0, endpoint.indexOf('.'));
  switch (area) {
    case 'datamodels':
      // Its rules go with it (design.md, section 5).
      return endpoint === 'datamodels.delete' ? [{ kind: 'all' }] : [{ kind: 'datamodels' }];
    case 'viewpoints':
    case 'customData':
      return [{ kind: area }];
    case 'extractRules':
    case 'liveRules': {
      const subjects = ruleSubjectsOf(write);
      return subjects.length === 0
        ? [{ kind: 'all' }]
        : subjects.map((subject) => ({ kind: 'rules', subject }));
    }
    default: {
      const datamodelId =
        params['datamodelId'] ?? (target && 'datamodelId' in target ? target.datamodelId : '');
      return [{ kind: 'datamodel', datamodelId }];
    }
  }
}

/** Whose rules a write changes; empty where it does not tell. */
export function ruleSubjectsOf({ endpoint, params, body, target }: Write): readonly RuleSubject[] {
  if (target !== undefined && 'subject' in target) {
    return [target.subject];
  }
  if (params['title'] !== undefined) {
    return [{ kind: 'live', title: params['title'] }];
  }
  if (params['server'] !== undefined && params['elasticube'] !== undefined) {
    return [{ kind: 'extract', server: params['server'], elasticube: params['elasticube'] }];
  }
  const rules = endpoint === 'extractRules.createMany' && Array.isArray(body) ? body : [];
  const subjects = (rules as readonly JsonValue[]).flatMap(cubeOf);
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()];
}

function cubeOf(rule: JsonValue): readonly RuleSubject[] {
  const [server, elasticube] = isJsonObject(rule) ? [rule['server'], rule['elasticube']] : [];
  return typeof server === 'string' && typeof elasticube === 'string'
    ? [{ kind: 'extract', server, elasticube }]
    : [];
}
