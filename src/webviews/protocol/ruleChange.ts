import * as z from 'zod';

/** A grant on one line: not all of a thousand values. */
export interface GrantSummary {
  readonly kind: 'only' | 'except' | 'everything' | 'nothing' | 'unclear';
  readonly values: readonly string[];
  /** The number of further values. */
  readonly more: number;
}

/** The effect of a change on one party and one column. */
export interface ChangeSummary {
  readonly kind: 'add' | 'change' | 'delete';
  readonly column: string;
  readonly party: { readonly type: 'user' | 'group' | 'default'; readonly name: string };
  readonly before: readonly GrantSummary[];
  readonly after: readonly GrantSummary[];
}

export interface ChangeProblemView {
  readonly severity: 'error' | 'warning';
  readonly text: string;
}

/** A column with rules, and the column of the target that it is mapped to. */
export interface ColumnMappingView {
  readonly key: string;
  readonly from: string;
  /** The name of the column; empty if the rules are not mapped. */
  readonly to: string;
  readonly rules: number;
  readonly by?: 'name' | 'case' | 'person' | undefined;
}

/** A change of rules to review. */
export interface ChangeView {
  readonly title: string;
  readonly from: string;
  readonly scope: 'all' | 'columns' | 'add';
  readonly changes: readonly ChangeSummary[];
  readonly unchanged: number;
  readonly problems: readonly ChangeProblemView[];
  /** Names in the source, and the groups that the server knows by them. */
  readonly found: readonly { readonly name: string; readonly id: string }[];
  /** The number of requests to send. */
  readonly requests: { readonly add: number; readonly delete: number };
  /** The source columns of the rules; absent for a file. */
  readonly mapping?: readonly ColumnMappingView[];
  /** Rules that hide values, which the target cannot; with the option to list the others instead. */
  readonly blocks?: { readonly rules: number; readonly isRewritten: boolean };
}

/** The result of the change. */
export interface ChangeResultView {
  readonly state: 'done' | 'stopped' | 'taken-back';
  readonly text: string;
  readonly problem?: string;
  /** It can be resumed. */
  readonly canResume: boolean;
  /** It can be undone. */
  readonly canUndo: boolean;
}

/** Messages from the host to the page of a change of rules. */
export type ToRuleChange =
  | { readonly type: 'loading'; readonly text: string }
  | { readonly type: 'view'; readonly view: ChangeView; readonly note?: string }
  | { readonly type: 'running'; readonly done: number; readonly total: number; readonly waitMs?: number }
  | { readonly type: 'ended'; readonly end: ChangeResultView }
  | { readonly type: 'failed'; readonly message: string };

/** Messages from the page to its host. */
export const fromRuleChangeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('reload') }),
  z.object({ type: z.literal('scope'), scope: z.enum(['all', 'columns', 'add']) }),
  /** Lets the user select the mapped column in the editor: a datamodel can have 20,000. */
  z.object({ type: z.literal('map'), key: z.string() }),
  z.object({ type: z.literal('rewrite'), isWanted: z.boolean() }),
  z.object({ type: z.literal('apply') }),
  z.object({ type: z.literal('cancel') }),
  z.object({ type: z.literal('resume') }),
  z.object({ type: z.literal('undo') }),
  z.object({ type: z.literal('report') }),
]);
export type FromRuleChange = z.infer<typeof fromRuleChangeSchema>;
