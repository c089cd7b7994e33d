import type { JsonObject } from '../../base/json.ts';
import { type Expression, getExpressionText } from '../../contract/table.ts';
import { joinAsArray, parseDocument } from '../documents.ts';
import {
  createCreatedResponse,
  type AreaHandlers,
  requireObjectBody,
  createOkResponse,
  createOkTextResponse,
} from '../endpointCall.ts';
import {
  getDatasetWithoutTables,
  editColumns,
  editSchema,
  requireDatamodelOfDataset,
  requireTable,
} from '../models/schemaEdits.ts';
import { getTableColumns, mergeBuiltColumns } from '../models/columnDocument.ts';
import {
  applyTablePatch,
  createTableDocument,
  getTableType,
  type TableWriteContext,
} from '../models/tableDocument.ts';
import { checkNewTable, checkTableChange } from '../models/tableChecks.ts';
import { getTimestamp } from '../editContext.ts';
import type { BuiltColumn } from '../engine/buildEngine.ts';
import type { RouteServices } from '../routeServices.ts';
import { readFields, pageDocuments, selectFields } from './listing.ts';

/** Creates the handlers of tables and their columns (rest-api.md, "Datamodel API", "Table" and "Column"). */
export function createTableHandlers(services: RouteServices): AreaHandlers<'tables'> {
  const { store, clock, ids, tasks, profile } = services;
  const createWriteContext = (): TableWriteContext => ({
    createOid: () => ids.createOid(),
    timestamp: getTimestamp(clock),
  });
  /**
   * Returns the output columns of a custom table's query if the profile sets them before a build; otherwise, or if the
   * query is invalid, `undefined`.
   */
  const readQueryColumns = async (
    datamodelOid: string,
    table: JsonObject,
  ): Promise<readonly BuiltColumn[] | undefined> => {
    const derivesColumns = profile.hasColumnsBeforeBuild && getTableType(table) === 'custom';
    const model = derivesColumns ? store.datamodels.getDocument(datamodelOid) : undefined;
    const sql = getExpressionText(table['expression'] as Expression | null) ?? '';
    return model === undefined ? undefined : await tasks.getQueryColumns(model, sql);
  };
  const withGeneratedColumns = (
    table: JsonObject,
    builtColumns: readonly BuiltColumn[] | undefined,
  ): JsonObject => {
    const { createOid, timestamp } = createWriteContext();
    return builtColumns === undefined
      ? table
      : {
          ...table,
          columns: mergeBuiltColumns(getTableColumns(table), builtColumns, createOid, timestamp),
        };
  };
  return {
    'tables.list'({ params, query }) {
      requireDatamodelOfDataset(services, params.datamodelId, params.datasetId);
      const fields = readFields(query);
      const texts = pageDocuments(store.tables.getTexts(params.datasetId), query);
      return createOkTextResponse(joinAsArray(texts.map((text) => selectFields(text, fields))));
    },

    'tables.get'({ params, query }) {
      const table = requireTable(services, params.datamodelId, params.datasetId, params.tableId);
      return createOkTextResponse(selectFields(table, readFields(query)));
    },

    async 'tables.create'(call) {
      const { datamodelId, datasetId } = call.params;
      const body = requireObjectBody(call);
      const createDocument = (): JsonObject => {
        const { type } = requireDatamodelOfDataset(services, datamodelId, datasetId);
        checkNewTable(body, getDatasetWithoutTables(services, datamodelId, datasetId));
        return createTableDocument(body, type, createWriteContext());
      };
      const builtColumns = await readQueryColumns(datamodelId, createDocument());
      // Validated and created again, because other requests may have written in the meantime.
      const table = withGeneratedColumns(createDocument(), builtColumns);
      editSchema(services, datamodelId, () => store.tables.insert(datasetId, table));
      return createCreatedResponse(table);
    },

    /**
     * Updates a table. A rename does not update SQL expressions that use the old name, which the caller must do
     * (rest-api.md, "Datamodel API" 5).
     */
    async 'tables.update'(call) {
      const { datamodelId, datasetId, tableId } = call.params;
      const body = requireObjectBody(call);
      const applyChanges = (): { stored: JsonObject; changed: JsonObject } => {
        const stored = parseDocument(requireTable(services, datamodelId, datasetId, tableId));
        checkTableChange(body, stored, getDatasetWithoutTables(services, datamodelId, datasetId));
        return { stored, changed: applyTablePatch(stored, body, createWriteContext()) };
      };
      const { changed: preview } = applyChanges();
      const builtColumns = 'expression' in body ? await readQueryColumns(datamodelId, preview) : undefined;
      // Applied again to the stored table, because other requests may have written in the meantime.
      const { stored, changed } = applyChanges();
      const table = withGeneratedColumns(changed, builtColumns);
      const updateTable = (): void => store.tables.update(table);
      if (table['columns'] !== stored['columns']) {
        editColumns(services, datamodelId, tableId, updateTable);
      } else {
        editSchema(services, datamodelId, updateTable);
      }
      return createOkResponse(table);
    },

    'tables.delete'({ params }) {
      const { datamodelId, datasetId, tableId } = params;
      requireTable(services, datamodelId, datasetId, tableId);
      editColumns(services, datamodelId, tableId, () => store.tables.delete(tableId));
      return createOkResponse({ oid: tableId });
    },
  };
}
