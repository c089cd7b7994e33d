import type { EndpointLabels } from '../endpointMethods.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import { type ExtractRule, extractRuleSchema, type LiveRule, liveRuleSchema } from '../../contract/rule.ts';
import type { Answer } from '../answer.ts';
import type { WriteDocument } from '../payloads/writeDocument.ts';
import { readEmptyAnswer, readList, readWritten, readWrittenList } from '../reading.ts';
import type { Send, RawAnswer } from '../send.ts';
import type { CreatedRules } from '../liveRuleCreation.ts';
import type { ServerCapabilities } from '../serverCapabilities.ts';

/** The column of the rules, by its names in the rules (case sensitive: rest-api.md, "Data security rule" 2). */
export interface RuleColumn {
  readonly table: string;
  readonly column: string;
}

/**
 * Data security of extract datamodels and cube sets, API version 0.9
 * (rest-api.md, "Data security, extract datamodels"). For a cube set `server` is the term `set` and `elasticube` the
 * set's name, in payload, path and query; every spelling is kept as given.
 */
export class ExtractRulesResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** All rules of the cube. */
  async list(
    path: PathParams<'extractRules.list'>,
    signal?: AbortSignal,
  ): Promise<Answer<readonly ExtractRule[]>> {
    return readList(await this.#send('extractRules.list', path, { signal }), extractRuleSchema);
  }

  /** All rules of one column. */
  async listByColumn(
    path: PathParams<'extractRules.listByColumn'>,
    signal?: AbortSignal,
  ): Promise<Answer<readonly ExtractRule[]>> {
    return readList(await this.#send('extractRules.listByColumn', path, { signal }), extractRuleSchema);
  }

  /** All rules of the cube for one user. Real instances are said not to support it (platform-facts.md, 3.1). */
  async listByUser(
    path: PathParams<'extractRules.listByUser'>,
    signal?: AbortSignal,
  ): Promise<Answer<readonly ExtractRule[]>> {
    return readList(await this.#send('extractRules.listByUser', path, { signal }), extractRuleSchema);
  }

  /** Adds rules across cubes, each with its `server` and `elasticube`; see `writeRuleBatches` for many. */
  async createMany(
    rules: readonly WriteDocument[],
    signal?: AbortSignal,
  ): Promise<Answer<readonly ExtractRule[] | undefined>> {
    const { rulesPayload, newBulkRulePayload } = await import('../payloads/rulePayload.ts');
    const body = () => rulesPayload(rules, newBulkRulePayload);
    const raw = await this.#send('extractRules.createMany', {}, { body, signal });
    return readWrittenList(raw, extractRuleSchema, '_id');
  }

  /** Adds rules to one cube; nothing is replaced (platform-facts.md, 3.1). */
  async create(
    path: PathParams<'extractRules.create'>,
    rules: readonly WriteDocument[],
    signal?: AbortSignal,
  ): Promise<Answer<readonly ExtractRule[] | undefined>> {
    const { rulesPayload, newExtractRulePayload } = await import('../payloads/rulePayload.ts');
    const body = () => rulesPayload(rules, newExtractRulePayload);
    const raw = await this.#send('extractRules.create', path, { body, signal });
    return readWrittenList(raw, extractRuleSchema, '_id');
  }

  /** Replaces the rule; its `_id` is sent in the body as well (rest-api.md, "Data security rule" 1). */
  async update(
    path: PathParams<'extractRules.update'>,
    rule: WriteDocument,
    signal?: AbortSignal,
  ): Promise<Answer<ExtractRule | undefined>> {
    const { extractRuleChangePayload } = await import('../payloads/rulePayload.ts');
    const body = () => extractRuleChangePayload(rule, path.ruleId);
    return readWritten(
      await this.#send('extractRules.update', path, { body, signal }),
      extractRuleSchema,
      '_id',
    );
  }

  /**
   * Deletes all rules of one column: `?table=&column=` (platform-facts.md, 3.1). Without both names an instance might
   * delete all rules of the cube, so empty ones are rejected.
   */
  async deleteByColumn(
    path: PathParams<'extractRules.deleteByColumn'>,
    column: RuleColumn,
    signal?: AbortSignal,
  ): Promise<Answer<undefined>> {
    const { requireText } = await import('../payloads/writeDocument.ts');
    const query = () => ({
      table: requireText(column.table, ['table']),
      column: requireText(column.column, ['column']),
    });
    return readEmptyAnswer(await this.#send('extractRules.deleteByColumn', path, { query, signal }));
  }

  async delete(path: PathParams<'extractRules.delete'>, signal?: AbortSignal): Promise<Answer<undefined>> {
    return readEmptyAnswer(await this.#send('extractRules.delete', path, { signal }));
  }
}

/** Recommended number of rules per call until the form that the server accepts is known. */
const defaultMaxRules = 20;

/**
 * Data security of live datamodels, API version 1.0 (rest-api.md, "Data security, live datamodels"). A live rule cannot
 * be updated, only replaced.
 */
export class LiveRulesResource {
  readonly #send: Send;

  readonly #capabilities: ServerCapabilities;

  /** @param capabilities what was detected about the server so far; updated by these requests */
  constructor(send: Send, habits: ServerCapabilities) {
    this.#send = send;
    this.#capabilities = habits;
  }

  async list(path: PathParams<'liveRules.list'>, signal?: AbortSignal): Promise<Answer<readonly LiveRule[]>> {
    const answer = readList(await this.#send('liveRules.list', path, { signal }), liveRuleSchema);
    const rules = answer.value;
    if (
      rules.some((rule) => typeof rule.exclusionary === 'boolean' || typeof rule.dataSourceId === 'string')
    ) {
      this.#capabilities.showsLiveExclusion = true;
    } else if (rules.length > 0) {
      this.#capabilities.showsLiveExclusion ??= false;
    }
    return answer;
  }

  /**
   * The recommended number of rules per call of {@link create}: few until the form is known, and one if each rule is
   * sent in a request of its own.
   */
  get maxRulesPerCall(): number {
    const { liveRuleForm, addsManyLiveRules } = this.#capabilities;
    if (liveRuleForm === 'array' || addsManyLiveRules === true) {
      return Number.POSITIVE_INFINITY;
    }
    return liveRuleForm === 'object' && addsManyLiveRules === false ? 1 : defaultMaxRules;
  }

  /**
   * Adds rules to the live datamodel of that title, in the form that its server accepts: see `LiveRuleCreator`. The
   * result is always a list in the order of the body, or `undefined` if the server does not return what it created.
   * @throws PartlyCreatedError if the first rules are on the server and a later one failed
   */
  async create(
    path: PathParams<'liveRules.create'>,
    rules: readonly WriteDocument[],
    signal?: AbortSignal,
  ): Promise<CreatedRules> {
    const { LiveRuleCreation, liveRulePayloads } = await import('../liveRuleCreation.ts');
    const bodies = liveRulePayloads(path.title, rules);
    const creation = new LiveRuleCreation(
      {
        plain: (some, form) =>
          this.#send('liveRules.create', path, {
            body: () => (form === 'array' ? bodies(some) : bodies(some)[0]),
            signal,
          }),
        many: (some) => this.#many(path, () => bodies(some), signal),
      },
      this.#capabilities,
    );
    return creation.create(rules);
  }

  /**
   * Adds rules with `addMany`, which not every server has (recorded on L2025; the contract does not have it:
   * platform-facts.md, 6.2).
   */
  async createMany(
    path: PathParams<'liveRules.createMany'>,
    rules: readonly WriteDocument[],
    signal?: AbortSignal,
  ): Promise<CreatedRules> {
    const { readCreatedRules, liveRulePayloads } = await import('../liveRuleCreation.ts');
    const bodies = liveRulePayloads(path.title, rules);
    return readCreatedRules(await this.#many(path, () => bodies(rules), signal), rules);
  }

  #many(path: { readonly title: string }, body: () => unknown, signal?: AbortSignal): Promise<RawAnswer> {
    return this.#send('liveRules.createMany', path, { body, signal });
  }

  async delete(path: PathParams<'liveRules.delete'>, signal?: AbortSignal): Promise<Answer<undefined>> {
    return readEmptyAnswer(await this.#send('liveRules.delete', path, { signal }));
  }

  /** Deletes all rules of one column. */
  async deleteByColumn(
    path: PathParams<'liveRules.deleteByColumn'>,
    signal?: AbortSignal,
  ): Promise<Answer<undefined>> {
    return readEmptyAnswer(await this.#send('liveRules.deleteByColumn', path, { signal }));
  }
}

export const extractRuleLabels: EndpointLabels<'extractRules'> = {
  'extractRules.list': (t) => t('Loading the data security rules'),
  'extractRules.listByColumn': (t) => t('Loading the data security rules of the column'),
  'extractRules.listByUser': (t) => t('Loading the data security rules of the user'),
  'extractRules.createMany': (t) => t('Creating data security rules'),
  'extractRules.create': (t) => t('Creating data security rules'),
  'extractRules.update': (t) => t('Changing the data security rule'),
  'extractRules.deleteByColumn': (t) => t('Deleting the data security rules of the column'),
  'extractRules.delete': (t) => t('Deleting the data security rule'),
};

export const liveRuleLabels: EndpointLabels<'liveRules'> = {
  'liveRules.list': (t) => t('Loading the data security rules'),
  'liveRules.create': (t) => t('Creating data security rules'),
  'liveRules.createMany': (t) => t('Creating data security rules'),
  'liveRules.delete': (t) => t('Deleting the data security rule'),
  'liveRules.deleteByColumn': (t) => t('Deleting the data security rules of the column'),
};
