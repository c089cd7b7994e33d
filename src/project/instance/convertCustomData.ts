import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { type Message, createMessage } from '../../base/localize.ts';
import { maskConnectorSettings } from '../../base/secrets/maskSecrets.ts';
import { getText, omitMembers } from '../../changes/model/jsonMembers.ts';
import type { ConversionError, ConvertedItems } from './conversionResult.ts';
import { findIdentifierTexts } from './identifiers.ts';
import type { Parties } from './parties.ts';
import { readItems } from './jsonLists.ts';

/** A name for custom data in the project, and the objects that match its filter. */
export interface NamedCustomData {
  readonly name: string;
  readonly objects: readonly JsonObject[];
}

/**
 * Returns all texts in custom data except the objects' own identifiers. Objects that may contain a secret are left out,
 * because texts with identifiers are stored in the lock file.
 */
export function getCustomDataTexts(namedData: readonly NamedCustomData[]): ReadonlySet<string> {
  const texts = new Set<string>();
  const visit = (value: JsonValue): void => {
    if (typeof value === 'string') {
      texts.add(value);
    } else if (isJsonObject(value)) {
      Object.values(value).forEach(visit);
    } else {
      readItems(value).forEach(visit);
    }
  };
  namedData
    .flatMap(({ objects }) => objects)
    .filter((object) => !mayContainSecret(object))
    .forEach((object) => visit(omitMembers(object, '_id')));
  return texts;
}

/**
 * Returns whether an object may contain a secret. All members are checked as strictly as those of a connection.
 * `maskConnectorSettings` returns the same object if it masks nothing.
 */
const mayContainSecret = (object: JsonObject): boolean => maskConnectorSettings(object) !== object;

/**
 * Converts custom data objects to items. An object is kept whole (rest-api.md, "Custom data object"), apart from its
 * `_id`; a text that is or contains an identifier becomes a reference. An object with content that no file may contain
 * is refused.
 * @param parties must have been created with the texts of the objects
 */
export function convertCustomData(
  namedData: readonly NamedCustomData[],
  parties: Parties,
): ConvertedItems & { readonly conversionErrors: readonly ConversionError[] } {
  const conversionErrors: ConversionError[] = [];
  const namesById = Map.groupBy(
    namedData.filter(({ objects }) => objects.length === 1),
    ({ objects }) => getText(objects[0]?.['_id']),
  );
  const converted = namedData.flatMap(({ name, objects }) => {
    const [object] = objects;
    if (object === undefined) {
      return [];
    }
    const key = { kind: 'customData', name } as const;
    const oid = getText(object['_id']);
    const otherName = namesById.get(oid)?.find((other) => other.name !== name)?.name;
    const fault =
      objects.length > 1
        ? createMessage(
            'The custom data "{0}" matches {1} objects. Expected: one. Add conditions to its filter in datamodel-studio.json.',
            name,
            objects.length,
          )
        : oid !== '' && otherName !== undefined
          ? createMessage(
              'The custom data "{0}" matches the same object as "{1}". Change the filter of one of them in datamodel-studio.json.',
              name,
              otherName,
            )
          : findFault(name, object, parties);
    if (fault !== undefined) {
      conversionErrors.push({ key, userMessage: fault });
      return [];
    }
    return [{ key, oid, content: convertValue(omitMembers(object, '_id'), parties) }];
  });
  return {
    items: converted.map(({ key, content }) => ({ key, content })),
    identities: converted.flatMap(({ key, oid }) => (oid === '' ? [] : [{ key, oid }])),
    notes: [],
    conversionErrors,
  };
}

/** Returns why a file must not contain an object; `undefined` if it may. */
function findFault(name: string, object: JsonObject, parties: Parties): Message | undefined {
  return mayContainSecret(object)
    ? createMessage(
        'The custom data "{0}" might contain a secret. Secrets don\'t belong in files. Remove it from "customData" in datamodel-studio.json.',
        name,
      )
    : findMemberFault(name, omitMembers(object, '_id'), parties);
}

/**
 * Returns the first fault of the names of members: one that contains an identifier, which cannot become a reference, or
 * that is spelled like a reference of a file. `undefined` if there is none.
 */
function findMemberFault(name: string, value: JsonValue, parties: Parties): Message | undefined {
  if (!isJsonObject(value)) {
    return readItems(value)
      .map((item) => findMemberFault(name, item, parties))
      .find((fault) => fault !== undefined);
  }
  for (const [memberName, member] of Object.entries(value)) {
    if (parties.findReference(memberName) !== undefined || findIdentifierTexts(memberName).length > 0) {
      return createMessage(
        'The custom data "{0}" has an ID as a property name. IDs differ between instances. Remove it from "customData" in datamodel-studio.json.',
        name,
      );
    }
    if (memberName === '$ref' && isJsonObject(member)) {
      return createMessage(
        'The custom data "{0}" has a "$ref" property of its own. In a file, it would be read as a reference. Remove the custom data from "customData" in datamodel-studio.json.',
        name,
      );
    }
    const fault = findMemberFault(name, member, parties);
    if (fault !== undefined) {
      return fault;
    }
  }
  return undefined;
}

function convertValue(value: JsonValue, parties: Parties): JsonValue {
  if (Array.isArray(value)) {
    return readItems(value).map((item) => convertValue(item, parties));
  }
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, convertValue(member, parties)]),
    );
  }
  const reference = typeof value === 'string' ? parties.findTextReference(value) : undefined;
  return reference === undefined ? value : { $ref: reference };
}
