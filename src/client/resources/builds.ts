import type { EndpointLabels } from '../endpointMethods.ts';
import * as z from 'zod';
import { isJsonObject } from '../../base/json.ts';
import {
  type BuildTask,
  buildTaskSchema,
  type NewBuild,
  findProblemInResponse,
  mapFailureTexts,
} from '../../contract/build.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import type { ApiResponse } from '../apiResponse.ts';
import { AbsentError, HttpError } from '../errors.ts';
import type { DocumentToWrite } from '../payloads/documentToWrite.ts';
import {
  getItemId,
  parseResponseJson,
  readAnyJson,
  readIgnoringBody,
  readList,
  readOne,
} from '../reading.ts';
import type { RawResponse, Send } from '../send.ts';

/** Filters of the list (platform-facts.md, 1.2). */
export interface BuildQuery {
  readonly datamodelId?: string;
  /** A status, as in the tasks. */
  readonly status?: string;
}

/**
 * Creates the schema of a task. Its ID may be in `id` or `_id` just after the start (platform-facts.md, 1.2), and is
 * returned as `oid`.
 * @param transformText applied to the texts that may contain the reason of a failure
 */
const createTaskSchema = (transformText?: (text: string) => string): z.ZodType<BuildTask> =>
  z.preprocess((value) => {
    if (!isJsonObject(value)) {
      return value;
    }
    const id = getItemId(value);
    const task = transformText === undefined ? value : mapFailureTexts(value, transformText);
    return { ...task, ...(id === undefined ? {} : { oid: id }) };
  }, buildTaskSchema);

const plainTaskSchema = createTaskSchema();

/** Matches the names of the fields that may contain the reason of a failure, which JSON may also write with escapes. */
const failureFieldPattern = /error|reason|message|\\u/i;

/**
 * The schema for the tasks of a response. The reason of a failure may repeat connection settings of a source: secrets
 * in it are masked here. The code that masks them is loaded only for a response that may contain a reason.
 */
async function getTaskSchema({ text }: RawResponse): Promise<z.ZodType<BuildTask>> {
  return failureFieldPattern.test(text) ? createTaskSchema(await loadMaskText()) : plainTaskSchema;
}

/** Loads the code that masks secrets. A write loads it before it is sent, so that no response is lost if that fails. */
const loadMaskText = async (): Promise<(text: string) => string> =>
  (await import('../../base/secrets/maskSecrets.ts')).maskText;

/** Build tasks (rest-api.md, "Build API"). */
export class BuildsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list(query: BuildQuery = {}, signal?: AbortSignal): Promise<ApiResponse<readonly BuildTask[]>> {
    const { datamodelId, status } = query;
    const raw = await this.#send('builds.list', {}, { query: { datamodelId, status }, signal });
    return readList(raw, await getTaskSchema(raw));
  }

  /** All tasks, for polling: a single request that is never retried. */
  async poll(signal?: AbortSignal): Promise<ApiResponse<readonly BuildTask[]>> {
    const raw = await this.#send('builds.list', {}, { signal, noRetry: true });
    return readList(raw, await getTaskSchema(raw));
  }

  /**
   * Starts a build or a publish. The response contains the oid of the task, and means only that the request was
   * accepted: failures appear later in the status of the task (rest-api.md, "Errors" 3).
   */
  async start(build: NewBuild | DocumentToWrite, signal?: AbortSignal): Promise<ApiResponse<BuildTask>> {
    const { createBuildPayload } = await import('../payloads/buildPayload.ts');
    const createBody = () => createBuildPayload(build);
    const schema = createTaskSchema(await loadMaskText());
    return readOne(await this.#send('builds.start', {}, { createBody, signal }), schema);
  }

  /** Cancels all build tasks of one datamodel, which the query names (platform-facts.md, 1.2). */
  async cancelAll(
    { datamodelId }: { readonly datamodelId: string },
    signal?: AbortSignal,
  ): Promise<ApiResponse<undefined>> {
    const { requireText } = await import('../payloads/documentToWrite.ts');
    const createQuery = () => ({ datamodelId: requireText(datamodelId, ['datamodelId']) });
    const mask = await loadMaskText();
    return readCancellation(await this.#send('builds.cancelAll', {}, { query: createQuery, signal }), mask);
  }

  /**
   * One task. In the first seconds after a start the response may be 400 or 404 (platform-facts.md, 1.2). The vendor's
   * contract (platform-facts.md, "BuildInfoListDTO") returns it in a list `builds`.
   */
  async get(path: PathParams<'builds.get'>, signal?: AbortSignal): Promise<ApiResponse<BuildTask>> {
    const raw = await this.#send('builds.get', path, { signal });
    const json = parseResponseJson(raw);
    if (!isJsonObject(json) || !Array.isArray(json['builds']) || getItemId(json) !== undefined) {
      return readOne(raw, await getTaskSchema(raw));
    }
    const list = readList(raw, await getTaskSchema(raw));
    const task = list.value.find(({ oid }) => oid === path.buildId);
    if (task === undefined) {
      throw new AbsentError(raw.requestInfo, raw.status);
    }
    return { ...list, value: task };
  }

  /**
   * Cancels one task: 204, or a success that may contain an error (platform-facts.md, "BuildServiceResponseVoid").
   * @throws HttpError also for an error in a success
   */
  async cancel(path: PathParams<'builds.cancel'>, signal?: AbortSignal): Promise<ApiResponse<undefined>> {
    const mask = await loadMaskText();
    return readCancellation(await this.#send('builds.cancel', path, { signal }), mask);
  }
}

/**
 * Reads the response of a cancellation. It has no value, but its body may contain an error although the status is a
 * success.
 * @throws HttpError for such an error
 */
function readCancellation(raw: RawResponse, mask: (text: string) => string): ApiResponse<undefined> {
  const response = readIgnoringBody(raw);
  const problem = findProblemInResponse(readAnyJson(raw).value);
  if (problem !== undefined) {
    const { status, message } = problem;
    throw new HttpError(raw.requestInfo, { status, serverMessage: mask(message), hasProblemBody: true });
  }
  return response;
}

export const buildLabels: EndpointLabels<'builds'> = {
  'builds.list': (t) => t('Loading the builds'),
  'builds.start': (t) => t('Starting the build'),
  'builds.cancelAll': (t) => t('Canceling the builds'),
  'builds.get': (t) => t('Loading the build'),
  'builds.cancel': (t) => t('Canceling the build'),
};
