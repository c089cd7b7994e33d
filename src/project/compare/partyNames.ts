import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import type { PartyKind } from '../../catalog/people/userDirectory.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import type { ItemKey } from '../item.ts';

/**
 * Replaces the names of users and groups in the content of an item by those that a pull writes: a file may name a user
 * by the e-mail address, but a pull writes the user name.
 */
export function renameParties(
  { kind }: ItemKey,
  content: JsonValue,
  rename: (type: PartyKind, name: JsonValue) => JsonValue,
): JsonValue {
  switch (kind) {
    case 'rules':
    case 'cubeSetRules':
      return mapObjects(content, (rule) =>
        mapMember(rule, 'shares', (shares) =>
          mapObjects(shares, (share) => {
            const { type } = share;
            return type === 'user' || type === 'group'
              ? mapMember(share, 'party', (name) => rename(type, name))
              : share;
          }),
        ),
      );
    case 'viewpoint':
      return isJsonObject(content)
        ? mapMember(content, 'visibility', (visibility) =>
            isJsonObject(visibility)
              ? mapMember(
                  mapMember(visibility, 'users', (users) => mapItems(users, (name) => rename('user', name))),
                  'groups',
                  (groups) => mapItems(groups, (name) => rename('group', name)),
                )
              : visibility,
          )
        : content;
    case 'datamodel':
    case 'dataset':
    case 'table':
    case 'tableExpression':
    case 'columnExpression':
    case 'relation':
    case 'customData':
      return content;
  }
}

const mapItems = (list: JsonValue, convert: (item: JsonValue) => JsonValue): JsonValue =>
  isJsonArray(list) ? list.map(convert) : list;

const mapObjects = (list: JsonValue, convert: (item: JsonObject) => JsonObject): JsonValue =>
  mapItems(list, (item) => (isJsonObject(item) ? convert(item) : item));

const mapMember = (object: JsonObject, name: string, convert: (value: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([member, value]) => [member, member === name ? convert(value) : value]),
  );
