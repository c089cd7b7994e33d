import * as z from 'zod';
import { id, optional } from './values.ts';

/** full: whole model; by_table: per-table settings; schema_changes: modified parts; publish: live models (spec). */
export const buildTypes = ['full', 'by_table', 'schema_changes', 'publish'] as const;
export type BuildType = (typeof buildTypes)[number];

/** latest: all changes since the last build; running: the last successfully built schema (spec, POST /builds). */
export const schemaOrigins = ['latest', 'running'] as const;
export type SchemaOrigin = (typeof schemaOrigins)[number];

/**
 * A build task. Only `oid` and `status` are known of it (spec, "Build task"); status is null just after POST, and
 * the words are those of platform-facts 1.1, but any word is accepted.
 */
export const buildTaskSchema = z.looseObject({
  oid: id,
  status: optional(z.string()),
  datamodelId: optional(z.string()),
});
export type BuildTask = z.infer<typeof buildTaskSchema>;

/** Body of POST /builds. `rowLimit` makes a sample build: this many rows per source; 0 and null mean no limit. */
export const newBuildSchema = z.looseObject({
  datamodelId: id,
  buildType: z.enum(buildTypes),
  schemaOrigin: optional(z.enum(schemaOrigins)),
  rowLimit: optional(z.int().min(0)),
});
export type NewBuild = z.input<typeof newBuildSchema>;

/** What a task's status word means. Unknown words and null count as running (design.md, section 11). */
export type BuildPhase = 'running' | 'done' | 'failed' | 'cancelled';

const terminalWords: ReadonlyMap<string, BuildPhase> = new Map([
  ['done', 'done'],
  ['failed', 'failed'],
  // Both spellings are in use (platform-facts 1.1).
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
]);

/** The phase behind a status word (platform-facts 1.1), in any letter case. */
export function buildPhase(status: string | null | undefined): BuildPhase {
  return terminalWords.get(status?.toLowerCase() ?? '') ?? 'running';
}

const textField = (value: unknown, name: string): string | undefined => {
  const text =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
};

/**
 * Why a task failed and at which table, where the task tells. The spec shows no such field and platform-facts 1.2
 * knows of none, so the likely spellings are tried.
 */
export function buildFailure(task: BuildTask): { readonly reason?: string; readonly table?: string } {
  const error = task['error'];
  const reason =
    (typeof error === 'string' ? error : textField(error, 'message')) ??
    textField(task, 'errorMessage') ??
    textField(task, 'message');
  const table = textField(error, 'table');
  return { ...(reason === undefined ? {} : { reason }), ...(table === undefined ? {} : { table }) };
}

/**
 * How long a task took by the server's own clock. The spec shows no times on a task; where an instance sends them under
 * these likely names, they are better than ours, which begin when we first looked.
 */
export function buildTimes(task: BuildTask): { readonly durationMs: number | undefined } {
  const started = Date.parse(textField(task, 'started') ?? '');
  const completed = Date.parse(textField(task, 'completed') ?? '');
  const durationMs = completed - started;
  return { durationMs: Number.isFinite(durationMs) && durationMs >= 0 ? durationMs : undefined };
}
