import * as z from 'zod';
import { isJsonObject, isRawNumber, type JsonObject } from '../base/json.ts';
import { parseServerTime } from './serverTime.ts';
import { buildTypes, schemaOrigins } from './terms.ts';
import { idSchema, orAbsent } from './values.ts';

export { type BuildType, buildTypes, type SchemaOrigin, schemaOrigins } from './terms.ts';

/**
 * A build task. The guide describes only `oid` and `status` (rest-api.md, "Build task"); status is null just after
 * POST, and its values are those of platform-facts.md, 1.1, but any text is accepted. The vendor's contract
 * (platform-facts.md, "BuildOutput") also has `buildType`, `datamodelTitle`, `datamodelType`, `created`, `started`,
 * `completed`, `rowLimit`, `source`, `indexSize`, `instanceId` and `schemaLastUpdate`, and no error text: see {@link
 * getBuildTaskDetails}.
 */
export const buildTaskSchema = z.looseObject({
  oid: idSchema,
  status: orAbsent(z.string()),
  datamodelId: orAbsent(z.string()),
});
export type BuildTask = z.infer<typeof buildTaskSchema>;

/** Body of POST /builds. `rowLimit` makes a sample build: this many rows per source; 0 and null mean no limit. */
export const newBuildSchema = z.looseObject({
  datamodelId: idSchema,
  buildType: z.enum(buildTypes),
  schemaOrigin: orAbsent(z.enum(schemaOrigins)),
  rowLimit: orAbsent(z.int().min(0)),
});
export type NewBuild = z.input<typeof newBuildSchema>;

/** The meaning of a task's status. Unknown values and null count as running (decisions.md, "Builds"). */
export type BuildPhase = 'running' | 'done' | 'failed' | 'cancelled';

const terminalStatuses: ReadonlyMap<string, BuildPhase> = new Map([
  ['done', 'done'],
  ['failed', 'failed'],
  // Both spellings are in use (platform-facts.md, 1.1).
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
]);

/** The phase of a status (platform-facts.md, 1.1), ignoring case. */
export function getBuildPhase(status: string | null | undefined): BuildPhase {
  return terminalStatuses.get(status?.toLowerCase() ?? '') ?? 'running';
}

const getTextField = (value: unknown, name: string): string | undefined => {
  const text =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
};

/**
 * The type of a build in the spelling of a request: responses of the vendor's contract have hyphens where requests have
 * underscores (platform-facts.md, "BuildOutput").
 */
export const normalizeBuildType = (buildType: string): string =>
  buildTypes.find((type) => type === buildType.toLowerCase().replaceAll('-', '_')) ?? buildType;

/** The details of a task in addition to its state, if it has them (platform-facts.md, "BuildOutput"). */
export interface BuildTaskDetails {
  readonly title: string | undefined;
  /** In the spelling of requests if it is a known type, otherwise as received. */
  readonly buildType: string | undefined;
  /** The rows per source of a sample build. */
  readonly rowLimit: number | undefined;
  /** The source of the build: `rest`, `nextecm`, `scheduler`, `cli`; other values are shown as received. */
  readonly source: string | undefined;
  /** Duration by the server's own clock, in milliseconds; this machine measures only from its first poll on. */
  readonly durationMs: number | undefined;
  /** When the task started, or was created, by the server's own clock, in milliseconds since the epoch. */
  readonly startedAt: number | undefined;
  /** When the task ended by the server's own clock, in milliseconds since the epoch. */
  readonly completedAt: number | undefined;
}

/** The details of a task; a field of an unexpected type is ignored. */
export function getBuildTaskDetails(task: BuildTask): BuildTaskDetails {
  const { rowLimit } = task;
  const rowLimitNumber = isRawNumber(rowLimit) ? Number(rowLimit.rawJSON) : rowLimit;
  const buildType = getTextField(task, 'buildType');
  const startTime = parseServerTime(getTextField(task, 'started') ?? getTextField(task, 'created'));
  const completedAt = parseServerTime(getTextField(task, 'completed'));
  const durationMs = completedAt - startTime;
  return {
    title: getTextField(task, 'datamodelTitle'),
    buildType: buildType === undefined ? undefined : normalizeBuildType(buildType),
    rowLimit: typeof rowLimitNumber === 'number' && rowLimitNumber > 0 ? rowLimitNumber : undefined,
    source: getTextField(task, 'source'),
    durationMs: Number.isFinite(durationMs) && durationMs >= 0 ? durationMs : undefined,
    startedAt: Number.isFinite(startTime) ? startTime : undefined,
    completedAt: Number.isFinite(completedAt) ? completedAt : undefined,
  };
}

/**
 * Fields that may contain the reason of a failure, the likeliest first. Neither the guide nor the vendor's contract has
 * such a field and platform-facts.md, 1.2 has none, so likely names are tried.
 */
const reasonFields = ['error', 'errorMessage', 'reason', 'message'] as const;

/** Why a task failed and at which table, if the task has it. */
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

/** The task, with the texts that may contain the reason of a failure transformed by `transformText`. */
export function mapFailureTexts(task: JsonObject, transformText: (text: string) => string): JsonObject {
  const error = task['error'];
  const transformFields = (source: JsonObject, names: readonly string[]): JsonObject =>
    Object.fromEntries(
      names.flatMap((name) => {
        const text = getTextField(source, name);
        return text === undefined ? [] : [[name, transformText(text)]];
      }),
    );
  return {
    ...task,
    ...transformFields(task, reasonFields),
    ...(isJsonObject(error) ? { error: { ...error, ...transformFields(error, ['message']) } } : {}),
  };
}

/**
 * Finds a problem in a response with a success status: the cancellation of a task returns `{status, statusCode, error}`
 * (platform-facts.md, "BuildServiceResponseVoid"). It is a problem if it has an error text, a `statusCode` of 400 or
 * more, or a code other than `OK` as its status.
 * @returns the message and the actual status; `undefined` if there is no problem, and for any other body
 */
export function findProblemInResponse(
  body: unknown,
): { readonly message: string; readonly status: number } | undefined {
  if (!isJsonObject(body) || body['oid'] !== undefined) {
    // A body with an ID is the task itself, whose own error is not a failure of this request.
    return undefined;
  }
  const error = getTextField(body, 'error');
  const status = getTextField(body, 'status');
  const code = body['statusCode'];
  const errorStatus = typeof code === 'number' && code >= 400 ? code : undefined;
  // Codes are in capitals; a status in lower case, or that of a canceled task, is the task's own.
  const isErrorCode =
    status !== undefined &&
    status !== 'OK' &&
    /^[A-Z][A-Z\d_]*$/.test(status) &&
    getBuildPhase(status) !== 'cancelled';
  if (error === undefined && errorStatus === undefined && !isErrorCode) {
    return undefined;
  }
  const problemStatus = errorStatus !== undefined && errorStatus < 600 ? errorStatus : 400;
  return { message: error ?? status ?? String(errorStatus), status: problemStatus };
}
