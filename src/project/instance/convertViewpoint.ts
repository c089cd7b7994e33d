import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { getText } from '../../changes/model/jsonMembers.ts';
import type { ReferencedParty } from '../../catalog/people/userDirectory.ts';
import { isInstanceSpecificField, isServerManagedField } from '../../contract/serverManagedFields.ts';
import { livePrefix } from '../../contract/terms.ts';
import { serverManagedViewpointFields } from '../../contract/viewpoint.ts';
import type { ProjectItem } from '../item.ts';
import type { MemberConverters } from './convertRules.ts';
import { findIdentifierTexts } from './identifiers.ts';
import { readItems, sortByJson } from './jsonLists.ts';

/** Returns the users and groups that viewpoints are shared with. */
export const getViewpointParties = (viewpoints: readonly JsonObject[]): readonly ReferencedParty[] =>
  viewpoints.flatMap(({ visibility }) =>
    isJsonObject(visibility)
      ? [
          ...readTexts(visibility['groups']).map((value) => ({ type: 'group', value }) as const),
          // Users are given by identifier, groups by identifier or by name (rest-api.md, "ViewpointVisibility").
          ...readTexts(visibility['users']).map((value) => ({ type: 'user', value, isId: true }) as const),
        ]
      : [],
  );

/**
 * Converts a viewpoint to an item, without what the server assigns, and without members that are null: in a file, null
 * removes a member.
 */
export function convertViewpoint(viewpoint: JsonObject, converters: MemberConverters): ProjectItem {
  const { details = null, visibility = null, ...others } = viewpoint;
  return {
    key: { kind: 'viewpoint', viewpoint: getText(viewpoint['name']) },
    content: {
      ...converters.cleaner.cleanMembers(
        Object.fromEntries(Object.entries(others).filter(([name]) => !isSetByServer(name))),
      ),
      ...(details === null ? {} : { details: convertDetails(details, converters) }),
      ...(visibility === null ? {} : { visibility: convertVisibility(visibility, converters) }),
    },
  };
}

/** Cleans what is in a member but keeps nulls: complex members of viewpoints are always sent whole. */
const cleanMembers = (object: JsonObject, { cleaner }: MemberConverters): JsonObject => {
  const cleaned = cleaner.cleanMembers(object);
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const member = value === null ? null : cleaned[name];
      return member === undefined ? [] : [[name, member] as const];
    }),
  );
};

/** Returns whether the server sets a member of a viewpoint: on creation, or whenever it changes. */
const isSetByServer = (name: string): boolean =>
  serverManagedViewpointFields.has(name) || isInstanceSpecificField(name) || isServerManagedField(name);

/**
 * Converts the details of a viewpoint. Its columns are kept as they are: the filters in them may have values of any
 * form.
 */
function convertDetails(details: JsonValue, converters: MemberConverters): JsonValue {
  if (!isJsonObject(details)) {
    return details;
  }
  const { datasource, columns, ...others } = details;
  return {
    ...(datasource === undefined
      ? {}
      : { datasource: isJsonObject(datasource) ? convertDatasource(datasource) : datasource }),
    ...(columns === undefined ? {} : { columns }),
    ...cleanMembers(others, converters),
  };
}

/**
 * Keeps title and model type, which identify the datamodel on every instance; what can be derived from them is left
 * out.
 */
function convertDatasource(datasource: JsonObject): JsonObject {
  const title = getText(datasource['title']);
  return Object.fromEntries(
    Object.entries(datasource).filter(
      ([name, value]) =>
        !isSetByServer(name) &&
        !(name === 'fullname' && isDerivedFullname(value, title)) &&
        !(typeof value === 'string' && name !== 'title' && findIdentifierTexts(value).length > 0),
    ),
  );
}

/**
 * Returns whether a full name is `live:Title` or `Server/Title`, as in new viewpoints (see
 * `viewpoints/form/createDatasource.ts`).
 */
const isDerivedFullname = (fullname: JsonValue, title: string): boolean =>
  typeof fullname === 'string' &&
  (fullname === `${livePrefix}${title}` ||
    (fullname.endsWith(`/${title}`) && !fullname.slice(0, -title.length - 1).includes('/')));

/** Converts the sharing of a viewpoint. The order of the parties has no meaning, so they are sorted. */
function convertVisibility(visibility: JsonValue, converters: MemberConverters): JsonValue {
  if (!isJsonObject(visibility)) {
    return visibility;
  }
  const { groups, users, ...others } = visibility;
  const { parties } = converters;
  return {
    ...cleanMembers(others, converters),
    ...(groups === undefined ? {} : { groups }),
    ...(users === undefined ? {} : { users }),
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
