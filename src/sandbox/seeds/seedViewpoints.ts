import type { JsonObject } from '../../base/json.ts';
import { calendarSuffix } from '../../contract/terms.ts';
import { createSeedObjectId } from './seedIds.ts';
import { builtInUsers } from './seed.ts';

interface ViewpointSpec {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly datasource: JsonObject;
  readonly columns: readonly JsonObject[];
  readonly apps: readonly string[];
  /** Group names or ids (rest-api.md, "ViewpointVisibility"). */
  readonly groups: readonly string[];
  readonly users: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Creates the datasource of a viewpoint (rest-api.md, "ViewpointDetails"). */
export function createSeedDatasource(title: string, modelType: 'live' | 'external'): JsonObject {
  const name = title.replaceAll(' ', '');
  return {
    id: modelType === 'live' ? `live_a${name}` : `localhost_a${name}`,
    title,
    fullname: modelType === 'live' ? `live:${title}` : `LocalHost/${title}`,
    modelType,
  };
}

/** Creates a viewpoint as GET returns it (rest-api.md, "Viewpoint"). */
export function createSeedViewpoint(spec: ViewpointSpec): JsonObject {
  return {
    id: spec.id,
    name: spec.name,
    tenantId: createSeedObjectId('tenant'),
    description: spec.description,
    enabled: spec.enabled,
    createdBy: builtInUsers.administrator._id,
    updatedBy: builtInUsers.administrator._id,
    createdAt: spec.createdAt,
    updatedAt: spec.updatedAt,
    visibility: { apps: spec.apps, groups: spec.groups, users: spec.users, enabled: spec.enabled },
    details: { datasource: spec.datasource, columns: spec.columns },
  };
}

/** Formats the `dim` of a viewpoint column; for a date column it ends in ` (Calendar)` (platform-facts.md, 5.1). */
export const formatSeedDim = (table: string, column: string, isDate: boolean): string =>
  `[${table}.${column}${isDate ? calendarSuffix : ''}]`;
