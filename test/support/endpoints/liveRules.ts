import {
  createColumnRulesDeletionWrite,
  createRuleCreationWrite,
  createRuleDeletionWrite,
} from '../../../src/changes/rules/ruleWrites.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import {
  booleanShape,
  nullableBooleanShape,
  hexIdShape,
  listShape,
  objectShape,
  textShape,
  enumShape,
} from '../../contract/shapes.ts';
import { requireDefined, type AreaExamples, declareMissingInVendorContract } from './example.ts';
import { createRule, statusInGuide } from './shared.ts';

const fields = {
  allMembers: nullableBooleanShape,
  members: listShape(textShape),
  shares: listShape(objectShape({ type: enumShape('user', 'group', 'default') }, { partyId: hexIdShape })),
  datatype: enumShape('text', 'numeric'),
  table: textShape,
  column: textShape,
  live: booleanShape,
  fullname: textShape,
};
const input = objectShape(fields, { exclusionary: booleanShape });
const output = objectShape(
  { ...fields, _id: hexIdShape, dataSourceId: hexIdShape },
  { exclusionary: booleanShape },
);
const path = '/elasticubes/live/{title}/datasecurity';

const subject = { kind: 'live', title: 'Support Desk' } as const;

const getFirstRule = async (client: PlatformClient) =>
  requireDefined((await client.liveRules.list({ title: subject.title })).value[0]);

export const liveRuleExamples: AreaExamples<'liveRules'> = {
  'liveRules.list': {
    call: (client, { title }, signal) => client.liveRules.list({ title }, signal),
    vendorOperation: { signature: `v1.0 GET ${path}`, statuses: [200], response: listShape(output) },
    deviations: [
      {
        name: 'fields of live rules',
        profile: 'guide',
        side: 'response',
        pattern: /\/dataSourceId$/,
        reason: 'The guide does not mention the field.',
      },
    ],
  },
  'liveRules.create': {
    call: (client, { title, user }, signal) =>
      client.liveRules.create({ title }, [createRule({ partyId: user })], signal),
    vendorOperation: { signature: `v1.0 POST ${path}`, statuses: [201], request: input, response: output },
    deviations: [
      statusInGuide,
      {
        name: 'array of created rules',
        profile: 'guide',
        side: 'response',
        pattern: /^\/$/,
        reason: 'In the guide, the response is an array of the created rules.',
      },
      {
        name: 'array of new rules',
        profile: 'guide',
        side: 'request',
        pattern: /^\/$/,
        reason:
          'The guide requires an array, and the client sends one once it knows that the server accepts it.',
      },
    ],
    createWrite: async (client) => {
      const { table, column } = await getFirstRule(client);
      const shares = [{ type: 'user', partyId: 'somebody' }];
      return createRuleCreationWrite(subject, [{ table, column, datatype: 'text', members: ['x'], shares }]);
    },
  },
  'liveRules.createMany': {
    call: (client, { title, user }, signal) =>
      client.liveRules.createMany({ title }, [createRule({ partyId: user })], signal),
    ...declareMissingInVendorContract(
      'creation of several live rules',
      "Newer than the vendor's contract; recorded on instances of 2025. The guide does not have it.",
    ),
  },
  'liveRules.delete': {
    call: (client, { ruleId }, signal) => client.liveRules.delete({ ruleId }, signal),
    vendorOperation: {
      signature: 'v1.0 DELETE /elasticubes/live/datasecurity/{dataSecurityId}',
      statuses: [204],
    },
    deviations: [statusInGuide],
    createWrite: async (client) => createRuleDeletionWrite(subject, String((await getFirstRule(client))._id)),
  },
  'liveRules.deleteByColumn': {
    call: (client, { title }, signal) =>
      client.liveRules.deleteByColumn({ title, table: 'Stores', column: 'Region' }, signal),
    vendorOperation: { signature: `v1.0 DELETE ${path}/{table}/{column}`, statuses: [204] },
    deviations: [statusInGuide],
    createWrite: async (client) => {
      const { table, column } = await getFirstRule(client);
      return createColumnRulesDeletionWrite(subject, table, column);
    },
  },
};
