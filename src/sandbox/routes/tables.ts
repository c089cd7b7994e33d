import type { JsonObject } from '../../base/json.ts';
import { type Expression, expressionText } from '../../contract/table.ts';
import { arrayText, parseDocument } from '../documents.ts';
import { created, type HandlersOf, objectBody, ok, okText } from '../call.ts';
import { datasetHead, editColumns, editSchema, requireDataset, requireTable } from '../models/schemaEdits.ts';
import { columnsOf, generatedColumns } from '../models/columnDocument.ts';
import { changedTable, newTable, tableType, type TableMaking } from '../models/tableDocument.ts';
import { checkNewTable, checkTableChange } from '../models/tableRules.ts';
import { timestamp } from '../context.ts';
import type { Services } from '../services.ts';
import { fieldsOf, paged, projected } from './listing.ts';

/** Tables with their columns (spec, "Datamodel API", "Table" and "Column"). */
export function tableRoutes(services: Services): HandlersOf<'tables'> {
  const { store, clock, ids } = services;
  const making = (): TableMaking => ({ newOid: () => ids.oid(), now: timestamp(clock) });
  /** The table with the columns that its SQL yields, where those are there before a build. */
  const generated = (datamodel: string, table: JsonObject): JsonObject => {
    const model = tableType(table) === 'custom' ? store.datamodels.document(datamodel) : undefined;
    const sql = expressionText(table['expression'] as Expression | null) ?? '';
    const found = model === undefined ? undefined : services.profile.queryColumns(model, sql);
    if (found === undefined) {
      return table;
    }
    const { newOid, now } = making();
    return { ...table, columns: generatedColumns(columnsOf(table), found, newOid, now) };
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

    'tables.create'(call) {
      const { datamodelId, datasetId } = call.params;
      const { type } = requireDataset(services, datamodelId, datasetId);
      const sent = objectBody(call);
      checkNewTable(sent, datasetHead(services, datamodelId, datasetId));
      const table = generated(datamodelId, newTable(sent, type, making()));
      editSchema(services, datamodelId, () => store.tables.insert(datasetId, table));
      return created(table);
    },

    /** A rename keeps the oid and leaves SQL expressions alone: those are the caller's (spec, Datamodel rule 5). */
    'tables.update'(call) {
      const { datamodelId, datasetId, tableId } = call.params;
      const stored = parseDocument(requireTable(services, datamodelId, datasetId, tableId));
      const sent = objectBody(call);
      checkTableChange(sent, stored, datasetHead(services, datamodelId, datasetId));
      const changed = changedTable(stored, sent, making());
      const table = 'expression' in sent ? generated(datamodelId, changed) : changed;
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
