import type { JsonSchema, SchemaNote, SchemaNotes } from '../note.ts';
import { datamodelNotes, datasetNotes, tableNotes } from './datamodel.ts';
import { ruleNotes } from './rule.ts';
import { viewpointNotes } from './viewpoint.ts';

const createSqlFileNote = (example: string): SchemaNote => ({
  text: `The file with the SQL, such as \`{"$file": "${example}"}\`. Its path is relative to the folder of this file.`,
  initialValue: { $file: example },
});

const numberText =
  'A number for a user or group that has no unique name. The lock file of each environment contains the ID.';

const formerNameText =
  'The former name, so that the item is renamed instead of deleted and created again. Remove it once every environment has the new name.';

/** Returns the notes without those of the given paths and of anything inside them. */
const omitNotes = (notes: SchemaNotes, ...paths: readonly string[]): SchemaNotes =>
  Object.fromEntries(
    Object.entries(notes).filter(
      ([path]) => !paths.some((omitted) => path === omitted || path.startsWith(`${omitted}.`)),
    ),
  );

/** A filter that finds a custom data object (projects.md, "What a project manages"). */
const customDataFilter: JsonSchema = {
  type: 'object',
  minProperties: 1,
  errorMessage: 'Expected a filter of property values, such as {"app": "settings"}.',
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'object'],
    properties: { $exists: { type: 'boolean', description: 'Whether the object has the property.' } },
    additionalProperties: false,
    errorMessage: 'Expected a string, a number, true, false, or {"$exists": true}.',
  },
};

/** The notes for `datamodel-studio.json` (projects.md, "What a project manages"). */
export const settingsNotes: SchemaNotes = {
  '': {
    text: 'The settings of a Datamodel Studio project.',
    snippets: [
      {
        label: 'New project',
        description: 'All datamodels and viewpoints',
        body: { version: 1, manage: { datamodels: ['${1:*}'], viewpoints: ['${2:*}'] } },
      },
    ],
  },
  version: { text: 'The version of the project format.', initialValue: 1 },
  manage: {
    text: 'What the project manages. Everything else on an instance is left alone.',
    initialValue: { datamodels: ['${1:*}'], viewpoints: ['${2:*}'] },
  },
  'manage.datamodels': {
    text: 'Titles of the datamodels to manage. Their rules are included. `*` matches any characters, and `\\*` is an asterisk.',
    initialValue: ['${1:*}'],
  },
  'manage.viewpoints': {
    text: 'Names of the viewpoints. `*` matches any characters, and `\\*` is an asterisk.',
    initialValue: ['${1:*}'],
  },
  'manage.cubeSets': {
    text: "Names of the cube sets whose rules are managed. List each one: the API can't list cube sets.",
    initialValue: ['$1'],
  },
  'manage.customData': {
    text: 'Custom data objects, each with a name of your choice and a filter that matches only that object: the values of its top-level properties.',
    snippets: [
      {
        label: 'New custom data object',
        description: 'Identified by the value of a property',
        body: { '${1:name}': { '${2:property}': '${3:value}' } },
      },
    ],
    additionalSchema: { additionalProperties: customDataFilter },
  },
};

/** The notes for `environments/*.json` (projects.md, "Environments"). */
export const environmentNotes: SchemaNotes = {
  '': {
    text: 'An environment of a Datamodel Studio project: the address and the role of an instance.',
    snippets: [
      {
        label: 'New environment',
        description: 'The address and the role of an instance',
        body: {
          url: 'https://${1:analytics.example.com}',
          role: '${2|development,staging,production,read-only|}',
        },
      },
    ],
  },
  url: {
    text: 'The address of the instance, without a user name, password, or token.',
    initialValue: 'https://$1',
  },
  role: {
    text: 'The purpose of the instance.',
    valueDescriptions: {
      development: 'Writes are allowed.',
      staging: 'Writes are allowed.',
      production:
        "Writes aren't allowed until you unlock the connection, or, on the command line, confirm them with `--confirm`.",
      'read-only': "Writes aren't allowed.",
    },
    errorMessage: 'Expected: development, staging, production, or read-only.',
    snippets: ['development', 'staging', 'production', 'read-only'].map((role) => ({
      label: `"${role}"`,
      description: 'The role of the instance',
      body: role,
    })),
  },
  tenant: 'The ID of the tenant, if the instance has more than one.',
};

