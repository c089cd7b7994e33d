import { type JsonValue, isJsonObject, parseLossless } from '../../base/json.ts';
import type { Answer } from '../../api/answer.ts';
import type { PlatformClient } from '../../api/platformClient.ts';
import { maskSecrets } from '../../catalog/maskSecrets.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';

/**
 * The resource as its server tells it, without loss, secrets masked; one request. `undefined` where what holds it no
 * longer has it.
 * @throws ApiError
 */
export async function readResource(client: PlatformClient, ref: ResourceRef): Promise<JsonValue | undefined> {
  switch (ref.kind) {
    case 'datamodel':
      return maskSecrets(json(await client.datamodels.get(ref)));
    case 'dataset':
      return maskSecrets(json(await client.datasets.get(ref)));
    case 'table':
      return json(await client.tables.get(ref));
    case 'column':
      return itemWith(field(json(await client.tables.get(ref)), 'columns'), 'oid', ref.columnId);
    case 'relation':
      return json(await client.relations.get(ref));
    case 'viewpoint':
      return json(await client.viewpoints.get(ref));
    case 'build':
      return json(await client.builds.get(ref));
    case 'customData':
      return json(await client.customData.list());
    case 'customDataObject':
      return itemWith(json(await client.customData.list()), '_id', ref.objectId);
    case 'rules':
    case 'columnRules':
    case 'rule':
      return rulesOf(await rules(client, ref.subject), ref);
  }
}

function rulesOf(all: JsonValue, ref: Extract<ResourceRef, { subject: RuleSubject }>): JsonValue | undefined {
  switch (ref.kind) {
    case 'rules':
      return all;
    case 'rule':
      return itemWith(all, '_id', ref.ruleId);
    case 'columnRules':
      return itemsOf(all).filter(
        (rule) => field(rule, 'table') === ref.table && field(rule, 'column') === ref.column,
      );
  }
}

/** All rules of a subject; single ones have no address to be read from (spec, "Endpoints"). */
const rules = async (client: PlatformClient, subject: RuleSubject): Promise<JsonValue> =>
  json(await (subject.kind === 'live' ? client.liveRules.list(subject) : client.extractRules.list(subject)));

const json = ({ text }: Answer<unknown>): JsonValue => parseLossless(text);

const field = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/** The items of a list in any of its forms (platform-facts 2.1, 4). */
function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) {
    return value as readonly JsonValue[];
  }
  const list = isJsonObject(value) ? Object.values(value).find((entry) => Array.isArray(entry)) : undefined;
  return (list as readonly JsonValue[] | undefined) ?? [];
}

const itemWith = (list: JsonValue | undefined, key: string, id: string): JsonValue | undefined =>
  itemsOf(list).find((item) => field(item, key) === id);
