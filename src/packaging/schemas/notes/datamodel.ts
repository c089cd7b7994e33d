import { columnTypes } from '../../../contract/terms.ts';
import type { SchemaNote, SchemaNotes } from '../note.ts';
import { connectionNote, providerNote } from './connection.ts';

const createServerManagedNote = (text: string): SchemaNote => ({
  text: `${text} Set by the server.`,
  isServerManaged: true,
});

/** Returns the notes of a nested object with its path as a prefix. */
const prefixNotes = (prefix: string, notes: SchemaNotes): SchemaNotes =>
  Object.fromEntries(Object.entries(notes).map(([path, note]) => [joinPath(prefix, path), note]));

const joinPath = (prefix: string, path: string): string =>
  path === '' || prefix === '' || path.startsWith('[') ? `${prefix}${path}` : `${prefix}.${path}`;

/** The notes for a column of a table (rest-api.md, "Column"; platform-facts.md, 2.2 and 2.3). */
const columnNotes: SchemaNotes = {
  '': 'A column. Columns without an `oid` are created.',
  oid: "ID of the column. Keep it: columns that are sent without it are created, and columns that aren't sent are deleted.",
  id: 'Name of the column in the source.',
  name: 'Name that queries use.',
  type: {
    text: 'Type code: 8 Integer, 0 BigInt, 5 Decimal, 40 Double, 18 Text, 12 NVarChar, 31 Date, 4 Timestamp, 2 Boolean, 32 Time.',
    snippets: columnTypes.map(({ code, name, previousName }) => ({
      label: `${name} (${code})`,
      description: previousName === undefined ? name : `${name}, ${previousName}`,
      body: code,
    })),
  },
  size: 'Size in the source.',
  precision: 'Total number of digits.',
  scale: 'Digits after the decimal point.',
  hidden: { text: "Hidden columns can't be selected.", initialValue: true },
  isCustom: { text: 'Whether it is calculated by an expression.', initialValue: true },
  expression: 'SQL of a custom column. It can use the columns of its own table.',
  'expression.expression': 'The SQL text.',
  description: 'Description of the column.',
};

/** The known options of a table (platform-facts.md, 2.5); others are valid, too. */
const tableOptionSchemas = Object.fromEntries(
  Object.entries({
    culture: 'Language of number and date formats.',
    delimiter: 'Separator between values.',
    excludeIfBegins: 'Skips lines that begin with this text.',
    excludeIfContains: 'Skips lines that contain this text.',
    hasHeader: 'Whether the first line contains the column names.',
    ignoreFirstRows: 'Number of lines to skip at the beginning.',
    ignoreLastRows: 'Number of lines to skip at the end.',
    stringQuote: 'Character that encloses text.',
  }).map(([name, text]) => [name, { description: `${text} CSV files only.` }]),
);

/** The notes for the fields of a table (rest-api.md, "Table"; platform-facts.md, 2.2 and 2.4). */
const tableFields: SchemaNotes = {
  oid: createServerManagedNote('ID of the table.'),
  id: 'Name of the table in the source. For file connectors, the name of the file.',
  name: 'Name that queries, rules, and viewpoints use.',
  description: 'Description of the table.',
  type: {
    text: 'Where the rows come from.',
    valueDescriptions: { base: 'From the source.', custom: 'From a SQL expression.' },
    errorMessage: 'Expected: base or custom.',
    isCaseInsensitive: true,
  },
  tags: 'Labels of the table.',
  columns: 'All columns. Columns that are missing here when the table is saved are deleted.',
  expression: 'SQL of a custom table.',
  'expression.expression': 'The SQL text.',
  buildBehavior: {
    text: 'How a build treats the table. Extract datamodels only.',
    snippets: [
      {
        label: 'Replace',
        description: 'Read again at each build',
        body: { type: 'sync', accumulativeConfig: null },
      },
      {
        label: 'Replace only when changed',
        description: "Keep the rows if the table hasn't changed",
        body: { type: 'ignoreIfExists', accumulativeConfig: null },
      },
      {
        label: 'Append',
        description: 'Add new rows to the existing rows',
        body: { type: 'accumulativeSync', accumulativeConfig: null },
      },
    ],
  },
  'buildBehavior.type':
    '`sync` replaces all rows, `ignoreIfExists` replaces them only if the table has changed, `accumulativeSync` appends rows.',
  'buildBehavior.accumulativeConfig': 'The column that distinguishes new rows from old ones.',
  'buildBehavior.accumulativeConfig.column': '`oid` of the column.',
  configOptions: {
    text: 'Settings of the connector for this table. They differ by connector.',
    snippets: [
      {
        label: 'CSV',
        description: 'How the file is read',
        body: { delimiter: ',', hasHeader: true, ignoreFirstRows: 0 },
      },
    ],
    additionalSchema: { properties: tableOptionSchemas },
  },
  hidden: { text: "Hidden tables can't be queried directly.", initialValue: true },
};

