import { isNonEmptyString, type UnknownObject } from '../readRules.ts';

/**
 * The fields that identify the datamodel and the column in extract and live rules (rest-api.md, "Data security rule").
 */
const bindingKeys = ['server', 'elasticube', 'fullname', 'live', 'table', 'column', 'datatype'] as const;

/**
 * Creates a default rule on the column of another rule (rest-api.md, "Kinds of rule": one entry of type default without
 * a party, and no members; `allMembers` false forbids all values, true allows them).
 */
export function createDefaultRule(rule: UnknownObject, allMembers: boolean): UnknownObject {
  const bindingFields = bindingKeys.flatMap((key) =>
    isNonEmptyString(rule[key]) || rule[key] === true ? [[key, rule[key]] as const] : [],
  );
  return { ...Object.fromEntries(bindingFields), members: [], allMembers, shares: [{ type: 'default' }] };
}
