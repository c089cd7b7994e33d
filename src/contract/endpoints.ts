/**
 * Every endpoint of the guide, and a few that only the vendor's contract or client has. The client has one typed method
 * and the sandbox one route for each entry, which the compiler enforces.
 */

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Endpoint {
  readonly method: HttpMethod;
  /** The path as written in the guide; `{name}` is one encoded segment. */
  readonly path: string;
  /** The same endpoint in the dialect with `/schema` (platform-facts.md, 0 and 2.1), if different. */
  readonly schemaPath?: string;
  /** True if no Authorization header is needed (rest-api.md, "Authentication" 5). */
  readonly allowsAnonymous?: true;
  /**
   * True if the optional header `x-tenent-id` is sent, which the platform spells this way (rest-api.md, "Viewpoint
   * API").
   */
  readonly sendsTenant?: true;
  /** True if only administrators may call it (rest-api.md, "Authentication" 2). */
  readonly requiresAdministrator?: true;
  /**
   * True for a write whose request and response contain no dataset connections (platform-facts.md, 2.2, 2.5): the
   * history stores it unchanged. It stores all other writes with their secrets masked.
   */
  readonly isStoredVerbatim?: true;
  /** True for a DELETE that has a body, like every POST, PUT and PATCH (rest-api.md, "Custom data API"). */
  readonly hasBody?: true;
}

const models = '/api/v2/datamodels';
const model = `${models}/{datamodelId}` as const;
const dataset = `${model}/datasets/{datasetId}` as const;
const table = `${dataset}/tables/{tableId}` as const;
const modelSchemaPath = `${model}/schema` as const;
const datasetSchemaPath = `${modelSchemaPath}/datasets/{datasetId}` as const;
const tableSchemaPath = `${datasetSchemaPath}/tables/{tableId}` as const;
const cubes = '/api/elasticubes';
const cube = `${cubes}/{server}/{elasticube}` as const;
const live = '/api/v1/elasticubes/live';
const viewpoints = '/api/v1/infusion/viewpoints';
const customData = '/api/v1/custom_data';

