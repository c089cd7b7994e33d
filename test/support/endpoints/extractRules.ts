import {
  createColumnRulesDeletionWrite,
  createRuleCreationWrite,
  createRuleDeletionWrite,
  createRuleUpdateWrite,
} from '../../../src/changes/rules/ruleWrites.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { booleanShape, listShape, objectShape, textShape } from '../../contract/shapes.ts';
import { requireDefined, type AreaExamples, declareMissingInVendorContract } from './example.ts';
import { createRule } from './shared.ts';

const fields = {
  allMembers: booleanShape,
  column: textShape,
  datatype: textShape,
  exclusionary: booleanShape,
  members: listShape(textShape),
  shares: listShape(objectShape({}, { party: textShape, type: textShape })),
  table: textShape,
};
const cube = { server: textShape, elasticube: textShape };
const path = '/elasticubes/{server}/{elasticube}/datasecurity';
const column = { table: 'Stores', column: 'Region' };

const retail = { server: 'LocalHost', elasticube: 'Retail' };
const subject = { kind: 'extract', ...retail } as const;
const newRule = {
  table: 'Regions',
  column: 'Region',
  datatype: 'text',
  members: ['x'],
  shares: [{ type: 'user', party: 'somebody' }],
};

async function getFirstRule(client: PlatformClient): Promise<JsonObject & { readonly _id: string }> {
  const rule = requireDefined((await client.extractRules.list(retail)).value[0]);
  return { ...(rule as JsonObject), _id: String(rule._id) };
}

export const extractRuleExamples: AreaExamples<'extractRules'> = {
  'extractRules.list': {
    call: (client, { server, elasticube }, signal) =>
      client.extractRules.list({ server, elasticube }, signal),
    vendorOperation: { signature: `v0.9 GET ${path}`, statuses: [200] },
  },
  'extractRules.listByColumn': {
    call: (client, { server, elasticube }, signal) =>
      client.extractRules.listByColumn({ server, elasticube, ...column }, signal),
    vendorOperation: { signature: `v0.9 GET ${path}/{table}/{column}`, statuses: [200] },
  },
  'extractRules.listByUser': {
    call: (client, { server, elasticube, user }, signal) =>
      client.extractRules.listByUser({ server, elasticube, user }, signal),
    vendorOperation: {
      signature: 'v0.9 GET /elasticubes/{server}/{cube}/{user}/datasecurity',
      statuses: [200],
    },
  },
  'extractRules.createMany': {
    call: (client, { server, elasticube, user }, signal) =>
      client.extractRules.createMany([{ ...createRule({ party: user }), server, elasticube }], signal),
    vendorOperation: {
      signature: 'v0.9 POST /elasticubes/datasecurity',
      statuses: [200],
      request: listShape(objectShape({}, { ...fields, ...cube })),
    },
  },
  'extractRules.create': {
    call: (client, { server, elasticube, user }, signal) =>
      client.extractRules.create({ server, elasticube }, [createRule({ party: user })], signal),
    vendorOperation: {
      signature: `v0.9 POST ${path}`,
      statuses: [200],
      request: listShape(objectShape({}, fields)),
    },
    createWrite: () => createRuleCreationWrite(subject, [newRule]),
  },
  'extractRules.update': {
    call: (client, { ruleId, server, elasticube, user }, signal) =>
      client.extractRules.update({ ruleId }, { ...createRule({ party: user }), server, elasticube }, signal),
    vendorOperation: {
      signature: 'v0.9 PUT /elasticubes/datasecurity/{id}',
      statuses: [200],
      // The description in the vendor's contract requires both fields of `cube`; its schema does not list them.
      request: objectShape(cube, fields),
    },
    createWrite: async (client) =>
      createRuleUpdateWrite(subject, { ...(await getFirstRule(client)), members: ['x'] }),
  },
  'extractRules.deleteByColumn': {
    call: (client, { server, elasticube }, signal) =>
      client.extractRules.deleteByColumn({ server, elasticube }, column, signal),
    vendorOperation: { signature: `v0.9 DELETE ${path}`, statuses: [200], query: ['table', 'column'] },
    createWrite: () => createColumnRulesDeletionWrite(subject, 'Regions', 'Region'),
  },
  'extractRules.delete': {
    call: (client, { ruleId }, signal) => client.extractRules.delete({ ruleId }, signal),
    ...declareMissingInVendorContract(
      'one extract rule',
      "The vendor's contract has no DELETE of one extract rule; the guide and all known clients have it.",
    ),
    createWrite: async (client) => createRuleDeletionWrite(subject, (await getFirstRule(client))._id),
  },
};
