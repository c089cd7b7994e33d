import { isJsonObject, type JsonObject } from '../../base/json.ts';
import {
  datasetChangeSchema,
  newDatasetSchema,
  readOnlyConnectionFields,
  type DatamodelType,
} from '../../contract/datamodel.ts';
import { checked } from '../check.ts';
import { arrayText, omit, textIn } from '../documents.ts';
import { createdText, type HandlersOf, objectBody, ok, okText } from '../call.ts';
import { newDataset, withConnection } from '../models/datasetDocument.ts';
import {
  datasetHead,
  editColumns,
  editSchema,
  requireDatamodel,
  requireDataset,
} from '../models/schemaEdits.ts';
import { invalid } from '../problem.ts';
import { timestamp } from '../context.ts';
import type { Services } from '../services.ts';
import { fieldsOf, paged, projected } from './listing.ts';

/** What the server makes of a dataset; a PATCH ignores it (spec, Datamodel rule 1). */
const readOnlyProperties = ['oid', 'fullname', 'lastUpdated', 'schema', 'shares'];

/** Datasets (spec, "Datamodel API" and "Dataset"). */
export function datasetRoutes(services: Services): HandlersOf<'datasets'> {
  const { store, clock, ids } = services;
  return {
    'datasets.list'({ params, query }) {
      requireDatamodel(services, params.datamodelId);
      const fields = fieldsOf(query);
      const texts = paged(store.datasets.texts(params.datamodelId), query);
      return okText(arrayText(texts.map((text) => projected(text, fields))));
    },

    'datasets.get'({ params, query }) {
      requireDataset(services, params.datamodelId, params.datasetId);
      const text = store.datasets.text(params.datamodelId, params.datasetId) ?? '{}';
      return okText(projected(text, fieldsOf(query)));
    },

    'datasets.create'(call) {
      const { oid: datamodel, type } = requireDatamodel(services, call.params.datamodelId);
      const sent = objectBody(call);
      checkNewDataset(sent, type, store.datasets.heads(datamodel));
      const made = { oid: ids.oid(), connectionOid: ids.oid(), now: timestamp(clock) };
      editSchema(services, datamodel, () => store.datasets.insert(datamodel, newDataset(sent, made)));
      return createdText(store.datasets.text(datamodel, made.oid) ?? '{}');
    },

    /** Only `connection` can be modified after creation (spec, "Dataset"). */
    'datasets.update'(call) {
      const { datamodelId, datasetId } = call.params;
      const stored = datasetHead(services, datamodelId, datasetId);
      const connection = sentConnection(objectBody(call));
      if (textIn(stored, 'type').toLowerCase() === 'custom') {
        throw invalid('connection: a dataset of type custom has none');
      }
      const changed = withConnection(stored, connection, timestamp(clock));
      editSchema(services, datamodelId, () => store.datasets.update(changed));
      return okText(store.datasets.text(datamodelId, datasetId) ?? '{}');
    },

    'datasets.delete'({ params }) {
      requireDataset(services, params.datamodelId, params.datasetId);
      editColumns(services, params.datamodelId, params.datasetId, () =>
        store.datasets.delete(params.datasetId),
      );
      return ok({ oid: params.datasetId });
    },
  };
}

/**
 * @throws HttpProblem 400: extract or custom in an extract Datamodel, live or custom in a live one; a connection but
 * for custom (spec, "Dataset"); a name that is in use (platform-facts 2.7).
 */
function checkNewDataset(sent: JsonObject, modelType: DatamodelType, others: readonly JsonObject[]): void {
  const { name, type, connection } = checked(newDatasetSchema, sent);
  if (type !== 'custom' && type !== modelType) {
    throw invalid(`type: a datamodel of type ${modelType} takes datasets of type ${modelType} or custom`);
  }
  const hasConnection = connection !== undefined && connection !== null;
  if (type === 'custom' && hasConnection) {
    throw invalid('connection: omitted for a dataset of type custom');
  }
  if (type !== 'custom' && !hasConnection) {
    throw invalid(`connection: required for a dataset of type ${type}`);
  }
  if (others.some((other) => other['name'] === name)) {
    throw invalid(`name: the datamodel has a dataset "${name}" already`);
  }
}

/** @throws HttpProblem 400 for any other property, and for the read-only ones of a connection (spec, "Dataset"). */
function sentConnection(body: JsonObject): JsonObject {
  const change = omit(body, readOnlyProperties);
  checked(datasetChangeSchema, change);
  const connection = isJsonObject(change['connection']) ? change['connection'] : {};
  const readOnly = readOnlyConnectionFields.find((name) => name in connection);
  if (readOnly !== undefined) {
    throw invalid(`connection/${readOnly}: read-only, it must not be sent`);
  }
  return connection;
}
