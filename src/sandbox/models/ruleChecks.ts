import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { livePrefix, partyTypes } from '../../contract/rule.ts';
import { orAbsent } from '../../contract/values.ts';
import { parseWithSchema } from '../validation.ts';
import { createValidationProblem } from '../problem.ts';

/**
 * Creates the schema of a share. Its ID is in `party` for extract rules and in `partyId` for live rules
 * (rest-api.md, "Data security rule").
 */
const createShareSchema = (idField: 'party' | 'partyId') =>
  z
    .looseObject({
      type: z.enum(partyTypes),
      party: orAbsent(z.string()),
      partyId: orAbsent(z.string()),
    })
    .refine((share) => share.type === 'default' || (share[idField] ?? '') !== '', {
      path: [idField],
      message: 'required when type is user or group',
    });

const createRuleSchema = (idField: 'party' | 'partyId') =>
  z
    .looseObject({
      table: z.string().min(1),
      column: z.string().min(1),
      datatype: z.enum(['text', 'numeric']),
      members: orAbsent(z.array(z.string())),
      allMembers: orAbsent(z.boolean()),
      exclusionary: orAbsent(z.boolean()),
      shares: z.array(createShareSchema(idField)).min(1),
    })
    .refine((rule) => usesAllMembers(rule) || Array.isArray(rule.members), {
      path: ['members'],
      message: 'required, unless allMembers is used',
    })
    .refine((rule) => rule.allMembers !== false || (rule.members ?? []).length === 0, {
      path: ['allMembers'],
      message: 'must be null, not false, when members are listed',
    });

const usesAllMembers = (rule: { allMembers?: boolean | null | undefined }): boolean =>
  rule.allMembers !== null && rule.allMembers !== undefined;

const extractRuleSchema = createRuleSchema('party');
const liveRuleSchema = createRuleSchema('partyId');

const cubeSchema = z.looseObject({ server: z.string().min(1), elasticube: z.string().min(1) });

const liveSchema = z.looseObject({
  fullname: z.string().startsWith(livePrefix),
  live: z.literal(true),
});

/**
 * Checks the shape of an extract rule (rest-api.md, "Data security rule, extract datamodel"). Table, column, members
 * and party are not looked up (decisions.md, "Sandbox"; platform-facts.md, 3.1).
 * @param path path of the rule inside the body.
 * @throws HttpProblem 400 that names the invalid field
 */
export function checkExtractRule(rule: JsonObject, path: readonly PropertyKey[]): void {
  parseWithSchema(cubeSchema, rule, path);
  parseWithSchema(extractRuleSchema, rule, path);
}

/**
 * Checks the shape of a live rule (rest-api.md, "Data security rule, live datamodel"): `live` must be true, `fullname`
 * must be `live:` and the title, and `exclusionary` must be supported if it is true.
 * @throws HttpProblem 400 that names the invalid field
 */
export function checkLiveRule(
  { rule, path }: ReceivedRule,
  title: string,
  policy: { readonly allowsLiveExclusionary: boolean },
): void {
  const { fullname } = parseWithSchema(liveSchema, rule, path);
  parseWithSchema(liveRuleSchema, rule, path);
  const prefix = path.map((part) => `${String(part)}/`).join('');
  if (fullname !== `${livePrefix}${title}`) {
    throw createValidationProblem(
      `${prefix}fullname: expected "${livePrefix}${title}", the datamodel of the path`,
    );
  }
  if (rule['exclusionary'] === true && !policy.allowsLiveExclusionary) {
    throw createValidationProblem(`${prefix}exclusionary: not supported for live datamodels`);
  }
}

/** A rule of a request body, with its path inside the body. */
export interface ReceivedRule {
  readonly rule: JsonObject;
  readonly path: readonly PropertyKey[];
}

/**
 * Reads the rules in the body of a POST. The server assigns `_id`, so it must not be sent
 * (rest-api.md, "Data security rule" 1).
 * @throws HttpProblem 400 when the body is not an array of objects (or a single object, if `expectedShape` allows it).
 */
export function readRuleInputs(
  body: JsonValue | undefined,
  expectedShape: 'array' | 'array or object',
): ReceivedRule[] {
  if (isJsonObject(body) && expectedShape === 'array or object') {
    return [requireNoId({ rule: body, path: [] })];
  }
  if (!Array.isArray(body)) {
    throw createValidationProblem(`The body must be an ${expectedShape} of rules`);
  }
  return body.map((rule: JsonValue, index) => {
    if (!isJsonObject(rule)) {
      throw createValidationProblem(`${index}: expected a rule object`);
    }
    return requireNoId({ rule, path: [index] });
  });
}

function requireNoId(input: ReceivedRule): ReceivedRule {
  if ('_id' in input.rule) {
    const prefix = input.path.map((part) => `${String(part)}/`).join('');
    throw createValidationProblem(`${prefix}_id: assigned by POST and must not be sent`);
  }
  return input;
}
