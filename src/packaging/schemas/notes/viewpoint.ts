import type { SchemaNotes } from '../note.ts';
import { createFilterNotes, filterProperties } from './filter.ts';
import { formatSnippets } from './format.ts';

const createServerManagedNote = (text: string) => ({
  text: `${text} Set by the server.`,
  isServerManaged: true,
});

/**
 * The notes for viewpoints (rest-api.md, "Viewpoint", "Column metadata", "infusion sub-object", "ViewpointVisibility";
 * platform-facts.md, 4 and 5).
 */
export const viewpointNotes: SchemaNotes = {
  '': {
    text: 'A viewpoint: a named selection of columns and filters of a datamodel, for assistant apps.',
    // A new viewpoint needs both (rest-api.md, "Viewpoint"); the body of an update may have neither. Not a schema
    // dependency: for that, the editor underlines the whole document, for `required` only the first brace.
    additionalSchema: { if: { not: { required: ['name'] } }, else: { required: ['description'] } },
    snippets: [
      {
        label: 'New viewpoint',
        description: 'All properties that a new viewpoint requires',
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
  id: createServerManagedNote('ID of the viewpoint.'),
  name: 'Shown to users of the viewpoint. Must be unique on the instance. Required for new viewpoints.',
  tenantId: createServerManagedNote('The tenant that the viewpoint belongs to.'),
  description: 'The questions that the viewpoint answers. Required for new viewpoints.',
  enabled:
    "`true` means published. Sharing is separate: a viewpoint that is shared but not published isn't visible.",
  createdBy: createServerManagedNote('ID of the user who created it.'),
  updatedBy: createServerManagedNote('ID of the user who last changed it.'),
  createdAt: createServerManagedNote('When it was created.'),
  updatedAt: createServerManagedNote('When it was last changed.'),
  visibility:
    "Who the viewpoint is shared with: at least one app, and at least one user or group. If all are empty, it isn't shared. Replaced as a whole when saved.",
  'visibility.apps': 'Names of the assistant apps. The platform publishes no list of them.',
  'visibility.groups': 'Names or IDs of user groups.',
  'visibility.users': 'IDs of users.',
  'visibility.enabled':
    'Whether the viewpoint is visible to these apps, users, and groups. A new viewpoint with `true` is published immediately.',
  details: 'What the viewpoint shows. Replaced as a whole when saved.',
  'details.datasource': 'The datamodel that it uses.',
  'details.datasource.id': 'ID of the data source.',
  'details.datasource.title': 'Title of the datamodel.',
  'details.datasource.fullname': '`server/title`, or `live:title` for a live datamodel.',
  'details.datasource.modelType': {
    text: 'The type of datamodel.',
    valueDescriptions: {
      live: 'Queried at the source.',
      external: 'Imported and built.',
      perspective: 'A part of a datamodel, selected for certain users.',
    },
    areValuesLinted: true,
  },
  'details.columns': {
    text: 'The columns, in order.',
    initialValue: [],
  },
  'details.columns[]': {
    text: 'A column of the viewpoint.',
    snippets: [
      {
        label: 'New column',
        description: 'A text or numeric column',
        body: {
          table: '${1:table}',
          column: '${2:column}',
          dim: '[${1:table}.${2:column}]',
          datatype: '${3|text,numeric|}',
          title: '${2:column}',
        },
      },
      {
        label: 'New date column',
        description: 'With a "dim" that ends in (Calendar), and a "level"',
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
    'The dimension: `[Table.Column]`, and `[Table.Column (Calendar)]` for dates. It must match `table` and `column`.',
  'details.columns[].datatype': {
    text: '`text`, `datetime`, `numeric`, or `number`.',
  },
  'details.columns[].title': 'Display name of the column.',
  'details.columns[].level':
    'How dates are grouped: `days`, `weeks`, `months`, `quarters`, or `years`. Only for `datetime`.',
  'details.columns[].agg': 'How values are aggregated: `count`, `sum`, or `average`.',
  'details.columns[].filter': {
    text: 'Which values are shown, in the query language of the platform. One operator for each condition.',
    additionalSchema: { properties: filterProperties },
  },
  ...createFilterNotes('details.columns[].filter'),
  'details.columns[].format': {
    text: 'How values are formatted: a list of masks and colors.',
    additionalSchema: { type: ['array', 'object', 'null'], items: { type: 'object' } },
  },
  'details.columns[].format[]': { text: 'A mask or colors.', snippets: formatSnippets },
  'details.columns[].sort': {
    text: 'The sort order of the values.',
    valueDescriptions: { asc: 'Smallest first.', desc: 'Largest first.' },
    areValuesLinted: true,
  },
  'details.columns[].filterOnly': {
    text: "The column is used for filtering only and isn't shown.",
    initialValue: true,
  },
  'details.columns[].infusion': {
    text: 'Description of the column for assistant apps. Only for viewpoints that are shared with them.',
    initialValue: {},
  },
  'details.columns[].infusion.visible': {
    text: 'Whether the column is shown. Deprecated: the platform no longer uses it.',
    isDeprecated: true,
  },
  'details.columns[].infusion.uid': {
    text: 'The column that uniquely identifies a row. At most one column; requires a `filter`.',
    initialValue: true,
  },
  'details.columns[].infusion.defaultMeasure': {
    text: "The measure to use when a question doesn't name one. At most one column.",
    initialValue: true,
  },
  'details.columns[].infusion.defaultDate': {
    text: "The date to use when a question doesn't name one. At most one column. It must be a date column.",
    initialValue: true,
  },
  'details.columns[].infusion.header': {
    text: 'The column is a header in assistant responses.',
    initialValue: true,
  },
  'details.columns[].infusion.hyperlink': {
    text: 'A link for the column. Deprecated: the platform no longer uses it.',
    isDeprecated: true,
  },
  'details.columns[].infusion.aliases': {
    text: 'Synonyms of the column. Deprecated: the platform no longer uses it.',
    isDeprecated: true,
  },
  'details.columns[].infusion.filterOnly': {
    text: "The column is used for filtering only and isn't shown.",
    initialValue: true,
  },
};
