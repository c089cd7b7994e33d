import * as z from 'zod';
import { partyTypes } from '../../contract/terms.ts';
import { type RuleEdit, type RuleSetEdit, ruleKinds } from './ruleEdit.ts';

const place = z.int().min(0);
const datatype = z.enum(['text', 'numeric']);
const party = z.strictObject({
  type: z.enum(partyTypes),
  id: z.string().optional(),
  name: z.string().optional(),
});

const ruleEditSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('column'),
    table: z.string(),
    column: z.string(),
    datatype: datatype.optional(),
  }),
  z.strictObject({ kind: z.literal('ruleKind'), value: z.enum(ruleKinds) }),
  z.strictObject({ kind: z.literal('members'), values: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('parties'), values: z.array(party) }),
]) satisfies z.ZodType<RuleEdit>;

/** Reads an edit that comes from elsewhere: the page of a webview. */
export const ruleSetEditSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rule'), rule: place, edit: ruleEditSchema }),
  z.strictObject({
    kind: z.literal('addRule'),
    rule: z.strictObject({
      table: z.string(),
      column: z.string(),
      datatype,
      ruleKind: z.enum(ruleKinds),
      members: z.array(z.string()),
      parties: z.array(party),
    }),
  }),
  z.strictObject({ kind: z.literal('removeRules'), rules: z.array(place) }),
  z.strictObject({ kind: z.literal('splitRule'), rule: place, party }),
]) satisfies z.ZodType<RuleSetEdit>;
