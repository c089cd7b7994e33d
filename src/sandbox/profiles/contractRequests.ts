import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { cubeSetServer } from '../../contract/rule.ts';
import type { EditContext } from '../editContext.ts';
import { getTextMember } from '../documents.ts';
import { HttpProblem, createValidationProblem } from '../problem.ts';
import { createCubeNotFoundProblem, createFieldsMissingProblem } from './contractErrors.ts';
import type { RequestChecks } from './profile.ts';

interface CubeAddress {
  readonly server: string;
  readonly elasticube: string;
}

/**
 * Requires that an extract datamodel was built before its rules are used (observed on releases of 2025). Cube sets are
 * not checked, since no endpoint lists them.
 */
function requireBuilt({ store }: EditContext, { server, elasticube }: CubeAddress): void {
  if (server.toLowerCase() === cubeSetServer) {
    return;
  }
  const model = store.datamodels.findByTitle(elasticube);
  if (model?.type !== 'extract' || !store.datamodels.isBuilt(model.oid)) {
    throw createCubeNotFoundProblem();
  }
}

/** Requires that the cube of a rule was built. The route rejects rules without a server or a cube. */
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

/** Requires that a live datamodel was published. Like the platform, answers `[object Object]` if it was not. */
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

function requireFields(rule: JsonObject, fieldNames: readonly string[], prefix = ''): void {
  const missingFields = fieldNames.filter((name) => !Object.hasOwn(rule, name));
  if (missingFields.length > 0) {
    throw createFieldsMissingProblem(missingFields, prefix);
  }
}

/** Checks of requests that the vendor's contract requires in addition to the guide. */
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
    const missingField = ['server', 'elasticube'].find((name) => getTextMember(rule, name) === '');
    if (missingField !== undefined) {
      throw createValidationProblem(`${missingField}: required in the body`);
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
    const unknownName = (query('expand') ?? '').split(',').find((name) => name !== '' && name !== 'groups');
    if (unknownName !== undefined) {
      throw new HttpProblem(404, 'NotFound', 1004, `Invalid expand parameter: ${unknownName}`);
    }
  },

  /** Does not require `columns`: the vendor's contract does, but the vendor's own requests omit it. */
  'tables.create'({ body }) {
    if (isJsonObject(body) && getTextMember(body, 'id') === '') {
      throw createValidationProblem('id: required');
    }
  },
};
