import * as z from 'zod';
import { partyTypes } from '../../contract/terms.ts';
import { type RuleFormEdit, type RuleSetFormEdit, ruleKinds } from './ruleEdit.ts';

const indexSchema = z.int().min(0);
const datatypeSchema = z.enum(['text', 'numeric']);
const partySchema = z.strictObject({
  type: z.enum(partyTypes),
  id: z.string().optional(),
  name: z.string().optional(),
});

const ruleEditSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('column'),
    table: z.string(),
    column: z.string(),
    datatype: datatypeSchema.optional(),
  }),
  z.strictObject({ kind: z.literal('ruleKind'), value: z.enum(ruleKinds) }),
  z.strictObject({ kind: z.literal('members'), values: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('parties'), values: z.array(partySchema) }),
]) satisfies z.ZodType<RuleFormEdit>;

/** Validates an edit received from a webview. */
export const ruleSetEditSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rule'), rule: indexSchema, edit: ruleEditSchema }),
  z.strictObject({
    kind: z.literal('addRule'),
    rule: z.strictObject({
      table: z.string(),
      column: z.string(),
      datatype: datatypeSchema,
      ruleKind: z.enum(ruleKinds),
      members: z.array(z.string()),
      parties: z.array(partySchema),
    }),
  }),
  z.strictObject({ kind: z.literal('removeRules'), rules: z.array(indexSchema) }),
  z.strictObject({ kind: z.literal('splitRule'), rule: indexSchema, party: partySchema }),
  z.strictObject({
    kind: z.literal('cells'),
    cells: z.array(
      z.strictObject({
        party: partySchema,
        column: z.strictObject({ table: z.string(), column: z.string(), datatype: datatypeSchema }),
        value: z.array(z.strictObject({ kind: z.enum(['only', 'except']), values: z.array(z.string()) })),
      }),
    ),
  }),
]) satisfies z.ZodType<RuleSetFormEdit>;
