import type { JsonObject } from '../../base/json.ts';
import type { DatamodelType } from '../../contract/datamodel.ts';

/** The server that hosts the cubes of a sandbox (platform-facts.md, 2.2 and 3.1). */
export const cubeServer = 'LocalHost';

/** The `serverId` in datamodel documents; the same for every sandbox. */
const serverId = '00000000-0000-4000-8000-00000000c0be';

/** The only tenant of a sandbox, in the shape of platform-facts.md, 2.2. */
const tenant: JsonObject = {
  _id: '00000000000000000000b001',
  name: 'system',
  default: true,
  systemManagement: true,
};

/** Creates a datamodel document in the shape of platform-facts.md, 2.2. `timestamp` is an ISO 8601 time. */
export function createDatamodelDocument(properties: {
  readonly oid: string;
  readonly title: string;
  readonly type: DatamodelType;
  readonly creator: JsonObject | undefined;
  readonly timestamp: string;
}): JsonObject {
  const { oid, title, type, creator, timestamp } = properties;
  return {
    oid,
    title,
    server: cubeServer,
    serverId,
    type,
    relationType: 'direct',
    revision: null,
    lastBuildTime: null,
    lastSuccessfulBuildTime: null,
    lastBuildTimeFromNextECM: null,
    lastPublishTime: null,
    lastUpdated: timestamp,
    shares: creator === undefined ? [] : [{ partyId: creator['_id'] ?? null, type: 'user', permission: 'w' }],
    datasets: [],
    relations: [],
    modelingTransformations: [],
    schedule: null,
    creator: creator === undefined ? null : createCreatorDocument(creator, timestamp),
    tenant,
    relationsTables: [],
    analyticalEngine: { queryAeMode: 'AE_ONLY', customTranslationMode: null, generateDependenciesMode: null },
  };
}

const createCreatorDocument = (
  { _id, userName, email, firstName, lastName }: JsonObject,
  timestamp: string,
): JsonObject => ({
  id: _id ?? null,
  userName: userName ?? null,
  email: email ?? null,
  firstName: firstName ?? null,
  lastName: lastName ?? null,
  active: true,
  lastLogin: timestamp,
});
