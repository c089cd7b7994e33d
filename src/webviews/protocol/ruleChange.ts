import * as z from 'zod';

/** What a rule lets see, short enough for a line: not all of a thousand values. */
export interface GrantSummary {
  readonly kind: 'only' | 'except' | 'everything' | 'nothing' | 'unclear';
  readonly values: readonly string[];
  /** How many values there are beyond those. */
  readonly more: number;
}

/** What a change does for one party on one column. */
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

/** A column with rules, and the column of the target that stands for it. */
export interface ColumnMappingView {
  readonly key: string;
  readonly from: string;
  /** What the column is called; empty where the rules go nowhere. */
  readonly to: string;
  readonly rules: number;
  readonly by?: 'name' | 'case' | 'person' | undefined;
}

/** A change of rules before it is made. */
export interface ChangeView {
  readonly title: string;
  readonly from: string;
  readonly scope: 'all' | 'columns' | 'add';
  readonly changes: readonly ChangeSummary[];
  readonly unchanged: number;
  readonly problems: readonly ChangeProblemView[];
  /** Names that stood in the source, and the groups that the server knows by them. */
  readonly found: readonly { readonly name: string; readonly id: string }[];
  /** What would be sent. */
  readonly requests: { readonly add: number; readonly delete: number };
  /** Where rules of other columns come from; absent for a file. */
  readonly mapping?: readonly ColumnMappingView[];
  /** Rules that hide values, which the target cannot; with the choice to list the others instead. */
  readonly blocks?: { readonly rules: number; readonly isRewritten: boolean };
}

/** How the change went. */
export interface ChangeResultView {
  readonly state: 'done' | 'stopped' | 'taken-back';
  readonly text: string;
  readonly problem?: string;
  /** It can be gone on with. */
  readonly canResume: boolean;
  /** It can be taken back. */
  readonly canUndo: boolean;
}

/** What the host says to the page of a change of rules. */
export type ToRuleChange =
  | { readonly type: 'loading'; readonly text: string }
  | { readonly type: 'view'; readonly view: ChangeView; readonly note?: string }
  | { readonly type: 'running'; readonly done: number; readonly total: number; readonly waitMs?: number }
  | { readonly type: 'ended'; readonly end: ChangeResultView }
  | { readonly type: 'failed'; readonly message: string };

/** What the page says to its host. */
export const fromRuleChangeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('reload') }),
  z.object({ type: z.literal('scope'), scope: z.enum(['all', 'columns', 'add']) }),
  /** Lets the person choose the column that stands for one, in the editor: a datamodel can have 20,000. */
  z.object({ type: z.literal('map'), key: z.string() }),
  z.object({ type: z.literal('rewrite'), isWanted: z.boolean() }),
  z.object({ type: z.literal('apply') }),
  z.object({ type: z.literal('cancel') }),
  z.object({ type: z.literal('resume') }),
  z.object({ type: z.literal('undo') }),
  z.object({ type: z.literal('report') }),
]);
export type FromRuleChange = z.infer<typeof fromRuleChangeSchema>;