export const projectDatamodelNotes: SchemaNotes = {
  '': 'A datamodel in a project. Its parts are in the folders next to this file.',
  title: 'Title of the datamodel, which all files in this folder belong to.',
  type: datamodelNotes['type'] ?? '',
};

export const projectDatasetNotes: SchemaNotes = {
  ...omitNotes(datasetNotes, 'oid', 'fullname', 'schema', 'schema.tables[]'),
  '': 'A dataset in a project: one source of the datamodel.',
  name: 'Name of the dataset. Tables refer to it.',
  'connection.parameters': 'Settings of the connector. Secrets are masked, and never sent to an instance.',
};

export const projectTableNotes: SchemaNotes = {
  ...omitNotes(tableNotes, 'oid', 'expression', 'columns[].oid', 'columns[].expression'),
  '': 'A table in a project, with its columns.',
  dataset: 'Name of the dataset that the table is in.',
  name: 'Name that queries, rules, relations, and viewpoints use.',
  renamedFrom: formerNameText,
  columns: 'All columns.',
  'columns[]': 'A column.',
  'columns[].name': 'Name that queries use.',
  'columns[].renamedFrom': formerNameText,
  expression: createSqlFileNote('Table.datamodel.sql'),
  'expression.$file': createSqlPathNote(),
  'columns[].expression': createSqlFileNote('Table/Column.datamodel.sql'),
  'columns[].expression.$file': createSqlPathNote(),
  'buildBehavior.accumulativeConfig.column':
    'The column, by name: `{"$ref": {"table": "Orders", "column": "Order Date"}}`.',
  'buildBehavior.accumulativeConfig.column.$ref': 'The names of the table and of the column.',
  'buildBehavior.accumulativeConfig.column.$ref.table': 'Name of the table.',
  'buildBehavior.accumulativeConfig.column.$ref.column': 'Name of the column.',
};

function createSqlPathNote(): SchemaNote {
  return {
    text: 'The path of a file that ends with `.datamodel.sql`, in the folder of this file.',
    pattern:
      '^(?![A-Za-z]:|/)(?!.*\\\\)(?!(.*/)?\\.{0,2}(/|$)).*\\.[dD][aA][tT][aA][mM][oO][dD][eE][lL]\\.[sS][qQ][lL]$',
    errorMessage:
      'Expected a path that is in the folder of this file, ends with ".datamodel.sql", and separates folders with "/".',
  };
}

export const projectRelationNotes: SchemaNotes = {
  '': 'A relation in a project: the path along which queries join tables.',
  columns: 'The columns that contain the same values, by name: at least two.',
  'columns[]': {
    text: 'A column with its table.',
    initialValue: { table: '$1', column: '$2' },
  },
  'columns[].table': 'Name of the table.',
  'columns[].column': 'Name of the column.',
};

/** Fields that the files of a project omit: the server assigns them, or the folder of the file determines them. */
const omittedRuleFields = ['_id', 'dataSourceId', 'server', 'elasticube', 'fullname', 'live'];

export const projectRuleNotes: SchemaNotes = {
  ...omitNotes(ruleNotes, ...omittedRuleFields, 'shares[].partyId', 'shares[].partyName'),
  cubeSet: 'Name of the cube set, in rules of cube sets.',
  table: 'Name of the table, the same for all rules in the file.',
  column: 'Name of the column, the same for all rules in the file.',
  'shares[].party': {
    text: 'Name of the user or group, or `{"bound": 3}` for one without a unique name.',
  },
  'shares[].party.bound': numberText,
};

export const projectViewpointNotes: SchemaNotes = {
  ...omitNotes(
    viewpointNotes,
    'id',
    'tenantId',
    'createdBy',
    'updatedBy',
    'createdAt',
    'updatedAt',
    'details.datasource.id',
    'details.datasource.fullname',
  ),
  '': 'A viewpoint in a project.',
  name: 'Shown to users of the viewpoint. Must be unique on the instance.',
  renamedFrom: formerNameText,
  description: 'The questions that the viewpoint answers.',
  'details.datasource': 'The datamodel that it uses, by its title.',
  'visibility.groups': 'Names of user groups.',
  'visibility.groups[]': 'Name of a user group.',
  'visibility.groups[].bound': numberText,
  'visibility.users': 'Names of users.',
  'visibility.users[]': 'Name of a user.',
  'visibility.users[].bound': numberText,
};

export const projectCustomDataNotes: SchemaNotes = {
  '': 'A custom data object in a project.',
  name: 'The name of the object in `datamodel-studio.json`.',
  content: 'The object: any JSON, without its ID.',
};
