import type { PathParams } from '../../contract/endpoints.ts';
import { readTableSchema, type NewTable, type Table, type TableChange } from '../../contract/table.ts';
import type { Answer } from '../answer.ts';
import { HttpError } from '../errors.ts';
import type { WriteDocument } from '../payloads/document.ts';
import { newTablePayload, tableChangePayload } from '../payloads/tablePayload.ts';
import { readDone, readList, readOne, readWritten } from '../reading.ts';
import type { Send } from '../send.ts';
import type { ServerHabits } from '../serverHabits.ts';

/** Tables of a dataset, with their columns (spec, "Table", "Column"). */
export class TablesResource {
  readonly #send: Send;

  readonly #habits: ServerHabits;

  /** @param habits what was found out about the server so far; what shows here is added to it */
  constructor(send: Send, habits: ServerHabits) {
    this.#send = send;
    this.#habits = habits;
  }

  async list(path: PathParams<'tables.list'>, signal?: AbortSignal): Promise<Answer<readonly Table[]>> {
    return readList(await this.#send('tables.list', path, { signal }), readTableSchema);
  }

  async get(path: PathParams<'tables.get'>, signal?: AbortSignal): Promise<Answer<Table>> {
    return readOne(await this.#send('tables.get', path, { signal }), readTableSchema);
  }

  /**
   * Creates a table. The contract requires `columns` of custom tables, too, which the vendor's own recorded request does
   * not send: they go along, empty, only where the server asks for them. Such a refusal has created nothing.
   */
  async create(
    path: PathParams<'tables.create'>,
    table: NewTable | WriteDocument,
    signal?: AbortSignal,
  ): Promise<Answer<Table | undefined>> {
    const send = (emptyColumns: boolean) =>
      this.#send('tables.create', path, { body: () => newTablePayload(table, emptyColumns), signal });
    const given = this.#habits.customTablesNeedColumns === true;
    try {
      return readWritten(await send(given), readTableSchema, 'oid');
    } catch (error) {
      if (given || !asksForColumns(error) || String(table['type']).toLowerCase() !== 'custom') {
        throw error;
      }
      const answer = readWritten(await send(true), readTableSchema, 'oid');
      this.#habits.customTablesNeedColumns = true;
      return answer;
    }
  }

  /**
   * Changes the given properties. `columns`, when given, replaces the stored array: send all that are to be kept,
   * each with its oid (spec, rule 2). References to a renamed or deleted table or column are not followed (rules 4, 5).
   */
  async update(
    path: PathParams<'tables.update'>,
    change: TableChange | WriteDocument,
    signal?: AbortSignal,
  ): Promise<Answer<Table | undefined>> {
    const body = () => tableChangePayload(change);
    return readWritten(await this.#send('tables.update', path, { body, signal }), readTableSchema, 'oid');
  }

  async delete(path: PathParams<'tables.delete'>, signal?: AbortSignal): Promise<Answer<undefined>> {
    return readDone(await this.#send('tables.delete', path, { signal }));
  }
}

const asksForColumns = (error: unknown): boolean =>
  error instanceof HttpError &&
  (error.status === 400 || error.status === 422) &&
  /\bcolumns\b/i.test(error.words ?? '');
