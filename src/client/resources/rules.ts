import type { EndpointLabels } from '../endpointMethods.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import { type ExtractRule, extractRuleSchema, type LiveRule, liveRuleSchema } from '../../contract/rule.ts';
import type { ApiResponse } from '../apiResponse.ts';
import type { DocumentToWrite } from '../payloads/documentToWrite.ts';
import { readIgnoringBody, readList, readWrittenItem, readWrittenItems } from '../reading.ts';
import type { Send, RawResponse } from '../send.ts';
import type { CreatedRules } from '../liveRuleCreator.ts';
import type { ServerCapabilities } from '../serverCapabilities.ts';

/** A column, by the names that its rules use (case sensitive: rest-api.md, "Data security rule" 2). */
export interface RuleColumn {
  readonly table: string;
  readonly column: string;
}

/**
 * Data security of extract datamodels and cube sets, API version 0.9
 * (rest-api.md, "Data security, extract datamodels"). For a cube set `server` is the term `set` and `elasticube` the
 * set's name, in payload, path and query; the names are sent as they are given.
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
  ): Promise<ApiResponse<readonly ExtractRule[]>> {
    return readList(await this.#send('extractRules.list', path, { signal }), extractRuleSchema);
  }

  /** All rules of one column. */
  async listByColumn(
    path: PathParams<'extractRules.listByColumn'>,
    signal?: AbortSignal,
  ): Promise<ApiResponse<readonly ExtractRule[]>> {
    return readList(await this.#send('extractRules.listByColumn', path, { signal }), extractRuleSchema);
  }

  /** All rules of the cube for one user. Not every instance supports it (platform-facts.md, 3.1). */
  async listByUser(
    path: PathParams<'extractRules.listByUser'>,
    signal?: AbortSignal,
  ): Promise<ApiResponse<readonly ExtractRule[]>> {
    return readList(await this.#send('extractRules.listByUser', path, { signal }), extractRuleSchema);
  }

  /** Adds rules across cubes, each with its `server` and `elasticube`. For many rules, use `writeRuleBatches`. */
  async createMany(
    rules: readonly DocumentToWrite[],
    signal?: AbortSignal,
  ): Promise<ApiResponse<readonly ExtractRule[] | undefined>> {
    const { createRulePayloads, createBulkRulePayload } = await import('../payloads/rulePayload.ts');
    const createBody = () => createRulePayloads(rules, createBulkRulePayload);
    const raw = await this.#send('extractRules.createMany', {}, { createBody, signal });
    return readWrittenItems(raw, extractRuleSchema, '_id');
  }

  /** Adds rules to one cube. Some servers overwrite a rule for exactly the same parties (platform-facts.md, 3.4). */
  async create(
    path: PathParams<'extractRules.create'>,
    rules: readonly DocumentToWrite[],
    signal?: AbortSignal,
  ): Promise<ApiResponse<readonly ExtractRule[] | undefined>> {
    const { createRulePayloads, createExtractRulePayload } = await import('../payloads/rulePayload.ts');
    const createBody = () => createRulePayloads(rules, createExtractRulePayload);
    const raw = await this.#send('extractRules.create', path, { createBody, signal });
    return readWrittenItems(raw, extractRuleSchema, '_id');
  }

  /** Replaces the rule; its `_id` is sent in the body as well (rest-api.md, "Data security rule" 1). */
  async update(
    path: PathParams<'extractRules.update'>,
    rule: DocumentToWrite,
    signal?: AbortSignal,
  ): Promise<ApiResponse<ExtractRule | undefined>> {
    const { createExtractRuleChangePayload } = await import('../payloads/rulePayload.ts');
    const createBody = () => createExtractRuleChangePayload(rule, path.ruleId);
    return readWrittenItem(
      await this.#send('extractRules.update', path, { createBody, signal }),
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
  ): Promise<ApiResponse<undefined>> {
    const { requireText } = await import('../payloads/documentToWrite.ts');
    const createQuery = () => ({
      table: requireText(column.table, ['table']),
      column: requireText(column.column, ['column']),
    });
    return readIgnoringBody(
      await this.#send('extractRules.deleteByColumn', path, { query: createQuery, signal }),
    );
  }

  async delete(
    path: PathParams<'extractRules.delete'>,
    signal?: AbortSignal,
  ): Promise<ApiResponse<undefined>> {
    return readIgnoringBody(await this.#send('extractRules.delete', path, { signal }));
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
  constructor(send: Send, capabilities: ServerCapabilities) {
    this.#send = send;
    this.#capabilities = capabilities;
  }

  async list(
    path: PathParams<'liveRules.list'>,
    signal?: AbortSignal,
  ): Promise<ApiResponse<readonly LiveRule[]>> {
    const response = readList(await this.#send('liveRules.list', path, { signal }), liveRuleSchema);
    const rules = response.value;
    // A `dataSourceId` shows a server of the vendor's contract, which returns `exclusionary`, too.
    if (
      rules.some((rule) => typeof rule.exclusionary === 'boolean' || typeof rule.dataSourceId === 'string')
    ) {
      this.#capabilities.returnsLiveExclusionary = true;
    } else if (rules.length > 0) {
      this.#capabilities.returnsLiveExclusionary ??= false;
    }
    return response;
  }

  /**
   * The recommended number of rules per call of {@link create}: few until the form is known, and one if each rule is
   * sent in a request of its own.
   */
  get maxRulesPerCall(): number {
    const { liveRuleForm, supportsAddMany } = this.#capabilities;
    if (liveRuleForm === 'array' || supportsAddMany === true) {
      return Number.POSITIVE_INFINITY;
    }
    return liveRuleForm === 'object' && supportsAddMany === false ? 1 : defaultMaxRules;
  }

  /**
   * Adds rules to the live datamodel of that title, in the form that its server accepts: see `LiveRuleCreator`. The
   * result is always a list in the order of the body, or `undefined` if the server does not return what it created.
   * @throws PartlyCreatedError if the first rules are on the server and a later one failed
   */
  async create(
    path: PathParams<'liveRules.create'>,
    rules: readonly DocumentToWrite[],
    signal?: AbortSignal,
  ): Promise<CreatedRules> {
    const { LiveRuleCreator, createPayloadLookup } = await import('../liveRuleCreator.ts');
    const createPayloads = createPayloadLookup(path.title, rules);
    const creator = new LiveRuleCreator(
      {
        post: (subset, form) =>
          this.#send('liveRules.create', path, {
            createBody: () => (form === 'array' ? createPayloads(subset) : createPayloads(subset)[0]),
            signal,
          }),
        addMany: (subset) => this.#addMany(path, () => createPayloads(subset), signal),
      },
      this.#capabilities,
    );
    return creator.create(rules);
  }

  /**
   * Adds rules with `addMany`, which not every server has (recorded on L2025; the vendor's contract does not have it:
   * platform-facts.md, 6.2).
   */
  async createMany(
    path: PathParams<'liveRules.createMany'>,
    rules: readonly DocumentToWrite[],
    signal?: AbortSignal,
  ): Promise<CreatedRules> {
    const { readCreatedRules, createPayloadLookup } = await import('../liveRuleCreator.ts');
    const createPayloads = createPayloadLookup(path.title, rules);
    return readCreatedRules(await this.#addMany(path, () => createPayloads(rules), signal), rules);
  }

  #addMany(
    path: { readonly title: string },
    createBody: () => unknown,
    signal?: AbortSignal,
  ): Promise<RawResponse> {
    return this.#send('liveRules.createMany', path, { createBody, signal });
  }

  async delete(path: PathParams<'liveRules.delete'>, signal?: AbortSignal): Promise<ApiResponse<undefined>> {
    return readIgnoringBody(await this.#send('liveRules.delete', path, { signal }));
  }

  /** Deletes all rules of one column. */
  async deleteByColumn(
    path: PathParams<'liveRules.deleteByColumn'>,
    signal?: AbortSignal,
  ): Promise<ApiResponse<undefined>> {
    return readIgnoringBody(await this.#send('liveRules.deleteByColumn', path, { signal }));
  }
}

export const extractRuleLabels: EndpointLabels<'extractRules'> = {
  'extractRules.list': (t) => t('Loading the data security rules'),
  'extractRules.listByColumn': (t) => t('Loading the data security rules on the column'),
  'extractRules.listByUser': (t) => t('Loading the data security rules of the user'),
  'extractRules.createMany': (t) => t('Creating data security rules'),
  'extractRules.create': (t) => t('Creating data security rules'),
  'extractRules.update': (t) => t('Changing the data security rule'),
  'extractRules.deleteByColumn': (t) => t('Deleting the data security rules on the column'),
  'extractRules.delete': (t) => t('Deleting the data security rule'),
};

export const liveRuleLabels: EndpointLabels<'liveRules'> = {
  'liveRules.list': (t) => t('Loading the data security rules'),
  'liveRules.create': (t) => t('Creating data security rules'),
  'liveRules.createMany': (t) => t('Creating data security rules'),
  'liveRules.delete': (t) => t('Deleting the data security rule'),
  'liveRules.deleteByColumn': (t) => t('Deleting the data security rules on the column'),
};
