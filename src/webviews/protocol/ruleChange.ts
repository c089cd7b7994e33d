import * as z from 'zod';
import type { AccessChangesView } from './planPage.ts';

/** The access that a rule grants, with only the first of its values. */
export interface GrantSummary {
  readonly kind: 'only' | 'except' | 'everything' | 'nothing' | 'unclear';
  readonly values: readonly string[];
  /** The number of further values. */
  readonly moreCount: number;
}

/** A change to the rules of one party on one column. */
export interface ChangeSummary {
  readonly kind: 'add' | 'change' | 'delete';
  readonly column: string;
  readonly party: { readonly type: 'user' | 'group' | 'default'; readonly name: string };
  readonly before: readonly GrantSummary[];
  readonly after: readonly GrantSummary[];
}

/** Counts the changes of each kind. */
export function countChanges(
  changes: readonly ChangeSummary[],
): Readonly<Record<ChangeSummary['kind'], number>> {
  const counts = { add: 0, change: 0, delete: 0 };
  for (const { kind } of changes) {
    counts[kind] += 1;
  }
  return counts;
}

export interface ChangeProblemView {
  readonly severity: 'error' | 'warning';
  readonly text: string;
  /** Set if a column loses its protection: shown in red, though it does not prevent the change. */
  readonly losesProtection?: true;
  /** Set if the problem has a location in the text of the imported table (CSV), which can be opened. */
  readonly hasLocation?: true;
  /** The correction that the page offers: the new text at the location. */
  readonly fix?: string;
}

/** The mapping of a source column with rules to a column of the target datamodel. */
export interface ColumnMappingView {
  readonly key: string;
  readonly sourceColumn: string;
  /** The name of the target column; empty if the column is not mapped. */
  readonly targetColumn: string;
  readonly ruleCount: number;
  /** How the target was found: by the same name, by the name in another letter case, or selected by the user. */
  readonly matchedBy?: 'name' | 'case' | 'user' | undefined;
}

/** The content of the page that shows a change of rules before it is applied. */
export interface ChangeView {
  readonly title: string;
  /** The name of the file or datamodel that the rules come from. */
  readonly source: string;
  /** Which existing rules are replaced: all, those on the listed columns, or none. */
  readonly mode: 'all' | 'columns' | 'add';
  readonly changes: readonly ChangeSummary[];
  /** Who gains and who loses access; absent if nothing changes, or if that is not known. */
  readonly access?: AccessChangesView;
  readonly unchangedCount: number;
  readonly problems: readonly ChangeProblemView[];
  /** Groups that are named in the source, with the IDs that the server reports for these names. */
  readonly foundGroups: readonly { readonly name: string; readonly id: string }[];
  /**
   * The number of rules to delete or replace, and the total number of writes, each of which may need several requests.
   */
  readonly writeCounts: { readonly delete: number; readonly total: number };
  /** The mapping of columns; absent if the rules come from a file. */
  readonly mapping?: readonly ColumnMappingView[];
  /**
   * The number of rules that exclude values although the target does not support it; absent if there are none.
   * `isRewritten` is true if these rules are rewritten to list all other values that occur in rules on the column.
   */
  readonly exclusionRules?: { readonly count: number; readonly isRewritten: boolean };
}

/** Returns whether none of the source's columns is mapped, so that there is nothing to copy. */
export const hasNoMappedColumn = ({ mapping = [] }: Pick<ChangeView, 'mapping'>): boolean =>
  mapping.length > 0 && mapping.every(({ targetColumn }) => targetColumn === '');

/** The result of applying the change. */
export interface ChangeResultView {
  readonly state: 'done' | 'stopped';
  readonly text: string;
  readonly problem?: string;
  readonly canResume: boolean;
  readonly canUndo: boolean;
}

/** Messages from the host to the page of a change of rules. */
export type ToRuleChange =
  | { readonly type: 'loading'; readonly text: string }
  | { readonly type: 'view'; readonly view: ChangeView; readonly note?: string }
  | { readonly type: 'running'; readonly done: number; readonly total: number; readonly waitText?: string }
  | { readonly type: 'ended'; readonly result: ChangeResultView }
  | { readonly type: 'failed'; readonly message: string };

/** Messages from the page of a change of rules to the host. */
export const fromRuleChangeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('reload') }),
  z.object({ type: z.literal('mode'), mode: z.enum(['all', 'columns', 'add']) }),
  /** Opens a quick pick for the target column in VS Code: a list in the page would be too long. */
  z.object({ type: z.literal('map'), key: z.string() }),
  z.object({ type: z.literal('rewrite'), rewritesExclusions: z.boolean() }),
  /** Shows a problem, by its number, in the text of the table. */
  z.object({ type: z.literal('showProblem'), problem: z.int().nonnegative() }),
  /** Corrects the text of the table, and compares again. */
  z.object({ type: z.literal('fixProblem'), problem: z.int().nonnegative() }),
  z.object({ type: z.literal('apply') }),
  z.object({ type: z.literal('cancel') }),
  z.object({ type: z.literal('resume') }),
  z.object({ type: z.literal('undo') }),
  z.object({ type: z.literal('report') }),
]);
export type FromRuleChange = z.infer<typeof fromRuleChangeSchema>;
