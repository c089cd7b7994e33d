import { type JsonObject, stringify } from '../../base/json.ts';
import { relationInputSchema } from '../../contract/datamodel.ts';
import { parseWithSchema } from '../validation.ts';
import { joinAsArray, omitDocumentMembers, parseDocument } from '../documents.ts';
import {
  createdResponse,
  type AreaHandlers,
  requireObjectBody,
  okResponse,
  okTextResponse,
} from '../endpointCall.ts';
import { getRelationEnds, type ColumnPredicate, readSentEnds } from '../models/relationDocument.ts';
import { editSchema, requireDatamodel } from '../models/schemaEdits.ts';
import { createNotFoundProblem } from '../problem.ts';
import type { RouteServices } from '../routeServices.ts';
import { readFields, pageDocuments, projectDocument } from './listing.ts';

/** Creates the handlers of relations (rest-api.md, "Datamodel API" and "Relation"). */
export function createRelationHandlers(services: RouteServices): AreaHandlers<'relations'> {
  const { store, ids } = services;
  const hasColumn =
    (datamodel: string): ColumnPredicate =>
    (address) =>
      store.tables.hasColumn(datamodel, address);
  const requireRelation = (datamodel: string, oid: string): JsonObject => {
    requireDatamodel(services, datamodel);
    const text = store.relations.getText(datamodel, oid);
    if (text === undefined) {
      throw createNotFoundProblem('The relation', oid);
    }
    return parseDocument(text);
  };
  return {
    'relations.list'({ params, query }) {
      requireDatamodel(services, params.datamodelId);
      const fields = readFields(query);
      const texts = pageDocuments(store.relations.getTexts(params.datamodelId), query);
      return okTextResponse(joinAsArray(texts.map((text) => projectDocument(text, fields))));
    },

    'relations.get'({ params, query }) {
      const relation = requireRelation(params.datamodelId, params.relationId);
      return okTextResponse(projectDocument(stringify(relation), readFields(query)));
    },

    'relations.create'(call) {
      const { datamodelId } = call.params;
      requireDatamodel(services, datamodelId);
      const sent = requireObjectBody(call);
      parseWithSchema(relationInputSchema, sent);
      const columns = readSentEnds(getRelationEnds(sent), [], hasColumn(datamodelId));
      const relation = { type: null, ...sent, oid: ids.createOid(), columns };
      editSchema(services, datamodelId, () => store.relations.insert(datamodelId, relation));
      return createdResponse(relation);
    },

    /** Replaces all columns; columns that are not sent are removed (rest-api.md, "Datamodel API" 3). */
    'relations.update'(call) {
      const { datamodelId, relationId } = call.params;
      const stored = requireRelation(datamodelId, relationId);
      const sent = requireObjectBody(call);
      parseWithSchema(relationInputSchema, sent);
      const columns = readSentEnds(getRelationEnds(sent), getRelationEnds(stored), hasColumn(datamodelId));
      const relation = { ...stored, ...omitDocumentMembers(sent, ['oid']), columns };
      editSchema(services, datamodelId, () => store.relations.update(relation));
      return okResponse(relation);
    },

    'relations.delete'({ params }) {
      requireRelation(params.datamodelId, params.relationId);
      editSchema(services, params.datamodelId, () => store.relations.delete(params.relationId));
      return okResponse({ oid: params.relationId });
    },
  };
}
