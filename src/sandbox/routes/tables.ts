import type { JsonObject } from '../../base/json.ts';
import { type Expression, expressionText } from '../../contract/table.ts';
import { arrayText, parseDocument } from '../documents.ts';
import { created, type HandlersOf, objectBody, ok, okText } from '../call.ts';
import { datasetHead, editColumns, editSchema, requireDataset, requireTable } from '../models/schemaEdits.ts';
import { columnsOf, generatedColumns } from '../models/columnDocument.ts';
import { changedTable, newTable, tableType, type TableMaking } from '../models/tableDocument.ts';
import { checkNewTable, checkTableChange } from '../models/tableRules.ts';
import { timestamp } from '../context.ts';
import type { BuiltColumn } from '../engine/port.ts';
import type { Services } from '../services.ts';
import { fieldsOf, paged, projected } from './listing.ts';

/** Tables with their columns (spec, "Datamodel API", "Table" and "Column"). */
export function tableRoutes(services: Services): HandlersOf<'tables'> {
  const { store, clock, ids, tasks, profile } = services;
  const making = (): TableMaking => ({ newOid: () => ids.oid(), now: timestamp(clock) });
  /** The columns that the SQL of a table yields, where a table has them before a build. */
  const yieldedColumns = async (
    datamodel: string,
    table: JsonObject,
  ): Promise<readonly BuiltColumn[] | undefined> => {
    const isMade = profile.columnsBeforeBuild && tableType(table) === 'custom';
    const model = isMade ? store.datamodels.document(datamodel) : undefined;
    const sql = expressionText(table['expression'] as Expression | null) ?? '';
    return model === undefined ? undefined : await tasks.queryColumns(model, sql);
  };
  const withColumns = (table: JsonObject, found: readonly BuiltColumn[] | undefined): JsonObject => {
    const { newOid, now } = making();
    return found === undefined
      ? table
      : { ...table, columns: generatedColumns(columnsOf(table), found, newOid, now) };
  };
  return {
    'tables.list'({ params, query }) {
      requireDataset(services, params.datamodelId, params.datasetId);
      const fields = fieldsOf(query);
      const texts = paged(store.tables.texts(params.datasetId), query);
      return okText(arrayText(texts.map((text) => projected(text, fields))));
    },

    'tables.get'({ params, query }) {
      const table = requireTable(services, params.datamodelId, params.datasetId, params.tableId);
      return okText(projected(table, fieldsOf(query)));
    },

    async 'tables.create'(call) {
      const { datamodelId, datasetId } = call.params;
      const sent = objectBody(call);
      const make = (): JsonObject => {
        const { type } = requireDataset(services, datamodelId, datasetId);
        checkNewTable(sent, datasetHead(services, datamodelId, datasetId));
        return newTable(sent, type, making());
      };
      const found = await yieldedColumns(datamodelId, make());
      // Made after the wait, in which others may have written.
      const table = withColumns(make(), found);
      editSchema(services, datamodelId, () => store.tables.insert(datasetId, table));
      return created(table);
    },

    /** A rename keeps the oid and leaves SQL expressions alone: those are the caller's (spec, Datamodel rule 5). */
    async 'tables.update'(call) {
      const { datamodelId, datasetId, tableId } = call.params;
      const sent = objectBody(call);
      const change = (): { stored: JsonObject; changed: JsonObject } => {
        const stored = parseDocument(requireTable(services, datamodelId, datasetId, tableId));
        checkTableChange(sent, stored, datasetHead(services, datamodelId, datasetId));
        return { stored, changed: changedTable(stored, sent, making()) };
      };
      const { changed: wanted } = change();
      const found = 'expression' in sent ? await yieldedColumns(datamodelId, wanted) : undefined;
      // Of the table as it is after the wait, in which others may have written.
      const { stored, changed } = change();
      const table = withColumns(changed, found);
      const write = (): void => store.tables.update(table);
      if (table['columns'] !== stored['columns']) {
        editColumns(services, datamodelId, tableId, write);
      } else {
        editSchema(services, datamodelId, write);
      }
      return ok(table);
    },

    'tables.delete'({ params }) {
      const { datamodelId, datasetId, tableId } = params;
      requireTable(services, datamodelId, datasetId, tableId);
      editColumns(services, datamodelId, tableId, () => store.tables.delete(tableId));
      return ok({ oid: tableId });
    },
  };
}
