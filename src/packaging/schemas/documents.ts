import * as z from 'zod';
import { customDataObjectSchema } from '../../contract/customData.ts';
import { datamodelSchema, datasetSchema, relationSchema } from '../../contract/datamodel.ts';
import { extractRuleSchema, liveRuleSchema } from '../../contract/rule.ts';
import { tableSchema } from '../../contract/table.ts';
import { viewpointSchema } from '../../contract/viewpoint.ts';
import { baselineSchema } from '../../security/audit/baselineFile.ts';
import { createJsonSchema } from './jsonSchema.ts';
import type { JsonSchema, SchemaNotes } from './note.ts';
import {
  customDataNotes,
  datamodelNotes,
  datasetNotes,
  relationNotes,
  tableNotes,
} from './notes/datamodel.ts';
import { baselineNotes } from './notes/baseline.ts';
import { ruleNotes } from './notes/rule.ts';
import { viewpointNotes } from './notes/viewpoint.ts';

/**
 * A kind of document: the suffix of its files (decisions.md, "Names and file suffixes"), and what its schema is
 * generated from.
 */
export interface SchemaDocumentKind {
  readonly suffix: string;
  readonly contract: z.ZodType;
  readonly notes: SchemaNotes;
  /** Paths that every document of the kind must have. */
  readonly required?: readonly string[];
  /** True for JSON with comments (decisions.md, "Names and file suffixes"). */
  readonly hasComments?: boolean;
}

/** The fields of extract and live rules combined: a file may contain either. */
const anyRule = z.looseObject({ ...extractRuleSchema.shape, ...liveRuleSchema.shape });

/**
 * The required fields of a rule (rest-api.md, "Data security rule"), without those that our own checks report:
 * `members` and `shares`. `allMembers` may be missing (platform-facts.md, 5.5).
 */
const requiredRulePaths = ['table', 'column', 'datatype', 'shares[].type'];

const requiredBaselinePaths = ['instance', 'datamodel', 'finding', 'places', 'reason', 'author', 'date'].map(
  (name) => `accepted[].${name}`,
);

/** Returns the notes of a list with the notes of its entries. */
export const toListNotes = (description: string, notes: SchemaNotes): SchemaNotes => ({
  '': description,
  ...Object.fromEntries(
    Object.entries(notes).map(([path, note]) => [path === '' ? '[]' : `[].${path}`, note]),
  ),
});

export const schemaDocumentKinds: readonly SchemaDocumentKind[] = [
  { suffix: 'datamodel', contract: datamodelSchema, notes: datamodelNotes },
  { suffix: 'dataset', contract: datasetSchema, notes: datasetNotes },
  { suffix: 'table', contract: tableSchema, notes: tableNotes },
  {
    suffix: 'relation',
    contract: relationSchema,
    notes: relationNotes,
    required: ['columns', 'columns[].dataset', 'columns[].table', 'columns[].column'],
  },
  { suffix: 'rule', contract: anyRule, notes: ruleNotes, required: requiredRulePaths, hasComments: true },
  {
    suffix: 'rules',
    contract: z.array(anyRule),
    notes: toListNotes('The data security rules of a datamodel.', ruleNotes),
    required: requiredRulePaths.map((path) => `[].${path}`),
    hasComments: true,
  },
  { suffix: 'viewpoint', contract: viewpointSchema, notes: viewpointNotes, hasComments: true },
  { suffix: 'custom-data', contract: customDataObjectSchema, notes: customDataNotes },
  {
    suffix: 'security-baseline',
    contract: baselineSchema,
    notes: baselineNotes,
    required: ['version', 'accepted', ...requiredBaselinePaths],
  },
];

/** Creates the JSON schema of a kind of document. */
export function createDocumentSchema({
  contract,
  notes,
  required,
  hasComments = false,
}: SchemaDocumentKind): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    // Keywords of VS Code, since the language of a document on a server does not allow comments.
    ...(hasComments ? { allowComments: true, allowTrailingCommas: true } : {}),
    ...createJsonSchema(contract, notes, required),
  };
}
