import type { JsonObject } from '../../base/json.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import type { DocumentToWrite } from '../../client/payloads/documentToWrite.ts';
import { createExtractRulePayload, createLiveRulePayload } from '../../client/payloads/rulePayload.ts';

/** Adds and lists the rules of a cube, a cube set, or a live datamodel. */
export interface RuleWriter {
  /**
   * Creates the payload that is sent for a rule.
   * @throws PayloadError
   */
  createPayload(rule: DocumentToWrite): JsonObject;
  /** Adds rules, in one request if the server allows that. */
  create(rules: readonly DocumentToWrite[]): Promise<unknown>;
  /** Returns the current maximum number of rules per call. More would be sent in requests that can't be canceled. */
  maxRulesPerCall?(): number;
  /** Lists the existing rules of the target, with the same cube fields as {@link createPayload}. */
  list(rules: readonly DocumentToWrite[]): Promise<readonly JsonObject[]>;
}

type RuleClients = Pick<PlatformClient, 'extractRules' | 'liveRules'>;

/** Creates the writer for rules of one cube or cube set. */
export function createCubeRuleWriter(
  { extractRules }: RuleClients,
  path: { readonly server: string; readonly elasticube: string },
): RuleWriter {
  return {
    createPayload: (rule) => createExtractRulePayload(rule),
    create: (rules) => extractRules.create(path, rules),
    list: async () => omitCube((await extractRules.list(path)).value as readonly JsonObject[]),
  };
}

/** Creates the writer for rules of one live datamodel. */
export function createLiveRuleWriter(
  { liveRules }: RuleClients,
  path: { readonly title: string },
): RuleWriter {
  const liveFields = createLiveFields(path.title);
  return {
    createPayload: (rule) => createLiveRulePayload(rule, path.title),
    create: (rules) => liveRules.create(path, rules),
    maxRulesPerCall: () => liveRules.maxRulesPerCall,
    list: async () =>
      omitCube((await liveRules.list(path)).value as readonly JsonObject[]).map((rule) => ({
        ...rule,
        ...liveFields,
      })),
  };
}

const createLiveFields = (title: string): JsonObject => ({ fullname: `live:${title}` });

const omitCube = (rules: readonly JsonObject[]): readonly JsonObject[] =>
  rules.map(({ server: _server, elasticube: _elasticube, fullname: _fullname, ...rule }) => rule);
