import { isJsonObject, type JsonObject } from '../../base/json.ts';
import {
  datasetChangeSchema,
  newDatasetSchema,
  readOnlyConnectionFields,
  type DatamodelType,
} from '../../contract/datamodel.ts';
import { parseWithSchema } from '../validation.ts';
import { joinAsArray, omitDocumentMembers, getTextMember } from '../documents.ts';
import {
  createCreatedTextResponse,
  type AreaHandlers,
  requireObjectBody,
  createOkResponse,
  createOkTextResponse,
} from '../endpointCall.ts';
import { createDatasetDocument, replaceConnection } from '../models/datasetDocument.ts';
import {
  requireDatasetWithoutTables,
  editColumns,
  editSchema,
  requireDatamodel,
  requireDatamodelOfDataset,
} from '../models/schemaEdits.ts';
import { createValidationProblem } from '../problem.ts';
import { getTimestamp } from '../editContext.ts';
import type { RouteServices } from '../routeServices.ts';
import { readFields, pageDocuments, selectFields } from './listing.ts';

/** Properties that the server sets; a PATCH ignores them (rest-api.md, "Datamodel API" 1). */
const readOnlyProperties = ['oid', 'fullname', 'lastUpdated', 'schema', 'shares'];

/** Creates the handlers of datasets (rest-api.md, "Datamodel API" and "Dataset"). */
export function createDatasetHandlers(services: RouteServices): AreaHandlers<'datasets'> {
  const { store, clock, ids } = services;
  return {
    'datasets.list'({ params, query }) {
      requireDatamodel(services, params.datamodelId);
      const fields = readFields(query);
      const texts = pageDocuments(store.datasets.getTexts(params.datamodelId), query);
      return createOkTextResponse(joinAsArray(texts.map((text) => selectFields(text, fields))));
    },

    'datasets.get'({ params, query }) {
      requireDatamodelOfDataset(services, params.datamodelId, params.datasetId);
      const text = store.datasets.getText(params.datamodelId, params.datasetId) ?? '{}';
      return createOkTextResponse(selectFields(text, readFields(query)));
    },

    'datasets.create'(call) {
      const { oid: datamodel, type } = requireDatamodel(services, call.params.datamodelId);
      const body = requireObjectBody(call);
      checkNewDataset(body, type, store.datasets.listWithoutTables(datamodel));
      const generated = {
        oid: ids.createOid(),
        connectionOid: ids.createOid(),
        timestamp: getTimestamp(clock),
      };
      editSchema(services, datamodel, () =>
        store.datasets.insert(datamodel, createDatasetDocument(body, generated)),
      );
      return createCreatedTextResponse(store.datasets.getText(datamodel, generated.oid) ?? '{}');
    },

    /** Replaces `connection`, the only editable property (rest-api.md, "Dataset"). */
    'datasets.update'(call) {
      const { datamodelId, datasetId } = call.params;
      const storedDataset = requireDatasetWithoutTables(services, datamodelId, datasetId);
      const connection = readConnectionInput(requireObjectBody(call));
      if (getTextMember(storedDataset, 'type').toLowerCase() === 'custom') {
        throw createValidationProblem('connection: not allowed for a dataset of type custom');
      }
      const updatedDataset = replaceConnection(storedDataset, connection, getTimestamp(clock));
      editSchema(services, datamodelId, () => store.datasets.update(updatedDataset));
      return createOkTextResponse(store.datasets.getText(datamodelId, datasetId) ?? '{}');
    },

    'datasets.delete'({ params }) {
      requireDatamodelOfDataset(services, params.datamodelId, params.datasetId);
      editColumns(services, params.datamodelId, params.datasetId, () =>
        store.datasets.delete(params.datasetId),
      );
      return createOkResponse({ oid: params.datasetId });
    },
  };
}

/**
 * Checks a new dataset. Its type is that of its datamodel, or custom; it needs a connection unless it is custom
 * (rest-api.md, "Dataset"); its name is unique in the datamodel (platform-facts.md, 2.7).
 * @throws HttpProblem 400 that names the invalid property
 */
function checkNewDataset(
  body: JsonObject,
  modelType: DatamodelType,
  existingDatasets: readonly JsonObject[],
): void {
  const { name, type, connection } = parseWithSchema(newDatasetSchema, body);
  if (type !== 'custom' && type !== modelType) {
    throw createValidationProblem(
      `type: a datamodel of type ${modelType} can only have datasets of type ${modelType} or custom`,
    );
  }
  const hasConnection = connection !== undefined && connection !== null;
  if (type === 'custom' && hasConnection) {
    throw createValidationProblem('connection: not allowed for a dataset of type custom');
  }
  if (type !== 'custom' && !hasConnection) {
    throw createValidationProblem(`connection: required for a dataset of type ${type}`);
  }
  if (existingDatasets.some((existing) => existing['name'] === name)) {
    throw createValidationProblem(`name: the datamodel already has a dataset "${name}"`);
  }
}

/**
 * Reads the connection from the body of a PATCH.
 * @throws HttpProblem 400 for other properties of the dataset, and for read-only ones of the connection
 * (rest-api.md, "Dataset").
 */
function readConnectionInput(body: JsonObject): JsonObject {
  const changes = omitDocumentMembers(body, readOnlyProperties);
  parseWithSchema(datasetChangeSchema, changes);
  const connection = isJsonObject(changes['connection']) ? changes['connection'] : {};
  const readOnlyField = readOnlyConnectionFields.find((name) => name in connection);
  if (readOnlyField !== undefined) {
    throw createValidationProblem(`connection/${readOnlyField}: read-only and must not be sent`);
  }
  return connection;
}
