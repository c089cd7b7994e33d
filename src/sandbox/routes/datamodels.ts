import { newDatamodelSchema } from '../../contract/datamodel.ts';
import { checked } from '../check.ts';
import { arrayText, textIn } from '../documents.ts';
import { createdText, type HandlersOf, objectBody, ok, okText } from '../call.ts';
import { cubeServer, newDatamodel } from '../models/datamodelDocument.ts';
import { requireDatamodel } from '../models/schemaEdits.ts';
import { notFound, titleTaken } from '../problem.ts';
import { timestamp } from '../context.ts';
import type { Services } from '../services.ts';
import { fieldsOf, paged, projected } from './listing.ts';

/** Datamodels (spec, "Datamodel API"). A Datamodel has no editable fields, so there is no change. */
export function datamodelRoutes(services: Services): HandlersOf<'datamodels'> {
  const { store, builds, clock, ids } = services;
  return {
    /** With `title` one object, else an array; `fields`, `sort`, `limit`, `skip` (platform-facts 0 and 2.1). */
    'datamodels.list'({ query }) {
      const fields = fieldsOf(query);
      const title = query('title');
      if (title !== undefined) {
        const text = store.datamodels.text(store.datamodels.findByTitle(title)?.oid ?? '');
        if (text === undefined) {
          throw notFound('The datamodel', title);
        }
        return okText(projected(text, fields));
      }
      const whole = fields === undefined || fields.includes('datasets') || fields.includes('relations');
      const texts = paged(store.datamodels.texts(whole ? 'whole' : 'head'), query);
      return okText(arrayText(texts.map((text) => projected(text, fields))));
    },

    'datamodels.get'({ params, query }) {
      const { oid } = requireDatamodel(services, params.datamodelId);
      return okText(projected(store.datamodels.text(oid) ?? '{}', fieldsOf(query)));
    },

    /** `title` is required and unique, `type` defaults to extract (spec; platform-facts 2.7). */
    'datamodels.create'(call) {
      const { title, type } = checked(newDatamodelSchema, objectBody(call));
      if (store.datamodels.findByTitle(title) !== undefined) {
        throw titleTaken(title);
      }
      const creator = store.people.user(call.caller.userId);
      const document = newDatamodel({ oid: ids.oid(), title, type, creator, now: timestamp(clock) });
      store.datamodels.insert(document);
      return createdText(store.datamodels.text(textIn(document, 'oid')) ?? '{}');
    },

    /** Removes the datamodel entirely: its schema, the rules bound to it, its build tasks and its built data. */
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
      await builds.forget(oid);
      return ok({ oid });
    },
  };
}
