import type { PathParams } from '../../contract/endpoints.ts';
import { readTableSchema } from '../../contract/readColumns.ts';
import type { NewTable, Table, TableChange } from '../../contract/table.ts';
import type { Answer } from '../answer.ts';
import type { WriteDocument } from '../payloads/document.ts';
import { newTablePayload, tableChangePayload } from '../payloads/tablePayload.ts';
import { readDone, readList, readOne, readWritten } from '../reading.ts';
import type { Send } from '../send.ts';

/** Tables of a dataset, with their columns (spec, "Table", "Column"). */
export class TablesResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list(path: PathParams<'tables.list'>, signal?: AbortSignal): Promise<Answer<readonly Table[]>> {
    return readList(await this.#send('tables.list', path, { signal }), readTableSchema);
  }

  async get(path: PathParams<'tables.get'>, signal?: AbortSignal): Promise<Answer<Table>> {
    return readOne(await this.#send('tables.get', path, { signal }), readTableSchema);
  }

  async create(
    path: PathParams<'tables.create'>,
    table: NewTable | WriteDocument,
    signal?: AbortSignal,
  ): Promise<Answer<Table | undefined>> {
    const body = () => newTablePayload(table);
    return readWritten(await this.#send('tables.create', path, { body, signal }), readTableSchema, 'oid');
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
