import type { ApiResponse } from '../../client/apiResponse.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { type JsonPath, type JsonObject, type JsonValue, isJsonObject, getMember } from '../../base/json.ts';
import type { Write } from '../../changes/model/operation.ts';
import { type OmitPredicate, jsonEquals } from '../../base/canonicalJson.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { DocumentRefusedError } from '../refusals.ts';

/** The versions of a document that a save is based on, and the user's decisions about it. */
export interface DocumentEdit {
  /** The server's current document, secrets included. */
  readonly source: JsonValue;
  /** The document as it was when the user began to edit. */
  readonly before: JsonValue;
  /** The document that the user saved. */
  readonly next: JsonValue;
  /** Returns the user's answer for the secret at a path; `undefined` if the user was not asked yet. */
  readonly getSecretAnswer: (path: JsonPath) => SecretAnswer | undefined;
  /** The user's decision about everyone else, for a new rule; `undefined` if the user was not asked yet. */
  readonly everyoneElse?: EveryoneElseDecision | undefined;
}

/** A secret as the user typed it, or the choice to send back the server's value. */
export type SecretAnswer = { readonly typedValue: string } | 'server-value';

/**
 * The rule for everyone else that is added together with a new rule: one that grants all values or none, or no rule
 * (rest-api.md, "Kinds of rule" 1).
 */
export type EveryoneElseDecision = 'everything' | 'nothing' | 'none';

/** Defines how documents of a kind are read, shown and written. */
export interface DocumentKindDescriptor<Ref extends DocumentRef> {
  /** The language of the text; comments belong to `jsonc` only. */
  readonly language: 'json' | 'jsonc' | 'datamodel-sql';
  /** Returns whether the server manages a field; by default, those of platform-facts.md, 2.2 and 3.1. */
  readonly isServerManaged?: OmitPredicate;
  /** Documents of one connection with the same key share a request. */
  getSourceKey(ref: Ref): string;
  /** Reads the document from the server, with one request; see {@link getSourceKey}. */
  fetch(client: PlatformClient, ref: Ref, signal?: AbortSignal): Promise<ApiResponse<unknown>>;
  /**
   * Returns the visible part of the response, without secrets; a text for SQL. `undefined` if the response doesn't
   * contain it.
   */
  getVisiblePart(source: JsonValue, ref: Ref): JsonValue | undefined;
  /** Returns whether the user may change a member of the document; absent if all can be changed. */
  readonly isEditable?: (name: string) => boolean;
  /** Returns the name of the resource that a save creates. Absent for documents that exist on the server. */
  readonly getCreatedName?: (next: JsonValue) => string;
  /**
   * Returns the writes that store the user's version on the server; none if it is already there. Absent if documents of
   * the kind can't be changed.
   * @throws DocumentRefusedError
   * @throws PayloadError for values that the API guide does not allow
   */
  createWrites?(ref: Ref, edit: DocumentEdit): readonly Write[];
  /** Returns the server's document after the writes, derived from their responses and request bodies. */
  applyWrites?(ref: Ref, completed: CompletedWrites): JsonValue;
}

/** Writes that were carried out. */
export interface CompletedWrites {
  /** The server's document before the writes. */
  readonly source: JsonValue;
  readonly writes: readonly Write[];
  /** The response of each; `undefined` if it can't be read. */
  readonly responses: readonly (JsonValue | undefined)[];
}

/** Returns the items of a list in any of its forms (platform-facts.md, 2.1, 4). */
export function getListItems(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) {
    return value as readonly JsonValue[];
  }
  const list = isJsonObject(value) ? Object.values(value).find((entry) => Array.isArray(entry)) : undefined;
  return (list as readonly JsonValue[] | undefined) ?? [];
}

/** @throws DocumentRefusedError when the value is not an object */
export function requireObjectValue(value: JsonValue, path: JsonPath = []): JsonObject {
  if (!isJsonObject(value)) {
    throw new DocumentRefusedError('wrong-shape', { paths: [path] });
  }
  return value;
}

/**
 * Checks that the user changed only editable members and removed none of them, since a write can't send anything else
 * and the change would be lost with the next read. Fields that the server manages are ignored: the user's text may
 * contain earlier values of them.
 * @throws DocumentRefusedError
 */
export function checkOnlyEditable(
  before: JsonValue,
  next: JsonObject,
  isEditable: (name: string) => boolean,
  path: JsonPath = [],
  isServerManaged: OmitPredicate = isServerManagedField,
): void {
  const beforeObject = isJsonObject(before) ? before : {};
  const changed = [...new Set([...Object.keys(beforeObject), ...Object.keys(next)])].filter(
    (name) => !isServerManaged(name) && !jsonEquals(getMember(beforeObject, name), getMember(next, name)),
  );
  const createDetails = (names: readonly string[]) => ({ paths: names.map((name) => [...path, name]) });
  const notEditable = changed.filter((name) => !isEditable(name));
  if (notEditable.length > 0) {
    throw new DocumentRefusedError('not-editable', createDetails(notEditable));
  }
  const removed = changed.filter((name) => getMember(next, name) === undefined);
  if (removed.length > 0) {
    throw new DocumentRefusedError('not-removable', createDetails(removed));
  }
}

/** Returns the editable members that differ from the server's. */
export const getChangedMembers = (
  source: JsonValue,
  next: JsonObject,
  isEditable: (name: string) => boolean,
): JsonObject =>
  Object.fromEntries(
    Object.entries(next).filter(
      ([name, member]) => isEditable(name) && !jsonEquals(getMember(source, name), member),
    ),
  );

/**
 * Returns the write's response if it is the complete object; otherwise the earlier document merged with the response
 * and the request body.
 */
export function mergeResponse(
  source: JsonValue,
  response: JsonValue | undefined,
  idMember: { readonly name: string; readonly value: string },
  sentMembers: JsonObject,
): JsonValue {
  const earlierMembers = isJsonObject(source) ? source : {};
  const isComplete =
    isJsonObject(response) &&
    getMember(response, idMember.name) === idMember.value &&
    Object.keys(earlierMembers).every((name) => name in response);
  return isComplete
    ? response
    : { ...earlierMembers, ...(isJsonObject(response) ? response : {}), ...sentMembers };
}
