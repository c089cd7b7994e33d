import type { JsonObject } from '../../base/json.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import type { WriteDocument } from '../../client/payloads/writeDocument.ts';
import {
  newBulkRulePayload,
  newExtractRulePayload,
  newLiveRulePayload,
} from '../../client/payloads/rulePayload.ts';

/** Where a bulk write goes: one cube, one live datamodel, or several cubes at once. */
export interface RuleWriter {
  /**
   * What goes out for a rule.
   * @throws PayloadError
   */
  payload(rule: WriteDocument): JsonObject;
  /** Adds rules by one request. */
  create(rules: readonly WriteDocument[]): Promise<unknown>;
  /** How many rules one call may be about for now; more would be many requests that nobody can stop. */
  maxRulesPerCall?(): number;
  /** All rules that are there now, where these rules belong, spelled as {@link payload} spells them. */
  list(rules: readonly WriteDocument[]): Promise<readonly JsonObject[]>;
}

type Clients = Pick<PlatformClient, 'extractRules' | 'liveRules'>;

/** Rules of one cube or cube set. */
export function createCubeRuleWriter(
  { extractRules }: Clients,
  path: { readonly server: string; readonly elasticube: string },
): RuleWriter {
  return {
    payload: (rule) => newExtractRulePayload(rule),
    create: (rules) => extractRules.create(path, rules),
    list: async () => omitCube((await extractRules.list(path)).value as readonly JsonObject[]),
  };
}

/** Rules that name their cubes themselves (spec: bulk across cubes). */
export function createCubesRuleWriter({ extractRules }: Clients): RuleWriter {
  return {
    payload: (rule) => newBulkRulePayload(rule),
    create: (rules) => extractRules.createMany(rules),
    list: async (rules) => {
      const cubes = new Map(rules.map(readCube).map((cube) => [JSON.stringify(cube), cube]));
      const lists: JsonObject[] = [];
      for (const cube of cubes.values()) {
        const { value } = await extractRules.list(cube);
        // An answer may name the server in another spelling than the one that was asked for.
        lists.push(...omitCube(value as readonly JsonObject[]).map((rule) => ({ ...rule, ...cube })));
      }
      return lists;
    },
  };
}

/** Rules of one live datamodel. */
export function createLiveRuleWriter({ liveRules }: Clients, path: { readonly title: string }): RuleWriter {
  const place = createLiveFields(path.title);
  return {
    payload: (rule) => newLiveRulePayload(rule, path.title),
    create: (rules) => liveRules.create(path, rules),
    maxRulesPerCall: () => liveRules.maxRulesPerCall,
    list: async () =>
      omitCube((await liveRules.list(path)).value as readonly JsonObject[]).map((rule) => ({
        ...rule,
        ...place,
      })),
  };
}

const createLiveFields = (title: string): JsonObject => ({ fullname: `live:${title}` });

const readCube = (rule: WriteDocument) => ({
  server: String(rule['server']),
  elasticube: String(rule['elasticube']),
});

const omitCube = (rules: readonly JsonObject[]): readonly JsonObject[] =>
  rules.map(({ server: _server, elasticube: _elasticube, fullname: _fullname, ...rule }) => rule);
