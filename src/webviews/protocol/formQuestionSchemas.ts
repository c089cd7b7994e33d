import * as z from 'zod';
import type { RuleQuestion, ViewpointQuestion } from './formQuestions.ts';

const indexSchema = z.int().min(0);

export const viewpointQuestionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('datamodel') }),
  z.object({ kind: z.literal('columns'), insertIndex: indexSchema }),
  z.object({ kind: z.literal('share'), list: z.enum(['apps', 'groups', 'users']) }),
]) satisfies z.ZodType<ViewpointQuestion>;

export const ruleQuestionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('datamodel') }),
  z.object({ kind: z.literal('column'), rule: indexSchema }),
  z.object({ kind: z.literal('parties'), rule: indexSchema }),
  z.object({ kind: z.literal('newRule') }),
]) satisfies z.ZodType<RuleQuestion>;
