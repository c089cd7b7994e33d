import * as z from 'zod';

/** A finding of a cause, such as a rule or a table, which can be opened. */
export interface AuditPlaceView {
  readonly name: string;
  readonly detail?: string;
}

/** Findings that have the same cause, such as a column that doesn't exist. The texts are localized by the host. */
export interface AuditCauseView {
  readonly key: string;
  readonly severity: 'error' | 'warning' | 'information';
  readonly title: string;
  readonly explanation?: string;
  /** The datamodel or cube set; absent if the cause concerns several. */
  readonly subject?: string;
  /** The first places; `placeCount` is the number of all places. */
  readonly places: readonly AuditPlaceView[];
  readonly placeCount: number;
}

/** Findings that were accepted together. */
export interface AcceptedFindingsView {
  readonly key: string;
  readonly title: string;
  readonly subject: string;
  readonly placeCount: number;
  readonly reason: string;
  readonly author: string;
  readonly date: string;
}

/** The content of the Security page. */
export interface AuditView {
  readonly title: string;
  /** A sentence below the title. */
  readonly summary: string;
  /** What could not be read: one message for each problem. */
  readonly problems: readonly string[];
  /** Why the baseline file can't be read. No finding then counts as accepted, and none can be accepted. */
  readonly baselineProblem?: string;
  /** The path of the baseline file in the workspace; absent if there is none. */
  readonly baselineFile?: string;
  /** The first causes, sorted by severity; `causeCount` is the number of all causes. */
  readonly causes: readonly AuditCauseView[];
  readonly causeCount: number;
  readonly accepted: readonly AcceptedFindingsView[];
  /** The number of accepted findings, in all entries. */
  readonly acceptedCount: number;
  /** The number of accepted findings that were not found again. */
  readonly resolvedCount: number;
}

/** Messages from the host to the Security page. */
export type ToAudit = { readonly type: 'view'; readonly view: AuditView };

/** Messages from the Security page to the host. Causes and accepted findings are identified by their keys. */
export const fromAuditSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('check') }),
  z.object({ type: z.literal('report') }),
  z.object({ type: z.literal('open'), cause: z.string(), place: z.int().nonnegative() }),
  z.object({ type: z.literal('ignore'), cause: z.string() }),
  z.object({ type: z.literal('acceptAll') }),
  z.object({ type: z.literal('stopIgnoring'), accepted: z.string() }),
  z.object({ type: z.literal('removeResolved') }),
  z.object({ type: z.literal('openBaseline') }),
]);
export type FromAudit = z.infer<typeof fromAuditSchema>;
