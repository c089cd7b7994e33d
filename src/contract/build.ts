import * as z from 'zod';
import { isJsonObject, isRawNumber, type JsonObject } from '../base/json.ts';
import { buildTypes, schemaOrigins } from './terms.ts';
import { idSchema, optional } from './values.ts';

export { type BuildType, buildTypes, type SchemaOrigin, schemaOrigins } from './terms.ts';

/**
 * A build task. Only `oid` and `status` are certain (spec, "Build task"); status is null just after POST, and the words
 * are those of platform-facts 1.1, but any word is accepted. The contract (v2.0, BuildOutput) has `buildType`,
 * `datamodelTitle`, `datamodelType`, `created`, `started`, `completed`, `rowLimit`, `source`, `indexSize`, `instanceId`
 * and `schemaLastUpdate` besides, and no error text: see {@link getBuildTaskDetails}.
 */
export const buildTaskSchema = z.looseObject({
  oid: idSchema,
  status: optional(z.string()),
  datamodelId: optional(z.string()),
});
export type BuildTask = z.infer<typeof buildTaskSchema>;

/** Body of POST /builds. `rowLimit` makes a sample build: this many rows per source; 0 and null mean no limit. */
export const newBuildSchema = z.looseObject({
  datamodelId: idSchema,
  buildType: z.enum(buildTypes),
  schemaOrigin: optional(z.enum(schemaOrigins)),
  rowLimit: optional(z.int().min(0)),
});
export type NewBuild = z.input<typeof newBuildSchema>;

/** What a task's status word means. Unknown words and null count as running (design.md, section 11). */
export type BuildPhase = 'running' | 'done' | 'failed' | 'cancelled';

const terminalStatuses: ReadonlyMap<string, BuildPhase> = new Map([
  ['done', 'done'],
  ['failed', 'failed'],
  // Both spellings are in use (platform-facts 1.1).
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
]);

/** The phase behind a status word (platform-facts 1.1), in any letter case. */
export function getBuildPhase(status: string | null | undefined): BuildPhase {
  return terminalStatuses.get(status?.toLowerCase() ?? '') ?? 'running';
}

const getTextField = (value: unknown, name: string): string | undefined => {
  const text =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
};

/** The type of a build in the words of a request: answers have hyphens where requests have underscores (contract). */
export const normalizeBuildType = (word: string): string =>
  buildTypes.find((type) => type === word.toLowerCase().replaceAll('-', '_')) ?? word;

/** What a task says besides its state, where it says it (contract v2.0, BuildOutput). */
export interface BuildTaskDetails {
  readonly title: string | undefined;
  /** As a request spells it where it is a known one, else as it came. */
  readonly buildType: string | undefined;
  /** The rows per source of a sample build. */
  readonly rowLimit: number | undefined;
  /** What began it: `rest`, `nextecm`, `scheduler`, `cli`; any word is shown. */
  readonly source: string | undefined;
  /** How long it took by the server's own clock, in milliseconds: better than ours, which begins when we first looked. */
  readonly durationMs: number | undefined;
}

/** The facts of a task; a field of an unexpected type says nothing. */
export function getBuildTaskDetails(task: BuildTask): BuildTaskDetails {
  const { rowLimit } = task;
  const rows = isRawNumber(rowLimit) ? Number(rowLimit.rawJSON) : rowLimit;
  const buildType = getTextField(task, 'buildType');
  const began = Date.parse(getTextField(task, 'started') ?? getTextField(task, 'created') ?? '');
  const durationMs = Date.parse(getTextField(task, 'completed') ?? '') - began;
  return {
    title: getTextField(task, 'datamodelTitle'),
    buildType: buildType === undefined ? undefined : normalizeBuildType(buildType),
    rowLimit: typeof rows === 'number' && rows > 0 ? rows : undefined,
    source: getTextField(task, 'source'),
    durationMs: Number.isFinite(durationMs) && durationMs >= 0 ? durationMs : undefined,
  };
}

/**
 * Where a task may say why it failed, the likeliest first. Neither the spec nor the contract shows such a field and
 * platform-facts 1.2 knows of none, so the likely spellings are tried.
 */
const reasonFields = ['error', 'errorMessage', 'reason', 'message'] as const;

/** Why a task failed and at which table, where the task tells. */
export function getBuildFailure(task: BuildTask): { readonly reason?: string; readonly table?: string } {
  const error = task['error'];
  const reason = [
    getTextField(error, 'message'),
    ...reasonFields.map((name) => getTextField(task, name)),
  ].find((text) => text !== undefined);
  const table = getTextField(error, 'table');
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(table === undefined ? {} : { table }),
  };
}

/** The task, with the texts in which it may say why it failed as `reword` makes them. */
export function mapFailureTexts(task: JsonObject, reword: (text: string) => string): JsonObject {
  const error = task['error'];
  const reworded = (from: JsonObject, names: readonly string[]): JsonObject =>
    Object.fromEntries(
      names.flatMap((name) => {
        const text = getTextField(from, name);
        return text === undefined ? [] : [[name, reword(text)]];
      }),
    );
  return {
    ...task,
    ...reworded(task, reasonFields),
    ...(isJsonObject(error) ? { error: { ...error, ...reworded(error, ['message']) } } : {}),
  };
}

/**
 * What went wrong although the status was a success: the cancellation of a task answers `{status, statusCode, error}`
 * (contract v2.0, BuildServiceResponseVoid), of which only the status OK, or none, is one.
 * @returns the words and the status behind it; `undefined` where nothing went wrong, and for any other body
 */
export function findProblemInAnswer(
  body: unknown,
): { readonly words: string; readonly status: number } | undefined {
  if (!isJsonObject(body) || body['oid'] !== undefined) {
    // What has an identity is the task itself, whose own error is no failure of this request.
    return undefined;
  }
  const error = getTextField(body, 'error');
  const status = getTextField(body, 'status');
  const code = body['statusCode'];
  const refusal = typeof code === 'number' && code >= 400 ? code : undefined;
  // Its codes are in capitals with underscores; a status in small letters is that of the task.
  const isFailure = status !== undefined && /^[A-Z\d]+(_[A-Z\d]+)+$/.test(status);
  if (error === undefined && refusal === undefined && !isFailure) {
    return undefined;
  }
  const known = refusal !== undefined && refusal < 600 ? refusal : 400;
  return { words: error ?? status ?? String(refusal), status: known };
}
