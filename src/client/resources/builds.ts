import type { EndpointLabels } from '../endpointMethods.ts';
import * as z from 'zod';
import { isJsonObject } from '../../base/json.ts';
import {
  type BuildTask,
  buildTaskSchema,
  type NewBuild,
  findProblemInAnswer,
  mapFailureTexts,
} from '../../contract/build.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import type { Answer } from '../answer.ts';
import { AbsentError, HttpError } from '../errors.ts';
import type { WriteDocument } from '../payloads/writeDocument.ts';
import { getAnswerId, parseAnswerJson, readAnyJson, readEmptyAnswer, readList, readOne } from '../reading.ts';
import type { RawAnswer, Send } from '../send.ts';

/** Filters of the list (platform-facts.md, 1.2). */
export interface BuildQuery {
  readonly datamodelId?: string;
  /** A status, as in the tasks. */
  readonly status?: string;
}

/**
 * A task, whose oid may be in `id` or `_id` just after the start (platform-facts.md, 1.2).
 * @param reword transforms the texts that may contain the reason of a failure
 */
const taskSchema = (reword?: (text: string) => string): z.ZodType<BuildTask> =>
  z.preprocess((value) => {
    if (!isJsonObject(value)) {
      return value;
    }
    const id = getAnswerId(value);
    const task = reword === undefined ? value : mapFailureTexts(value, reword);
    return { ...task, ...(id === undefined ? {} : { oid: id }) };
  }, buildTaskSchema);

const plainTaskSchema = taskSchema();

/** Matches the names of the fields that may contain the reason of a failure, which JSON may also write with escapes. */
const maySayWhy = /error|reason|message|\\u/i;

/**
 * The schema for the tasks of a response. The reason of a failure may repeat connection settings of a source: secrets
 * in it are masked here. The code that masks them is loaded only for a response that may contain a reason.
 */
async function schemaFor({ text }: RawAnswer): Promise<z.ZodType<BuildTask>> {
  return maySayWhy.test(text) ? taskSchema(await loadMask()) : plainTaskSchema;
}

/** Loads the code that masks secrets. A write does so before it is sent: if loading fails, no response is lost. */
const loadMask = async (): Promise<(text: string) => string> =>
  (await import('../../base/secrets/maskSecrets.ts')).maskText;

/** Build tasks (rest-api.md, "Build API"). */
export class BuildsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list(query: BuildQuery = {}, signal?: AbortSignal): Promise<Answer<readonly BuildTask[]>> {
    const { datamodelId, status } = query;
    const raw = await this.#send('builds.list', {}, { query: { datamodelId, status }, signal });
    return readList(raw, await schemaFor(raw));
  }

  /** All tasks, for polling: a single request that is never retried. */
  async poll(signal?: AbortSignal): Promise<Answer<readonly BuildTask[]>> {
    const raw = await this.#send('builds.list', {}, { signal, once: true });
    return readList(raw, await schemaFor(raw));
  }

  /**
   * Starts a build or a publish. The response carries the oid of the task and means only that it was accepted: failures
   * appear later in its status (rest-api.md, "Errors" 3).
   */
  async start(build: NewBuild | WriteDocument, signal?: AbortSignal): Promise<Answer<BuildTask>> {
    const { newBuildPayload } = await import('../payloads/buildPayload.ts');
    const body = () => newBuildPayload(build);
    const schema = taskSchema(await loadMask());
    return readOne(await this.#send('builds.start', {}, { body, signal }), schema);
  }

  /** Cancels all build tasks of one datamodel, which the query names (platform-facts.md, 1.2). */
  async cancelAll(
    { datamodelId }: { readonly datamodelId: string },
    signal?: AbortSignal,
  ): Promise<Answer<undefined>> {
    const { requireText } = await import('../payloads/writeDocument.ts');
    const query = () => ({ datamodelId: requireText(datamodelId, ['datamodelId']) });
    const mask = await loadMask();
    return readCancelled(await this.#send('builds.cancelAll', {}, { query, signal }), mask);
  }

  /**
   * One task. In the first seconds after a start the response may be 400 or 404 (platform-facts.md, 1.2). The contract
   * (platform-facts.md, "BuildInfoListDTO") returns it in a list `builds`.
   */
  async get(path: PathParams<'builds.get'>, signal?: AbortSignal): Promise<Answer<BuildTask>> {
    const raw = await this.#send('builds.get', path, { signal });
    const json = parseAnswerJson(raw);
    if (!isJsonObject(json) || !Array.isArray(json['builds']) || getAnswerId(json) !== undefined) {
      return readOne(raw, await schemaFor(raw));
    }
    const list = readList(raw, await schemaFor(raw));
    const task = list.value.find(({ oid }) => oid === path.buildId);
    if (task === undefined) {
      throw new AbsentError(raw.operation, raw.status);
    }
    return { ...list, value: task };
  }

  /**
   * Cancels one task: 204, or a success that may contain an error (platform-facts.md, "BuildServiceResponseVoid").
   * @throws HttpError for that error as well
   */
  async cancel(path: PathParams<'builds.cancel'>, signal?: AbortSignal): Promise<Answer<undefined>> {
    const mask = await loadMask();
    return readCancelled(await this.#send('builds.cancel', path, { signal }), mask);
  }
}

function readCancelled(raw: RawAnswer, mask: (text: string) => string): Answer<undefined> {
  const done = readEmptyAnswer(raw);
  const problem = findProblemInAnswer(readAnyJson(raw).value);
  if (problem !== undefined) {
    const { status } = problem;
    const words = mask(problem.words);
    throw new HttpError(raw.operation, { status, words, problem: words });
  }
  return done;
}

export const buildLabels: EndpointLabels<'builds'> = {
  'builds.list': (t) => t('Looking at the builds'),
  'builds.start': (t) => t('Starting the build'),
  'builds.cancelAll': (t) => t('Cancelling the builds'),
  'builds.get': (t) => t('Looking at the build'),
  'builds.cancel': (t) => t('Cancelling the build'),
};
