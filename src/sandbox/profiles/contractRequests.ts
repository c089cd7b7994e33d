import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { cubeSetServer } from '../../contract/rule.ts';
import type { EditContext } from '../context.ts';
import { getTextMember } from '../documents.ts';
import { HttpProblem, createInvalidProblem } from '../problem.ts';
import { createCubeNotFoundProblem, createFieldsMissingProblem } from './contractErrors.ts';
import type { RequestChecks } from './profile.ts';

interface CubeName {
  readonly server: string;
  readonly elasticube: string;
}

/**
 * Rules require a built model (observed on releases of 2025); a cube set is not a model, and no endpoint lists the
 * sets.
 */
function requireBuilt({ store }: EditContext, { server, elasticube }: CubeName): void {
  if (server.toLowerCase() === cubeSetServer) {
    return;
  }
  const model = store.datamodels.findByTitle(elasticube);
  if (model?.type !== 'extract' || !store.datamodels.isBuilt(model.oid)) {
    throw createCubeNotFoundProblem();
  }
}

/** Requires that the cube that a rule names was built; a rule that names none is refused by the route. */
function requireBuiltCube(context: EditContext, rule: unknown): void {
  if (
    isJsonObject(rule) &&
    getTextMember(rule, 'server') !== '' &&
    getTextMember(rule, 'elasticube') !== ''
  ) {
    requireBuilt(context, {
      server: getTextMember(rule, 'server'),
      elasticube: getTextMember(rule, 'elasticube'),
    });
  }
}

/** Rules of a live model exist once it is published; those of a draft fail with a meaningless message. */
function requirePublished({ store }: EditContext, title: string): void {
  const model = store.datamodels.findByTitle(title);
  if (model?.type !== 'live') {
    throw new HttpProblem(404, 'NotFound', 1004, 'Live elasticube not found');
  }
  if (!store.datamodels.isBuilt(model.oid)) {
    throw new HttpProblem(404, 'NotFound', 1004, '[object Object]');
  }
}

/** The fields that a live rule requires (platform-facts.md, 6.2; `members` is not required by `addMany`). */
const liveRuleFields = ['allMembers', 'live', 'fullname', 'table', 'column', 'shares', 'datatype'];

function requireFields(rule: JsonObject, names: readonly string[], where = ''): void {
  const missing = names.filter((name) => !Object.hasOwn(rule, name));
  if (missing.length > 0) {
    throw createFieldsMissingProblem(missing, where);
  }
}

/** The contract's requirements for requests beyond those of the guide. */
export const contractRequestChecks: RequestChecks = {
  'extractRules.list': ({ params }, context) => requireBuilt(context, params),
  'extractRules.listByColumn': ({ params }, context) => requireBuilt(context, params),
  'extractRules.listByUser': ({ params }, context) => requireBuilt(context, params),
  'extractRules.create': ({ params }, context) => requireBuilt(context, params),
  'extractRules.deleteByColumn': ({ params }, context) => requireBuilt(context, params),
  'extractRules.createMany'({ body }, context) {
    (Array.isArray(body) ? body : []).forEach((rule: unknown) => requireBuiltCube(context, rule));
  },
  'extractRules.update'({ body }, context) {
    const rule = isJsonObject(body) ? body : {};
    const missing = ['server', 'elasticube'].find((name) => getTextMember(rule, name) === '');
    if (missing !== undefined) {
      throw createInvalidProblem(`${missing}: required in the body`);
    }
    requireBuiltCube(context, rule);
  },

  'liveRules.list': ({ params }, context) => requirePublished(context, params.title),
  'liveRules.deleteByColumn': ({ params }, context) => requirePublished(context, params.title),
  'liveRules.create'({ params, body }, context) {
    if (!isJsonObject(body)) {
      throw new HttpProblem(422, 'UnprocessableEntity', 2003, 'The body must be one rule');
    }
    requireFields(body, [...liveRuleFields, 'members']);
    requirePublished(context, params.title);
  },

  'liveRules.createMany'({ params, body }, context) {
    (Array.isArray(body) ? body : []).forEach((rule: unknown, index) => {
      if (isJsonObject(rule)) {
        requireFields(rule, liveRuleFields, `${index}: `);
      }
    });
    requirePublished(context, params.title);
  },

  'users.list'({ query }) {
    const unknown = (query('expand') ?? '').split(',').find((name) => name !== '' && name !== 'groups');
    if (unknown !== undefined) {
      throw new HttpProblem(404, 'NotFound', 1004, `Invalid expand parameter: ${unknown}`);
    }
  },

  /** The contract requires `columns` too, which the vendor's own request does not send. */
  'tables.create'({ body }) {
    if (isJsonObject(body) && getTextMember(body, 'id') === '') {
      throw createInvalidProblem('id: required');
    }
  },
};
