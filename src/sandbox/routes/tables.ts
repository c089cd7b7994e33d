import type { JsonObject } from '../../base/json.ts';
import { type Expression, getExpressionText } from '../../contract/table.ts';
import { joinAsArray, parseDocument } from '../documents.ts';
import {
  createdResponse,
  type AreaHandlers,
  requireObjectBody,
  okResponse,
  okTextResponse,
} from '../endpointCall.ts';
import {
  getDatasetHead,
  editColumns,
  editSchema,
  requireDataset,
  requireTable,
} from '../models/schemaEdits.ts';
import { getTableColumns, createGeneratedColumns } from '../models/columnDocument.ts';
import {
  applyTablePatch,
  createTableDocument,
  getTableType,
  type TableWriteContext,
} from '../models/tableDocument.ts';
import { checkNewTable, checkTableChange } from '../models/tableChecks.ts';
import { getTimestamp } from '../context.ts';
import type { BuiltColumn } from '../engine/port.ts';
import type { RouteServices } from '../routeServices.ts';
import { readFields, pageDocuments, projectDocument } from './listing.ts';

/** Creates the handlers of tables and their columns (rest-api.md, "Datamodel API", "Table" and "Column"). */
export function createTableHandlers(services: RouteServices): AreaHandlers<'tables'> {
  const { store, clock, ids, tasks, profile } = services;
  const createWriteContext = (): TableWriteContext => ({
    newOid: () => ids.createOid(),
    now: getTimestamp(clock),
  });
  /** Returns the output columns of a custom table's query, if the profile sets them before a build. */
  const getYieldedColumns = async (
    datamodel: string,
    table: JsonObject,
  ): Promise<readonly BuiltColumn[] | undefined> => {
    const isMade = profile.columnsBeforeBuild && getTableType(table) === 'custom';
    const model = isMade ? store.datamodels.getDocument(datamodel) : undefined;
    const sql = getExpressionText(table['expression'] as Expression | null) ?? '';
    return model === undefined ? undefined : await tasks.getQueryColumns(model, sql);
  };
  const withColumns = (table: JsonObject, found: readonly BuiltColumn[] | undefined): JsonObject => {
    const { newOid, now } = createWriteContext();
    return found === undefined
      ? table
      : { ...table, columns: createGeneratedColumns(getTableColumns(table), found, newOid, now) };
  };
  return {
    'tables.list'({ params, query }) {
      requireDataset(services, params.datamodelId, params.datasetId);
      const fields = readFields(query);
      const texts = pageDocuments(store.tables.getTexts(params.datasetId), query);
      return okTextResponse(joinAsArray(texts.map((text) => projectDocument(text, fields))));
    },

    'tables.get'({ params, query }) {
      const table = requireTable(services, params.datamodelId, params.datasetId, params.tableId);
      return okTextResponse(projectDocument(table, readFields(query)));
    },

    async 'tables.create'(call) {
      const { datamodelId, datasetId } = call.params;
      const sent = requireObjectBody(call);
      const make = (): JsonObject => {
        const { type } = requireDataset(services, datamodelId, datasetId);
        checkNewTable(sent, getDatasetHead(services, datamodelId, datasetId));
        return createTableDocument(sent, type, createWriteContext());
      };
      const found = await getYieldedColumns(datamodelId, make());
      // Validated and created again, since other requests may have written meanwhile.
      const table = withColumns(make(), found);
      editSchema(services, datamodelId, () => store.tables.insert(datasetId, table));
      return createdResponse(table);
    },

    /**
     * Updates a table. A rename does not update SQL expressions that use the old name, which the caller must do
     * (rest-api.md, "Datamodel API" 5).
     */
    async 'tables.update'(call) {
      const { datamodelId, datasetId, tableId } = call.params;
      const sent = requireObjectBody(call);
      const change = (): { stored: JsonObject; changed: JsonObject } => {
        const stored = parseDocument(requireTable(services, datamodelId, datasetId, tableId));
        checkTableChange(sent, stored, getDatasetHead(services, datamodelId, datasetId));
        return { stored, changed: applyTablePatch(stored, sent, createWriteContext()) };
      };
      const { changed: wanted } = change();
      const found = 'expression' in sent ? await getYieldedColumns(datamodelId, wanted) : undefined;
      // Applied again to the stored table, since other requests may have written meanwhile.
      const { stored, changed } = change();
      const table = withColumns(changed, found);
      const write = (): void => store.tables.update(table);
      if (table['columns'] !== stored['columns']) {
        editColumns(services, datamodelId, tableId, write);
      } else {
        editSchema(services, datamodelId, write);
      }
      return okResponse(table);
    },

    'tables.delete'({ params }) {
      const { datamodelId, datasetId, tableId } = params;
      requireTable(services, datamodelId, datasetId, tableId);
      editColumns(services, datamodelId, tableId, () => store.tables.delete(tableId));
      return okResponse({ oid: tableId });
    },
  };
}
