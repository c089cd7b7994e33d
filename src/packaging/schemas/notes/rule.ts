import type { SchemaNotes } from '../note.ts';

/** The notes for a rule (rest-api.md, "Data security rule" and "Kinds of rule"; platform-facts.md, 3). */
export const ruleNotes: SchemaNotes = {
  '': {
    text: 'A data security rule: the values of a column that its users and groups can see. It restricts every query of the datamodel.',
    snippets: [
      {
        label: 'Only these values',
        description: 'A rule for users and groups',
        body: {
          table: '${1:table}',
          column: '${2:column}',
          datatype: '${3|text,numeric|}',
          members: ['$4'],
          allMembers: null,
          shares: [{ type: '${5|group,user|}', party: '$6' }],
        },
      },
      {
        label: 'No values for everyone else',
        description: 'The rule for everyone else that the platform recommends',
        body: {
          table: '${1:table}',
          column: '${2:column}',
          datatype: '${3|text,numeric|}',
          members: [],
          allMembers: false,
          shares: [{ type: 'default' }],
        },
      },
      {
        label: 'All values for everyone else',
        description: 'A rule for everyone else that hides no values',
        body: {
          table: '${1:table}',
          column: '${2:column}',
          datatype: '${3|text,numeric|}',
          members: [],
          allMembers: true,
          shares: [{ type: 'default' }],
        },
      },
    ],
  },
  _id: { text: 'ID of the rule. Set by the server.', isServerManaged: true },
  dataSourceId: {
    text: 'Live datamodels only: ID of the data source. Set by the server.',
    isServerManaged: true,
  },
  server: 'Server that hosts the datamodel; `set` for a cube set.',
  elasticube: 'Title of the extract datamodel, or name of the cube set. Case-sensitive.',
  fullname: 'Live datamodels only: `live:` and the title of the datamodel.',
  live: { text: 'Live datamodels only: always `true`.', initialValue: true },
  table: "Name of the table. The server doesn't check it: a rule with a misspelled name has no effect.",
  column: "Name of the column. Rules don't support date columns.",
  datatype: {
    text: '`text` or `numeric`, to match the column.',
    pattern: '^(text|numeric)$',
    errorMessage: 'Expected: text or numeric.',
  },
  members: { text: 'The values that the users and groups can see, all as strings.', initialValue: [] },
  'members[]': { text: 'A value, as a string, even for numbers.', isTypeLinted: true },
  allMembers: {
    text: '`true`: the rule allows all values, and `members` is ignored. `null`: `members` applies. `false`, with no members: the rule allows no values. Use this for everyone else.',
    isTypeLinted: true,
  },
  exclusionary: {
    text: "`true`: the listed values are hidden instead of allowed. Some servers don't support this for live datamodels.",
    initialValue: false,
    isTypeLinted: true,
  },
  shares: { text: 'The users and groups of the rule.', initialValue: [] },
  'shares[]': {
    text: 'A user, a group, or everyone else.',
    snippets: [
      { label: 'Group', description: 'A user group', body: { type: 'group', party: '$1' } },
      { label: 'User', description: 'A user', body: { type: 'user', party: '$1' } },
      {
        label: 'Everyone else',
        description: 'Everyone without a rule of their own',
        body: { type: 'default' },
      },
    ],
  },
  'shares[].type': {
    text: 'The type: user, group, or everyone else.',
    valueDescriptions: {
      user: 'One user.',
      group: 'A user group.',
      default: 'Everyone who has no rule of their own on the column. This type has no ID.',
    },
    errorMessage: 'Expected: user, group, or default.',
  },
  'shares[].party': 'Extract datamodels: ID of the user or group.',
  'shares[].partyId': 'Live datamodels: ID of the user or group.',
  'shares[].partyName': { text: 'Name of the user or group. Set by the server.', isServerManaged: true },
};
