import { newDatamodelSchema } from '../../contract/datamodel.ts';
import { parseWithSchema } from '../validation.ts';
import { joinAsArray, getTextMember } from '../documents.ts';
import {
  createCreatedTextResponse,
  type AreaHandlers,
  requireObjectBody,
  createOkResponse,
  createOkTextResponse,
} from '../endpointCall.ts';
import { cubeServer, createDatamodelDocument } from '../models/datamodelDocument.ts';
import { requireDatamodel } from '../models/schemaEdits.ts';
import { createNotFoundProblem, createTitleTakenProblem } from '../problem.ts';
import { getTimestamp } from '../editContext.ts';
import type { RouteServices } from '../routeServices.ts';
import { readFields, pageDocuments, selectFields } from './listing.ts';

/** Creates the handlers of datamodels (rest-api.md, "Datamodel API"), which cannot be updated. */
export function createDatamodelHandlers(services: RouteServices): AreaHandlers<'datamodels'> {
  const { store, builds, clock, ids } = services;
  return {
    /**
     * Returns one object for the query parameter `title`, otherwise an array. Supports `fields`, `sort`, `limit` and
     * `skip` (platform-facts.md, 0 and 2.1).
     */
    'datamodels.list'({ query }) {
      const fields = readFields(query);
      const title = query('title');
      if (title !== undefined) {
        const text = store.datamodels.getText(store.datamodels.findByTitle(title)?.oid ?? '');
        if (text === undefined) {
          throw createNotFoundProblem('The datamodel', title);
        }
        return createOkTextResponse(selectFields(text, fields));
      }
      const needsChildren =
        fields === undefined || fields.includes('datasets') || fields.includes('relations');
      const texts = pageDocuments(
        store.datamodels.getTexts(needsChildren ? 'complete' : 'withoutChildren'),
        query,
      );
      return createOkTextResponse(joinAsArray(texts.map((text) => selectFields(text, fields))));
    },

    'datamodels.get'({ params, query }) {
      const { oid } = requireDatamodel(services, params.datamodelId);
      return createOkTextResponse(selectFields(store.datamodels.getText(oid) ?? '{}', readFields(query)));
    },

    /**
     * Requires a unique `title`; `type` defaults to extract (rest-api.md, "Datamodel"; platform-facts.md, 2.7).
     */
    'datamodels.create'(call) {
      const { title, type } = parseWithSchema(newDatamodelSchema, requireObjectBody(call));
      if (store.datamodels.findByTitle(title) !== undefined) {
        throw createTitleTakenProblem(title);
      }
      const creator = store.people.getUser(call.caller.userId);
      const document = createDatamodelDocument({
        oid: ids.createOid(),
        title,
        type,
        creator,
        timestamp: getTimestamp(clock),
      });
      store.datamodels.insert(document);
      return createCreatedTextResponse(store.datamodels.getText(getTextMember(document, 'oid')) ?? '{}');
    },

    /** Deletes a datamodel with its schema, its rules, its build tasks and its built data. */
    async 'datamodels.delete'({ params }) {
      const { oid, title, type } = requireDatamodel(services, params.datamodelId);
      store.transaction(() => {
        store.datamodels.delete(oid);
        store.rules.deleteAll(
          type === 'live'
            ? { kind: 'live', title }
            : { kind: 'extract', server: cubeServer, elasticube: title },
        );
      });
      await builds.remove(oid);
      return createOkResponse({ oid });
    },
  };
}
