import { type JsonObject, stringify } from '../../base/json.ts';
import { relationInputSchema } from '../../contract/datamodel.ts';
import { checked } from '../check.ts';
import { arrayText, omit, parseDocument } from '../documents.ts';
import { created, type HandlersOf, objectBody, ok, okText } from '../call.ts';
import { endsOf, type HasColumn, sentEnds } from '../models/relationDocument.ts';
import { editSchema, requireDatamodel } from '../models/schemaEdits.ts';
import { notFound } from '../problem.ts';
import type { Services } from '../services.ts';
import { fieldsOf, paged, projected } from './listing.ts';

/** Relations (spec, "Datamodel API" and "Relation"): at least 2 columns, and a PATCH sends all of them. */
export function relationRoutes(services: Services): HandlersOf<'relations'> {
  const { store, ids } = services;
  const hasColumn =
    (datamodel: string): HasColumn =>
    (address) =>
      store.tables.hasColumn(datamodel, address);
  const requireRelation = (datamodel: string, oid: string): JsonObject => {
    requireDatamodel(services, datamodel);
    const text = store.relations.text(datamodel, oid);
    if (text === undefined) {
      throw notFound('The relation', oid);
    }
    return parseDocument(text);
  };
  return {
    'relations.list'({ params, query }) {
      requireDatamodel(services, params.datamodelId);
      const fields = fieldsOf(query);
      const texts = paged(store.relations.texts(params.datamodelId), query);
      return okText(arrayText(texts.map((text) => projected(text, fields))));
    },

    'relations.get'({ params, query }) {
      const relation = requireRelation(params.datamodelId, params.relationId);
      return okText(projected(stringify(relation), fieldsOf(query)));
    },

    'relations.create'(call) {
      const { datamodelId } = call.params;
      requireDatamodel(services, datamodelId);
      const sent = objectBody(call);
      checked(relationInputSchema, sent);
      const columns = sentEnds(endsOf(sent), [], hasColumn(datamodelId));
      const relation = { type: null, ...sent, oid: ids.oid(), columns };
      editSchema(services, datamodelId, () => store.relations.insert(datamodelId, relation));
      return created(relation);
    },

    /** Columns not sent are removed from the relation (spec, Datamodel rule 3). */
    'relations.update'(call) {
      const { datamodelId, relationId } = call.params;
      const stored = requireRelation(datamodelId, relationId);
      const sent = objectBody(call);
      checked(relationInputSchema, sent);
      const columns = sentEnds(endsOf(sent), endsOf(stored), hasColumn(datamodelId));
      const relation = { ...stored, ...omit(sent, ['oid']), columns };
      editSchema(services, datamodelId, () => store.relations.update(relation));
      return ok(relation);
    },

    'relations.delete'({ params }) {
      requireRelation(params.datamodelId, params.relationId);
      editSchema(services, params.datamodelId, () => store.relations.delete(params.relationId));
      return ok({ oid: params.relationId });
    },
  };
}
