import * as z from 'zod';
import { datamodelSchema, datasetSchema, minRelationColumns } from '../../contract/datamodel.ts';
import { extractRuleSchema, shareSchema } from '../../contract/rule.ts';
import { buildBehaviorSchema, columnSchema, tableSchema } from '../../contract/table.ts';
import { absentOrNull } from '../../contract/values.ts';
import {
  viewpointDetailsSchema,
  viewpointSchema,
  viewpointVisibilitySchema,
} from '../../contract/viewpoint.ts';
import { environmentSchema, projectSettingsSchema } from '../../project/settings/projectSettings.ts';
import { type SchemaDocumentKind, createDocumentSchema, toListNotes } from './documents.ts';
import type { JsonSchema } from './note.ts';
import {
  environmentNotes,
  projectCustomDataNotes,
  projectDatamodelNotes,
  projectDatasetNotes,
  projectRelationNotes,
  projectRuleNotes,
  projectTableNotes,
  projectViewpointNotes,
  settingsNotes,
} from './notes/project.ts';

/** SQL has a file of its own (decisions.md, "Projects"). */
const fileReference = z.looseObject({ $file: z.string() });

/** A name, or the number of a party without one. */
const partyReference = z.union([z.string(), z.strictObject({ bound: z.int() })]);

const columnReference = z.looseObject({
  $ref: z.looseObject({ table: z.string(), column: z.string() }),
});

const projectTable = tableSchema.omit({ oid: true }).extend({
  dataset: z.string(),
  expression: absentOrNull(fileReference),
  columns: z.array(columnSchema.omit({ oid: true }).extend({ expression: absentOrNull(fileReference) })),
  buildBehavior: absentOrNull(
    buildBehaviorSchema.extend({
      accumulativeConfig: absentOrNull(z.looseObject({ column: absentOrNull(columnReference) })),
    }),
  ),
});

const projectRules = z.array(
  extractRuleSchema.omit({ _id: true, server: true, elasticube: true }).extend({
    cubeSet: absentOrNull(z.string()),
    shares: absentOrNull(
      z.array(z.looseObject({ type: shareSchema.shape.type, party: absentOrNull(partyReference) })),
    ),
  }),
);

const projectViewpoint = viewpointSchema.pick({ name: true, description: true, enabled: true }).extend({
  visibility: absentOrNull(
    viewpointVisibilitySchema.extend({
      groups: absentOrNull(z.array(partyReference)),
      users: absentOrNull(z.array(partyReference)),
    }),
  ),
  details: absentOrNull(
    z.looseObject({
      datasource: absentOrNull(
        z.looseObject({ title: absentOrNull(z.string()), modelType: absentOrNull(z.string()) }),
      ),
      columns: viewpointDetailsSchema.shape.columns,
    }),
  ),
});

/** The files of a project: where they are, and what their schemas are generated from. */
export interface ProjectSchemaKind extends SchemaDocumentKind {
  /** The patterns of the files, as in the manifest. */
  readonly fileMatch: readonly string[];
}

/** The folder of a datamodel. Files elsewhere may be copies of documents on a server, which have other schemas. */
const datamodelFolder = '**/datamodels/*';

export const projectSchemaKinds: readonly ProjectSchemaKind[] = [
  {
    suffix: 'project-settings',
    fileMatch: ['datamodel-studio.json'],
    contract: projectSettingsSchema,
    notes: settingsNotes,
    required: ['version'],
  },
  {
    suffix: 'project-datamodel',
    fileMatch: [`${datamodelFolder}/*.datamodel.json`],
    contract: datamodelSchema.pick({ title: true, type: true }),
    notes: projectDatamodelNotes,
    required: ['title'],
  },
  {
    suffix: 'project-dataset',
    fileMatch: [`${datamodelFolder}/datasets/*.dataset.json`],
    contract: datasetSchema.pick({ name: true, type: true, connection: true }),
    notes: projectDatasetNotes,
    required: ['name'],
  },
  {
    suffix: 'project-table',
    fileMatch: [`${datamodelFolder}/tables/*.table.json`],
    contract: projectTable,
    notes: projectTableNotes,
    required: [
      'dataset',
      'name',
      'columns',
      'columns[].name',
      ...getTableAndColumnPaths('expression', '$file'),
    ],
  },
  {
    suffix: 'project-relation',
    fileMatch: [`${datamodelFolder}/relations/*.relation.json`],
    contract: z.looseObject({
      columns: z.array(z.looseObject({ table: z.string(), column: z.string() })).min(minRelationColumns),
    }),
    notes: projectRelationNotes,
    required: ['columns', 'columns[].table', 'columns[].column'],
  },
  {
    suffix: 'project-rules',
    fileMatch: [`${datamodelFolder}/rules/*.rules.json`, '**/cube-sets/*/rules/*.rules.json'],
    contract: projectRules,
    notes: toListNotes('The data security rules on a column.', projectRuleNotes),
    required: ['[].table', '[].column', '[].datatype', '[].shares[].type'],
  },
  {
    suffix: 'project-viewpoint',
    fileMatch: ['**/viewpoints/*.viewpoint.json'],
    contract: projectViewpoint,
    notes: projectViewpointNotes,
    required: ['name'],
  },
  {
    suffix: 'project-custom-data',
    fileMatch: ['**/custom-data/*.custom-data.json'],
    contract: z.looseObject({ name: z.string(), content: z.looseObject({}) }),
    notes: projectCustomDataNotes,
    required: ['name', 'content'],
  },
];

/** Returns the paths of a required member: in the tables, and in their columns. */
function getTableAndColumnPaths(owner: string, member: string): readonly string[] {
  return [`${owner}.${member}`, `columns[].${owner}.${member}`];
}

/**
 * The schema of `environments/*.json`. Files of other tools have such paths, too: only an address and a role together
 * make a file an environment.
 */
export const environmentSchemaKind: ProjectSchemaKind = {
  suffix: 'project-environment',
  fileMatch: ['**/environments/*.json', '!**/environments/*.lock.json'],
  contract: environmentSchema,
  notes: environmentNotes,
  required: ['url'],
};

/** Creates the JSON schema of a kind of file of a project. Comments are allowed in all of them. */
export function createProjectSchema(kind: ProjectSchemaKind): JsonSchema {
  const schema = removeReplacedMessages(createDocumentSchema({ ...kind, hasComments: true }));
  return kind === environmentSchemaKind ? limitToEnvironments(schema) : schema;
}

/**
 * Removes the messages about wrong types where the editor's own messages are more helpful: those about a member that is
 * not allowed, and about the only allowed value.
 */
function removeReplacedMessages({ errorMessage, properties, ...others }: JsonSchema): JsonSchema {
  const isReplaced = others['additionalProperties'] === false || others['const'] !== undefined;
  return {
    ...others,
    ...(errorMessage === undefined || isReplaced ? {} : { errorMessage }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, schema]) => [name, removeReplacedMessages(schema)]),
          ),
        }),
  };
}

function limitToEnvironments({ properties = {}, required = [], type, ...others }: JsonSchema): JsonSchema {
  const { additionalProperties, ...descriptions } = others;
  const describe = ({ description, markdownDescription, defaultSnippets }: JsonSchema): JsonSchema => ({
    description,
    markdownDescription,
    ...(defaultSnippets === undefined ? {} : { defaultSnippets }),
  });
  return {
    ...descriptions,
    // These properties are proposed and described in every file with such a path.
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, describe(schema)]),
    ),
    if: { not: { type: 'object', required: ['url', 'role'] } },
    else: { additionalProperties, ...(type === undefined ? {} : { type }), required, properties },
  };
}
