import * as z from 'zod';
import {
  customDataFileSchema,
  datamodelFileSchema,
  datasetFileSchema,
  relationFileSchema,
  ruleFileSchema,
  tableFileSchema,
  viewpointFileSchema,
} from '../../project/files/fileSchemas.ts';
import { environmentSchema, projectSettingsSchema } from '../../project/settings/projectSettings.ts';
import { type SchemaDocumentKind, createDocumentSchema, toListNotes } from './documents.ts';
import type { JsonSchema } from './note.ts';
import { toPlainSchema } from './plainSchema.ts';
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
    contract: datamodelFileSchema,
    notes: projectDatamodelNotes,
    required: ['title'],
  },
  {
    suffix: 'project-dataset',
    fileMatch: [`${datamodelFolder}/datasets/*.dataset.json`],
    contract: datasetFileSchema,
    notes: projectDatasetNotes,
    required: ['name'],
  },
  {
    suffix: 'project-table',
    fileMatch: [`${datamodelFolder}/tables/*.table.json`],
    contract: tableFileSchema,
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
    contract: relationFileSchema,
    notes: projectRelationNotes,
    required: ['columns', 'columns[].table', 'columns[].column'],
  },
  {
    suffix: 'project-rules',
    fileMatch: [`${datamodelFolder}/rules/*.rules.json`, '**/cube-sets/*/rules/*.rules.json'],
    contract: z.array(ruleFileSchema),
    notes: toListNotes('The data security rules on a column.', projectRuleNotes),
    required: ['[].table', '[].column', '[].datatype', '[].shares[].type'],
  },
  {
    suffix: 'project-viewpoint',
    fileMatch: ['**/viewpoints/*.viewpoint.json'],
    contract: viewpointFileSchema,
    notes: projectViewpointNotes,
    required: ['name'],
  },
  {
    suffix: 'project-custom-data',
    fileMatch: ['**/custom-data/*.custom-data.json'],
    contract: customDataFileSchema,
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

const suffixStart = 'project-';

/** Returns the schemas of all files of a project, for other programs than VS Code, by the kinds of the files. */
export const createPortableProjectSchemas = (): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    [...projectSchemaKinds, environmentSchemaKind].map((kind) => [
      kind.suffix.slice(suffixStart.length),
      toPlainSchema(createProjectSchema(kind)),
    ]),
  );

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
