import type { SchemaNotes } from '../note.ts';

/** rest-api.md, "Data security rule" and "Kinds of rule"; platform-facts.md, 3. */
export const ruleNotes: SchemaNotes = {
  '': {
    text: 'A data security rule: which values of a column its parties see. It narrows every query of the datamodel.',
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
        label: 'Nothing for everyone else',
        description: 'The default rule that the platform recommends',
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
        label: 'Everything for everyone else',
        description: 'A default rule that hides nothing',
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
  _id: { text: 'Identifier of the rule. Made by the server.', isServerManaged: true },
  dataSourceId: {
    text: 'Live datamodels only: identifier of the data source. Made by the server.',
    isServerManaged: true,
  },
  server: 'Server that hosts the cube; `set` for a cube set.',
  elasticube: 'Title of the extract datamodel, or name of the cube set. Letter case counts.',
  fullname: 'Live datamodels only: `live:` and the title of the datamodel.',
  live: { text: 'Live datamodels only: always `true`.', initialValue: true },
  table:
    'Name of the table. The server does not check it: a mistyped name makes a rule that protects nothing.',
  column: 'Name of the column. Columns of dates cannot carry rules.',
  datatype: {
    text: '`text` or `numeric`, as the column is.',
    pattern: '^(text|numeric)$',
    errorMessage: 'The datatype of a rule is text or numeric.',
  },
  members: { text: 'The values that the parties may see, all of them as texts.', initialValue: [] },
  'members[]': { text: 'A value, as text for numbers too.', isTypeLinted: true },
  allMembers: {
    text: '`true`: the rule covers all values. `null` when `members` are used. `false` only in the default rule that forbids all.',
    isTypeLinted: true,
  },
  exclusionary: {
    text: '`true`: the listed values are hidden instead of allowed. Not every server takes it for live datamodels.',
    initialValue: false,
    isTypeLinted: true,
  },
  shares: { text: 'The parties of the rule.', initialValue: [] },
  'shares[]': {
    text: 'A party: a user, a group, or everyone without a rule of their own.',
    snippets: [
      { label: 'Group', description: 'A user group', body: { type: 'group', party: '$1' } },
      { label: 'User', description: 'A user', body: { type: 'user', party: '$1' } },
      { label: 'Everyone else', description: 'The default party', body: { type: 'default' } },
    ],
  },
  'shares[].type': {
    text: 'The kind of party.',
    keywordDescriptions: {
      user: 'One user.',
      group: 'A user group.',
      default: 'Everyone who has no rule of their own on the column. It has no identifier.',
    },
    errorMessage: 'A party is a user, a group or default.',
  },
  'shares[].party': 'Extract datamodels: id of the user or group.',
  'shares[].partyId': 'Live datamodels: id of the user or group.',
  'shares[].partyName': { text: 'Name of the party. Made by the server.', isServerManaged: true },
};
