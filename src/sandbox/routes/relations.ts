import { type JsonObject, stringify } from '../../base/json.ts';
import { relationInputSchema } from '../../contract/datamodel.ts';
import { parseWithSchema } from '../validation.ts';
import { joinAsArray, omitDocumentMembers, parseDocument } from '../documents.ts';
import {
  createCreatedResponse,
  type AreaHandlers,
  requireObjectBody,
  createOkResponse,
  createOkTextResponse,
} from '../endpointCall.ts';
import { getRelationEnds, type ColumnPredicate, mergeRelationEnds } from '../models/relationDocument.ts';
import { editSchema, requireDatamodel } from '../models/schemaEdits.ts';
import { createNotFoundProblem } from '../problem.ts';
import type { RouteServices } from '../routeServices.ts';
import { readFields, pageDocuments, selectFields } from './listing.ts';

/** Creates the handlers of relations (rest-api.md, "Datamodel API" and "Relation"). */
export function createRelationHandlers(services: RouteServices): AreaHandlers<'relations'> {
  const { store, ids } = services;
  const createColumnPredicate =
    (datamodelOid: string): ColumnPredicate =>
    (address) =>
      store.tables.hasColumn(datamodelOid, address);
  const requireRelation = (datamodelOid: string, oid: string): JsonObject => {
    requireDatamodel(services, datamodelOid);
    const text = store.relations.getText(datamodelOid, oid);
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
      return createOkTextResponse(joinAsArray(texts.map((text) => selectFields(text, fields))));
    },

    'relations.get'({ params, query }) {
      const relation = requireRelation(params.datamodelId, params.relationId);
      return createOkTextResponse(selectFields(stringify(relation), readFields(query)));
    },

    'relations.create'(call) {
      const { datamodelId } = call.params;
      requireDatamodel(services, datamodelId);
      const body = requireObjectBody(call);
      parseWithSchema(relationInputSchema, body);
      const columns = mergeRelationEnds(getRelationEnds(body), [], createColumnPredicate(datamodelId));
      const relation = { type: null, ...body, oid: ids.createOid(), columns };
      editSchema(services, datamodelId, () => store.relations.insert(datamodelId, relation));
      return createCreatedResponse(relation);
    },

    /** Replaces all columns; columns that are not sent are removed (rest-api.md, "Datamodel API" 3). */
    'relations.update'(call) {
      const { datamodelId, relationId } = call.params;
      const storedRelation = requireRelation(datamodelId, relationId);
      const body = requireObjectBody(call);
      parseWithSchema(relationInputSchema, body);
      const columns = mergeRelationEnds(
        getRelationEnds(body),
        getRelationEnds(storedRelation),
        createColumnPredicate(datamodelId),
      );
      const relation = { ...storedRelation, ...omitDocumentMembers(body, ['oid']), columns };
      editSchema(services, datamodelId, () => store.relations.update(relation));
      return createOkResponse(relation);
    },

    'relations.delete'({ params }) {
      requireRelation(params.datamodelId, params.relationId);
      editSchema(services, params.datamodelId, () => store.relations.delete(params.relationId));
      return createOkResponse({ oid: params.relationId });
    },
  };
}
