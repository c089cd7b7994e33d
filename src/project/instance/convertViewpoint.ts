import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { getText } from '../../changes/model/readJson.ts';
import type { ReferencedParty } from '../../catalog/people/directory.ts';
import { isAssignedField, isServerManagedField } from '../../contract/serverManagedFields.ts';
import { livePrefix } from '../../contract/terms.ts';
import { serverManagedViewpointFields } from '../../contract/viewpoint.ts';
import type { ProjectItem } from '../item.ts';
import { findIdentifierTexts } from './identifiers.ts';
import type { Parties } from './parties.ts';
import { readItems, sortByJson } from './readValues.ts';

/** Returns the users and groups that viewpoints are shared with. */
export const getViewpointParties = (viewpoints: readonly JsonObject[]): readonly ReferencedParty[] =>
  viewpoints.flatMap(({ visibility }) =>
    isJsonObject(visibility)
      ? [
          ...readTexts(visibility['groups']).map((value) => ({ type: 'group', value }) as const),
          // Users are given by identifier, groups by either (rest-api.md, "ViewpointVisibility").
          ...readTexts(visibility['users']).map((value) => ({ type: 'user', value, isId: true }) as const),
        ]
      : [],
  );

/** Converts a viewpoint to an item, without what the server assigns. */
export function convertViewpoint(viewpoint: JsonObject, parties: Parties): ProjectItem {
  const { details, visibility, ...others } = viewpoint;
  return {
    key: { kind: 'viewpoint', viewpoint: getText(viewpoint['name']) },
    content: {
      ...Object.fromEntries(Object.entries(others).filter(([name]) => !isOwnedByServer(name))),
      ...(details === undefined ? {} : { details: convertDetails(details) }),
      ...(visibility === undefined ? {} : { visibility: convertVisibility(visibility, parties) }),
    },
  };
}

const isOwnedByServer = (name: string): boolean =>
  serverManagedViewpointFields.has(name) || isAssignedField(name) || isServerManagedField(name);

function convertDetails(details: JsonValue): JsonValue {
  return isJsonObject(details) && isJsonObject(details['datasource'])
    ? { ...details, datasource: convertDatasource(details['datasource']) }
    : details;
}

/** Title and model type identify the datamodel on every instance; what follows from them is left out. */
function convertDatasource(datasource: JsonObject): JsonObject {
  const title = getText(datasource['title']);
  return Object.fromEntries(
    Object.entries(datasource).filter(
      ([name, value]) =>
        !isOwnedByServer(name) &&
        !(name === 'fullname' && isDerivedFullname(value, title)) &&
        !(typeof value === 'string' && name !== 'title' && findIdentifierTexts(value).length > 0),
    ),
  );
}

/** True for `live:Title` and `Server/Title`, as a new viewpoint has it (see `viewpoints/form/createDatasource.ts`). */
const isDerivedFullname = (fullname: JsonValue, title: string): boolean =>
  typeof fullname === 'string' &&
  (fullname === `${livePrefix}${title}` ||
    (fullname.endsWith(`/${title}`) && !fullname.slice(0, -title.length - 1).includes('/')));

/** The order of the parties has no meaning. */
function convertVisibility(visibility: JsonValue, parties: Parties): JsonValue {
  if (!isJsonObject(visibility)) {
    return visibility;
  }
  const { groups, users } = visibility;
  return {
    ...visibility,
    ...(Array.isArray(groups)
      ? {
          groups: sortByJson(
            readItems(groups).map((value) =>
              typeof value === 'string' ? parties.getGroupReference(value) : value,
            ),
          ),
        }
      : {}),
    ...(Array.isArray(users)
      ? {
          users: sortByJson(
            readItems(users).map((value) =>
              typeof value === 'string' ? parties.getReference('user', value) : value,
            ),
          ),
        }
      : {}),
  };
}

const readTexts = (value: JsonValue | undefined): readonly string[] =>
  readItems(value).filter((item) => typeof item === 'string');
