import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { cubeSetServer } from '../../contract/rule.ts';
import type { Context } from '../context.ts';
import { textIn } from '../documents.ts';
import { HttpProblem, invalid } from '../problem.ts';
import { cubeNotFound, fieldsMissing } from './contractErrors.ts';
import type { RequestChecks } from './profile.ts';

interface Cube {
  readonly server: string;
  readonly elasticube: string;
}

/** Rules are of what was built (met on releases of 2025); a cube set is no model, and nothing lists the sets. */
function requireBuilt({ store }: Context, { server, elasticube }: Cube): void {
  if (server.toLowerCase() === cubeSetServer) {
    return;
  }
  const model = store.datamodels.findByTitle(elasticube);
  if (model?.type !== 'extract' || !store.datamodels.isBuilt(model.oid)) {
    throw cubeNotFound();
  }
}

/** The cube that a rule names; one that names none is for the route to refuse. */
function requireBuiltOf(held: Context, rule: unknown): void {
  if (isJsonObject(rule) && textIn(rule, 'server') !== '' && textIn(rule, 'elasticube') !== '') {
    requireBuilt(held, { server: textIn(rule, 'server'), elasticube: textIn(rule, 'elasticube') });
  }
}

/** Rules of a live model are there once it is published; those of a draft end in words that say nothing. */
function requirePublished({ store }: Context, title: string): void {
  const model = store.datamodels.findByTitle(title);
  if (model?.type !== 'live') {
    throw new HttpProblem(404, 'NotFound', 1004, 'Live elasticube not found');
  }
  if (!store.datamodels.isBuilt(model.oid)) {
    throw new HttpProblem(404, 'NotFound', 1004, '[object Object]');
  }
}

/** The fields without which a live rule is not taken (contract v1.0; `members` is not asked for by `addMany`). */
const liveRuleFields = ['allMembers', 'live', 'fullname', 'table', 'column', 'shares', 'datatype'];

function requireFields(rule: JsonObject, names: readonly string[], where = ''): void {
  const missing = names.filter((name) => !Object.hasOwn(rule, name));
  if (missing.length > 0) {
    throw fieldsMissing(missing, where);
  }
}

/** What the contract asks of requests beyond the spec. */
export const requests: RequestChecks = {
  'extractRules.list': ({ params }, held) => requireBuilt(held, params),
  'extractRules.listByColumn': ({ params }, held) => requireBuilt(held, params),
  'extractRules.listByUser': ({ params }, held) => requireBuilt(held, params),
  'extractRules.create': ({ params }, held) => requireBuilt(held, params),
  'extractRules.deleteByColumn': ({ params }, held) => requireBuilt(held, params),
  'extractRules.createMany'({ body }, held) {
    (Array.isArray(body) ? body : []).forEach((rule: unknown) => requireBuiltOf(held, rule));
  },
  'extractRules.update'({ body }, held) {
    const rule = isJsonObject(body) ? body : {};
    const missing = ['server', 'elasticube'].find((name) => textIn(rule, name) === '');
    if (missing !== undefined) {
      throw invalid(`${missing}: required in the body`);
    }
    requireBuiltOf(held, rule);
  },

  'liveRules.list': ({ params }, held) => requirePublished(held, params.title),
  'liveRules.deleteByColumn': ({ params }, held) => requirePublished(held, params.title),
  'liveRules.create'({ params, body }, held) {
    if (!isJsonObject(body)) {
      throw new HttpProblem(422, 'UnprocessableEntity', 2003, 'The body must be one rule');
    }
    requireFields(body, [...liveRuleFields, 'members']);
    requirePublished(held, params.title);
  },

  'liveRules.createMany'({ params, body }, held) {
    (Array.isArray(body) ? body : []).forEach((rule: unknown, index) => {
      if (isJsonObject(rule)) {
        requireFields(rule, liveRuleFields, `${index}: `);
      }
    });
    requirePublished(held, params.title);
  },

  'users.list'({ query }) {
    const unknown = (query('expand') ?? '').split(',').find((name) => name !== '' && name !== 'groups');
    if (unknown !== undefined) {
      throw new HttpProblem(404, 'NotFound', 1004, `Invalid expand parameter: ${unknown}`);
    }
  },

  /** The contract asks for `columns` too, which the vendor's own request does not send. */
  'tables.create'({ body }) {
    if (isJsonObject(body) && textIn(body, 'id') === '') {
      throw invalid('id: required');
    }
  },
};