export const tableNotes: SchemaNotes = {
  '': 'A table of a datamodel.',
  ...tableFields,
  ...prefixNotes('columns[]', columnNotes),
};

/** The notes for datasets (rest-api.md, "Dataset"; platform-facts.md, 2.2 and 2.5). */
export const datasetNotes: SchemaNotes = {
  '': 'A dataset: one source of a datamodel. Only its connection can be changed.',
  oid: createServerManagedNote('ID of the dataset.'),
  name: 'Name of the dataset.',
  fullname: 'Full name, including the connector.',
  type: {
    text: 'The type of dataset.',
    valueDescriptions: {
      extract: 'Tables that are imported.',
      live: 'Tables that are queried at the source.',
      custom: 'Tables created by SQL expressions.',
    },
    errorMessage: 'Expected: extract, live, or custom.',
    isCaseInsensitive: true,
  },
  connection: connectionNote,
  'connection.provider': providerNote,
  'connection.schema': 'Schema, or path of the first file.',
  'connection.fileName': 'Name of the file, for file connectors.',
  'connection.parameters': 'Settings of the connector. Secrets are masked.',
  schema: createServerManagedNote('Contents of the dataset.'),
  'schema.tables': 'The tables.',
  ...prefixNotes('schema.tables[]', { ...tableNotes, '': 'A table.' }),
};

/** The notes for relations (rest-api.md, "Relation"). */
export const relationNotes: SchemaNotes = {
  '': 'A relation: the path along which queries join tables.',
  oid: createServerManagedNote('ID of the relation.'),
  columns: 'The columns that contain the same values: at least two. Include all of them each time you save.',
  'columns[]': 'A column, with its table and dataset.',
  'columns[].dataset': '`oid` of the dataset.',
  'columns[].table': '`oid` of the table.',
  'columns[].column': '`oid` of the column.',
};

/** The notes for datamodels (rest-api.md, "Datamodel"; platform-facts.md, 2.2). */
export const datamodelNotes: SchemaNotes = {
  '': "A datamodel. Its own properties can't be changed. Save its datasets, tables, and relations instead.",
  oid: createServerManagedNote('ID of the datamodel.'),
  title: 'Title of the datamodel.',
  type: {
    text: 'The type of datamodel.',
    valueDescriptions: { extract: 'Imported and built.', live: 'Queried at the source.' },
    errorMessage: 'Expected: extract or live.',
    isCaseInsensitive: true,
  },
  server: 'Server that hosts the datamodel.',
  lastBuildTime: createServerManagedNote('When it was last built.'),
  lastSuccessfulBuildTime: createServerManagedNote('When it was last built successfully.'),
  lastPublishTime: createServerManagedNote('When it was last published.'),
  lastUpdated: createServerManagedNote('When it was last changed.'),
  datasets: 'Its sources.',
  ...prefixNotes('datasets[]', { ...datasetNotes, '': 'A dataset.' }),
  relations: 'Its relations.',
  ...prefixNotes('relations[]', relationNotes),
};

export const customDataNotes: SchemaNotes = {
  '': "A custom data object: any JSON object. Don't store personal or secret data in it: every user of the instance can read and change it.",
};
