import type { PathParams } from '../../contract/endpoints.ts';
import { type ExtractRule, extractRuleSchema } from '../../contract/rule.ts';
import type { Answer } from '../answer.ts';
import { type WriteDocument, textAt } from '../payloads/document.ts';
import {
  extractRuleChangePayload,
  newBulkRulePayload,
  newExtractRulePayload,
  rulesPayload,
} from '../payloads/rulePayload.ts';
import { readDone, readList, readWritten, readWrittenList } from '../reading.ts';
import type { Send } from '../send.ts';

/** The column whose rules are meant, by the names that the rules carry (case sensitive: spec). */
export interface RuleColumn {
  readonly table: string;
  readonly column: string;
}

/**
 * Data security of extract datamodels and cube sets, API version 0.9 (spec). For a cube set `server` is the term
 * `set` and `elasticube` the set's name, in payload, path and query; every spelling is kept as it is given.
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

  /** All rules of one dimension. */
  async listByColumn(
    path: PathParams<'extractRules.listByColumn'>,
    signal?: AbortSignal,
  ): Promise<Answer<readonly ExtractRule[]>> {
    return readList(await this.#send('extractRules.listByColumn', path, { signal }), extractRuleSchema);
  }

  /** All rules of the cube for one user. Real instances are said not to answer it (platform-facts 3.1). */
  async listByUser(
    path: PathParams<'extractRules.listByUser'>,
    signal?: AbortSignal,
  ): Promise<Answer<readonly ExtractRule[]>> {
    return readList(await this.#send('extractRules.listByUser', path, { signal }), extractRuleSchema);
  }

  /** Adds rules across cubes, each with its `server` and `elasticube`; see `writeRules` for many. */
  async createMany(
    rules: readonly WriteDocument[],
    signal?: AbortSignal,
  ): Promise<Answer<readonly ExtractRule[] | undefined>> {
    const body = () => rulesPayload(rules, newBulkRulePayload);
    const raw = await this.#send('extractRules.createMany', {}, { body, signal });
    return readWrittenList(raw, extractRuleSchema, '_id');
  }

  /** Adds rules to one cube; nothing is replaced (platform-facts 3.1). */
  async create(
    path: PathParams<'extractRules.create'>,
    rules: readonly WriteDocument[],
    signal?: AbortSignal,
  ): Promise<Answer<readonly ExtractRule[] | undefined>> {
    const body = () => rulesPayload(rules, newExtractRulePayload);
    const raw = await this.#send('extractRules.create', path, { body, signal });
    return readWrittenList(raw, extractRuleSchema, '_id');
  }

  /** Replaces the rule; its `_id` goes into the body as well (spec). */
  async update(
    path: PathParams<'extractRules.update'>,
    rule: WriteDocument,
    signal?: AbortSignal,
  ): Promise<Answer<ExtractRule | undefined>> {
    const body = () => extractRuleChangePayload(rule, path.ruleId);
    return readWritten(
      await this.#send('extractRules.update', path, { body, signal }),
      extractRuleSchema,
      '_id',
    );
  }

  /**
   * Deletes all rules of one dimension: `?table=&column=` (platform-facts 3.1). Without both names an instance might
   * delete all rules of the cube, so empty ones are refused.
   */
  async deleteByColumn(
    path: PathParams<'extractRules.deleteByColumn'>,
    column: RuleColumn,
    signal?: AbortSignal,
  ): Promise<Answer<undefined>> {
    const query = () => ({
      table: textAt(column.table, ['table']),
      column: textAt(column.column, ['column']),
    });
    return readDone(await this.#send('extractRules.deleteByColumn', path, { query, signal }));
  }

  async delete(path: PathParams<'extractRules.delete'>, signal?: AbortSignal): Promise<Answer<undefined>> {
    return readDone(await this.#send('extractRules.delete', path, { signal }));
  }
}