export const endpoints = {
  'session.check': { method: 'GET', path: '/api/auth/isauth' },
  'groups.find': { method: 'GET', path: '/api/v1/groups' },
  /**
   * The guide has neither `groups.list` nor `users.list`. They are endpoints of the vendor's contract
   * (platform-facts.md, 6.2), so callers must also work without them.
   */
  'groups.list': { method: 'GET', path: '/api/v1/groups' },
  'users.list': { method: 'GET', path: '/api/v1/users' },

  'extractRules.list': { method: 'GET', path: `${cube}/datasecurity` },
  'extractRules.listByColumn': { method: 'GET', path: `${cube}/datasecurity/{table}/{column}` },
  'extractRules.listByUser': { method: 'GET', path: `${cube}/{user}/datasecurity` },
  'extractRules.createMany': {
    method: 'POST',
    path: `${cubes}/datasecurity`,
    requiresAdministrator: true,
    isStoredVerbatim: true,
  },
  'extractRules.create': {
    method: 'POST',
    path: `${cube}/datasecurity`,
    requiresAdministrator: true,
    isStoredVerbatim: true,
  },
  'extractRules.update': {
    method: 'PUT',
    path: `${cubes}/datasecurity/{ruleId}`,
    requiresAdministrator: true,
    isStoredVerbatim: true,
  },
  'extractRules.deleteByColumn': {
    method: 'DELETE',
    path: `${cube}/datasecurity`,
    requiresAdministrator: true,
    isStoredVerbatim: true,
  },
  'extractRules.delete': {
    method: 'DELETE',
    path: `${cubes}/datasecurity/{ruleId}`,
    requiresAdministrator: true,
    isStoredVerbatim: true,
  },

  'liveRules.list': { method: 'GET', path: `${live}/{title}/datasecurity` },
  'liveRules.create': {
    method: 'POST',
    path: `${live}/{title}/datasecurity`,
    requiresAdministrator: true,
    isStoredVerbatim: true,
  },
  /** Not in the vendor's contract: the vendor's own client sends it to releases of 2025. */
  'liveRules.createMany': {
    method: 'POST',
    path: `${live}/{title}/datasecurity/addMany`,
    requiresAdministrator: true,
    isStoredVerbatim: true,
  },
  'liveRules.delete': {
    method: 'DELETE',
    path: `${live}/datasecurity/{ruleId}`,
    requiresAdministrator: true,
    isStoredVerbatim: true,
  },
  'liveRules.deleteByColumn': {
    method: 'DELETE',
    path: `${live}/{title}/datasecurity/{table}/{column}`,
    requiresAdministrator: true,
    isStoredVerbatim: true,
  },

  'datamodels.list': { method: 'GET', path: models, schemaPath: `${models}/schema` },
  'datamodels.get': { method: 'GET', path: model, schemaPath: modelSchemaPath },
  'datamodels.create': { method: 'POST', path: models },
  'datamodels.delete': { method: 'DELETE', path: model },

  'datasets.list': { method: 'GET', path: `${model}/datasets`, schemaPath: `${modelSchemaPath}/datasets` },
  'datasets.get': { method: 'GET', path: dataset, schemaPath: datasetSchemaPath },
  'datasets.create': { method: 'POST', path: `${model}/datasets`, schemaPath: `${modelSchemaPath}/datasets` },
  'datasets.update': { method: 'PATCH', path: dataset, schemaPath: datasetSchemaPath },
  'datasets.delete': { method: 'DELETE', path: dataset, schemaPath: datasetSchemaPath },

  'tables.list': { method: 'GET', path: `${dataset}/tables`, schemaPath: `${datasetSchemaPath}/tables` },
  'tables.get': { method: 'GET', path: table, schemaPath: tableSchemaPath },
  'tables.create': { method: 'POST', path: `${dataset}/tables`, schemaPath: `${datasetSchemaPath}/tables` },
  'tables.update': { method: 'PATCH', path: table, schemaPath: tableSchemaPath },
  'tables.delete': { method: 'DELETE', path: table, schemaPath: tableSchemaPath },

  'relations.list': { method: 'GET', path: `${model}/relations`, schemaPath: `${modelSchemaPath}/relations` },
  'relations.get': {
    method: 'GET',
    path: `${model}/relations/{relationId}`,
    schemaPath: `${modelSchemaPath}/relations/{relationId}`,
  },
  'relations.create': {
    method: 'POST',
    path: `${model}/relations`,
    schemaPath: `${modelSchemaPath}/relations`,
    isStoredVerbatim: true,
  },
  'relations.update': {
    method: 'PATCH',
    path: `${model}/relations/{relationId}`,
    schemaPath: `${modelSchemaPath}/relations/{relationId}`,
    isStoredVerbatim: true,
  },
  'relations.delete': {
    method: 'DELETE',
    path: `${model}/relations/{relationId}`,
    schemaPath: `${modelSchemaPath}/relations/{relationId}`,
    isStoredVerbatim: true,
  },

  'builds.list': { method: 'GET', path: '/api/v2/builds' },
  'builds.start': { method: 'POST', path: '/api/v2/builds' },
  'builds.cancelAll': { method: 'DELETE', path: '/api/v2/builds' },
  'builds.get': { method: 'GET', path: '/api/v2/builds/{buildId}' },
  'builds.cancel': { method: 'DELETE', path: '/api/v2/builds/{buildId}' },

  'customData.list': { method: 'GET', path: customData },
  'customData.query': { method: 'GET', path: `${customData}/query` },
  'customData.create': { method: 'POST', path: customData, isStoredVerbatim: true },
  'customData.updateMatching': { method: 'PATCH', path: `${customData}/query`, isStoredVerbatim: true },
  'customData.deleteMatching': {
    method: 'DELETE',
    path: `${customData}/query`,
    isStoredVerbatim: true,
    hasBody: true,
  },

  'viewpoints.status': {
    method: 'GET',
    path: '/api/v1/infusion/status',
    allowsAnonymous: true,
    sendsTenant: true,
  },
  'viewpoints.list': { method: 'GET', path: viewpoints, sendsTenant: true },
  'viewpoints.get': { method: 'GET', path: `${viewpoints}/{viewpointId}`, sendsTenant: true },
  'viewpoints.create': { method: 'POST', path: viewpoints, sendsTenant: true, isStoredVerbatim: true },
  'viewpoints.update': {
    method: 'PUT',
    path: `${viewpoints}/{viewpointId}`,
    sendsTenant: true,
    isStoredVerbatim: true,
  },
  'viewpoints.delete': {
    method: 'DELETE',
    path: `${viewpoints}/{viewpointId}`,
    sendsTenant: true,
    isStoredVerbatim: true,
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointId = keyof typeof endpoints;

type PathParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParamNames<Rest>
  : never;

/** The values to fill into the path of an endpoint, by the name of their placeholder. */
export type PathParams<Id extends EndpointId> = {
  readonly [Name in PathParamNames<(typeof endpoints)[Id]['path']>]: string;
};

/** True if requests to an endpoint have a body. */
export function takesBody(id: EndpointId): boolean {
  const { method, hasBody }: Endpoint = endpoints[id];
  return hasBody === true || method === 'POST' || method === 'PUT' || method === 'PATCH';
}

/**
 * The two forms of the datamodel paths, with or without `/schema`; an instance uses one of them (platform-facts.md, 0).
 */
export type PathDialect = 'plain' | 'schema';

/** The name of the optional tenant header, as the platform spells it (rest-api.md, "Viewpoint API"). */
export const tenantHeader = 'x-tenent-id';

/** The path template of an endpoint in a dialect. */
export function getPathTemplate(id: EndpointId, dialect: PathDialect): string {
  const endpoint: Endpoint = endpoints[id];
  return dialect === 'schema' ? (endpoint.schemaPath ?? endpoint.path) : endpoint.path;
}

/**
 * A name that cannot be one path segment: URLs resolve `.` and `..`, an empty segment names the parent, and half a
 * surrogate pair cannot be encoded.
 */
export class PathSegmentError extends Error {
  override readonly name = 'PathSegmentError';
  readonly parameter: string;
  readonly value: string;

  constructor(parameter: string, value: string) {
    super(`"${value}" cannot be used as ${parameter} in an address of the platform`);
    this.parameter = parameter;
    this.value = value;
  }
}

/**
 * The path of an endpoint with its names filled in, each as one percent-encoded segment.
 * @throws PathSegmentError for an empty name, `.` and `..`, which would address another resource, and for half a
 *   surrogate pair
 */
export function formatPath(
  id: EndpointId,
  params: Readonly<Record<string, string>>,
  dialect: PathDialect = 'plain',
): string {
  return getPathTemplate(id, dialect).replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = params[name] ?? '';
    if (value === '' || value === '.' || value === '..' || !value.isWellFormed()) {
      throw new PathSegmentError(name, value);
    }
    return encodeURIComponent(value);
  });
}
