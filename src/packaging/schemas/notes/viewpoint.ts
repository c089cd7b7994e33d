import type { SchemaNotes } from '../note.ts';
import { createFilterNotes, filterProperties } from './filter.ts';
import { formatSnippets } from './format.ts';

const createServerManagedNote = (text: string) => ({
  text: `${text} Made by the server.`,
  isServerManaged: true,
});

/**
 * rest-api.md, "Viewpoint", "Column metadata", "infusion sub-object", "ViewpointVisibility"; platform-facts.md, 4 and
 * 5.
 */
export const viewpointNotes: SchemaNotes = {
  '': {
    text: 'A viewpoint: a named choice of columns and filters of a datamodel, for assistant apps.',
    // A new viewpoint needs both (rest-api.md, "Viewpoint"); the body of an update may have neither. Not a schema
    // dependency: for that, the editor underlines the whole document, for `required` only the first brace.
    additionalSchema: { if: { not: { required: ['name'] } }, else: { required: ['description'] } },
    snippets: [
      {
        label: 'New viewpoint',
        description: 'Everything that a new viewpoint needs',
        body: {
          name: '${1:name}',
          description: '${2:what it answers}',
          details: {
            datasource: { title: '${3:datamodel}', modelType: '${4|external,live,perspective|}' },
            columns: ['$0'],
          },
          visibility: { apps: [], groups: [], users: [], enabled: false },
        },
      },
    ],
  },
  id: createServerManagedNote('Identifier of the viewpoint.'),
  name: 'Shown to the people who use it. It must be unique on the instance; a new viewpoint needs it.',
  tenantId: createServerManagedNote('The tenant that the viewpoint belongs to.'),
  description: 'What the viewpoint answers. A new viewpoint needs it.',
  enabled:
    '`true` means published. Sharing is apart from it: a viewpoint that is shared but not published is not visible.',
  createdBy: createServerManagedNote('Id of the user who made it.'),
  updatedBy: createServerManagedNote('Id of the user who last changed it.'),
  createdAt: createServerManagedNote('When it was made.'),
  updatedAt: createServerManagedNote('When it was last changed.'),
  visibility:
    'With whom the viewpoint is shared: at least one app, and at least one group or user. All empty means that it is not shared. It is written as a whole.',
  'visibility.apps': 'Names of the assistant apps. The platform publishes no list of them.',
  'visibility.groups': 'Names or ids of user groups.',
  'visibility.users': 'Ids of users.',
  'visibility.enabled':
    'Whether the viewpoint is visible to them. A new viewpoint with `true` is published at once.',
  details: 'What the viewpoint shows. It is written as a whole.',
  'details.datasource': 'The datamodel that it reads.',
  'details.datasource.id': 'Identifier of the datasource.',
  'details.datasource.title': 'Title of the datamodel.',
  'details.datasource.fullname': '`server/title`, or `live:title` for a live datamodel.',
  'details.datasource.modelType': {
    text: 'The kind of datamodel.',
    keywordDescriptions: {
      live: 'Queries the source itself.',
      external: 'An extract, built into a cube.',
      perspective: 'A part of a datamodel, chosen for some readers.',
    },
    areKeywordsLinted: true,
  },
  'details.columns': {
    text: 'The columns in their order.',
    initialValue: [],
  },
  'details.columns[]': {
    text: 'A column of the viewpoint.',
    snippets: [
      {
        label: 'New column',
        description: 'A column of text or numbers',
        body: {
          table: '${1:table}',
          column: '${2:column}',
          dim: '[${1:table}.${2:column}]',
          datatype: '${3|text,numeric|}',
          title: '${2:column}',
        },
      },
      {
        label: 'New column of dates',
        description: 'Its dim ends in (Calendar), and it has a level',
        body: {
          table: '${1:table}',
          column: '${2:column}',
          dim: '[${1:table}.${2:column} (Calendar)]',
          datatype: 'datetime',
          level: '${3|days,weeks,months,quarters,years|}',
          title: '${2:column}',
        },
      },
    ],
  },
  'details.columns[].table': 'Name of the table in the datamodel.',
  'details.columns[].column': 'Name of the column in the datamodel.',
  'details.columns[].dim':
    'The dimension: `[Table.Column]`, and `[Table.Column (Calendar)]` for dates. It names the same table and column.',
  'details.columns[].datatype': {
    text: '`text`, `datetime`, `numeric` or `number`.',
  },
  'details.columns[].title': 'What the column is called where it is shown.',
  'details.columns[].level':
    'How dates are grouped: `days`, `weeks`, `months`, `quarters` or `years`. Only for `datetime`.',
  'details.columns[].agg': 'How values are put together: `count`, `sum` or `average`.',
  'details.columns[].filter': {
    text: 'Which values are shown, in the query language of the platform. One operator for each condition.',
    additionalSchema: { properties: filterProperties },
  },
  ...createFilterNotes('details.columns[].filter'),
  'details.columns[].format': {
    text: 'How values are written: a list of masks and colors.',
    additionalSchema: { type: ['array', 'object', 'null'], items: { type: 'object' } },
  },
  'details.columns[].format[]': { text: 'A mask or colors.', snippets: formatSnippets },
  'details.columns[].sort': {
    text: 'The order of the values.',
    keywordDescriptions: { asc: 'The smallest first.', desc: 'The largest first.' },
    areKeywordsLinted: true,
  },
  'details.columns[].filterOnly': { text: 'The column filters and is not shown.', initialValue: true },
  'details.columns[].infusion': {
    text: 'What the column means to chat apps. Only for viewpoints that are shared with them.',
    initialValue: {},
  },
  'details.columns[].infusion.visible': {
    text: 'Whether the column is shown. Deprecated: the platform no longer relies on it.',
    isDeprecated: true,
  },
  'details.columns[].infusion.uid': {
    text: 'The column that distinguishes the rows. One column at most, and it needs a `filter`.',
    initialValue: true,
  },
  'details.columns[].infusion.defaultMeasure': {
    text: 'The measure that is meant where none is named. One column at most.',
    initialValue: true,
  },
  'details.columns[].infusion.defaultDate': {
    text: 'The date that is meant where none is named. One column at most, and only one of dates.',
    initialValue: true,
  },
  'details.columns[].infusion.header': {
    text: 'The column is a header of the answer in a chat.',
    initialValue: true,
  },
  'details.columns[].infusion.hyperlink': {
    text: 'A link of the column. Deprecated: the platform no longer relies on it.',
    isDeprecated: true,
  },
  'details.columns[].infusion.aliases': {
    text: 'Other names of the column. Deprecated: the platform no longer relies on it.',
    isDeprecated: true,
  },
  'details.columns[].infusion.filterOnly': {
    text: 'The column filters and is not shown.',
    initialValue: true,
  },
};
