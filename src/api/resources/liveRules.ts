import type { PathParams } from '../../contract/endpoints.ts';
import { type LiveRule, liveRuleSchema } from '../../contract/rule.ts';
import type { Answer } from '../answer.ts';
import type { WriteDocument } from '../payloads/document.ts';
import { newLiveRulePayload, rulesPayload } from '../payloads/rulePayload.ts';
import { readDone, readList, readWrittenList } from '../reading.ts';
import type { Send } from '../send.ts';

/** Data security of live datamodels, API version 1.0 (spec). A live rule cannot be updated, only made anew. */
export class LiveRulesResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list(path: PathParams<'liveRules.list'>, signal?: AbortSignal): Promise<Answer<readonly LiveRule[]>> {
    return readList(await this.#send('liveRules.list', path, { signal }), liveRuleSchema);
  }

  /** Adds rules to the live datamodel of that title. */
  async create(
    path: PathParams<'liveRules.create'>,
    rules: readonly WriteDocument[],
    signal?: AbortSignal,
  ): Promise<Answer<readonly LiveRule[] | undefined>> {
    const body = () => rulesPayload(rules, (rule, at) => newLiveRulePayload(rule, path.title, at));
    return readWrittenList(
      await this.#send('liveRules.create', path, { body, signal }),
      liveRuleSchema,
      '_id',
    );
  }

  async delete(path: PathParams<'liveRules.delete'>, signal?: AbortSignal): Promise<Answer<undefined>> {
    return readDone(await this.#send('liveRules.delete', path, { signal }));
  }

  /** Deletes all rules of one column. */
  async deleteByColumn(
    path: PathParams<'liveRules.deleteByColumn'>,
    signal?: AbortSignal,
  ): Promise<Answer<undefined>> {
    return readDone(await this.#send('liveRules.deleteByColumn', path, { signal }));
  }
}
