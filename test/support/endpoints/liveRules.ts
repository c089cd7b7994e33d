import { columnRulesDeletion, ruleCreation, ruleDeletion } from '../../../src/changes/rules/ruleWrites.ts';
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
import { defined, type ExamplesOf, notInContract } from './example.ts';
import { ruleFor, statusInGuide } from './shared.ts';

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

const firstRule = async (client: PlatformClient) =>
  defined((await client.liveRules.list({ title: subject.title })).value[0]);

export const liveRuleExamples: ExamplesOf<'liveRules'> = {
  'liveRules.list': {
    call: (client, { title }, signal) => client.liveRules.list({ title }, signal),
    operation: { source: `v1.0 GET ${path}`, statuses: [200], answer: listShape(output) },
    deviations: [
      {
        name: 'fields of live rules',
        profile: 'guide',
        side: 'answer',
        at: /\/dataSourceId$/,
        reason: 'The guide does not know the field.',
      },
    ],
  },
  'liveRules.create': {
    call: (client, { title, user }, signal) =>
      client.liveRules.create({ title }, [ruleFor({ partyId: user })], signal),
    operation: { source: `v1.0 POST ${path}`, statuses: [201], request: input, answer: output },
    deviations: [
      statusInGuide,
      {
        name: 'lists of live rules',
        profile: 'guide',
        side: 'answer',
        at: /^\/$/,
        reason: 'The guide answers an array of the rules that were made.',
      },
      {
        name: 'arrays of live rules',
        profile: 'guide',
        side: 'request',
        at: /^\/$/,
        reason: 'The guide takes an array, and the client sends one where it has met a server that does.',
      },
    ],
    write: async (client) => {
      const { table, column } = await firstRule(client);
      const shares = [{ type: 'user', partyId: 'somebody' }];
      return ruleCreation(subject, [{ table, column, datatype: 'text', members: ['x'], shares }]);
    },
  },
  'liveRules.createMany': {
    call: (client, { title, user }, signal) =>
      client.liveRules.createMany({ title }, [ruleFor({ partyId: user })], signal),
    ...notInContract(
      'addMany',
      'Younger than the contract; recorded on instances of 2025. The guide does not have it.',
    ),
  },
  'liveRules.delete': {
    call: (client, { ruleId }, signal) => client.liveRules.delete({ ruleId }, signal),
    operation: {
      source: 'v1.0 DELETE /elasticubes/live/datasecurity/{dataSecurityId}',
      statuses: [204],
    },
    deviations: [statusInGuide],
    write: async (client) => ruleDeletion(subject, String((await firstRule(client))._id)),
  },
  'liveRules.deleteByColumn': {
    call: (client, { title }, signal) =>
      client.liveRules.deleteByColumn({ title, table: 'Stores', column: 'Region' }, signal),
    operation: { source: `v1.0 DELETE ${path}/{table}/{column}`, statuses: [204] },
    deviations: [statusInGuide],
    write: async (client) => {
      const { table, column } = await firstRule(client);
      return columnRulesDeletion(subject, table, column);
    },
  },
};
