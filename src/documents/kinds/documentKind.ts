import type { Answer } from '../../client/answer.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { type JsonObject, type JsonValue, isJsonObject, getMember } from '../../base/json.ts';
import type { Write } from '../../changes/model/operation.ts';
import { type OmitPredicate, jsonEquals } from '../../base/canonicalJson.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import type { DocumentRef } from '../documentAddress.ts';
import type { JsonPath } from '../merge.ts';
import { DocumentRefusedError } from '../refusals.ts';

/** What a save starts from. */
export interface DocumentEdit {
  /** What the server holds now, secrets included. */
  readonly source: JsonValue;
  /** What the person was shown when the change began. */
  readonly before: JsonValue;
  /** What the person wants it to be. */
  readonly next: JsonValue;
  /** What the person gave for the secret at a path; `undefined` where nothing was given yet. */
  readonly secret: (path: JsonPath) => SecretAnswer | undefined;
}

/** A secret as the person typed it, or the wish to send back what the server answered. */
export type SecretAnswer = { readonly typed: string } | 'as-it-came';

/** How documents of a kind are read, shown and written. */
export interface DocumentKindDescriptor<Ref extends DocumentRef> {
  /** What the text is written in; comments belong to `jsonc` only. */
  readonly language: 'json' | 'jsonc' | 'datamodel-sql';
  /** Which fields the server keeps by itself; those of platform-facts unless said. */
  readonly isServerManaged?: OmitPredicate;
  /** Documents of one connection with the same text are answered by the same request. */
  sourceKey(ref: Ref): string;
  /** Asks the server, with one request; see {@link sourceKey}. */
  fetch(client: PlatformClient, ref: Ref, signal?: AbortSignal): Promise<Answer<unknown>>;
  /** What a person sees of the answer, without secrets; a text for SQL. `undefined` where it is not in there. */
  show(source: JsonValue, ref: Ref): JsonValue | undefined;
  /** Which members of the document a person may change; all of them where it is no object. */
  readonly isEditable?: (name: string) => boolean;
  /**
   * The writes that make the server hold what the person wants; none where it does already. Absent where documents of
   * the kind cannot be changed.
   * @throws DocumentRefusedError
   * @throws PayloadError for what the spec does not let us send
   */
  writes?(ref: Ref, edit: DocumentEdit): readonly Write[];
  /** What the server holds after those writes, as far as their answers and bodies tell. */
  after?(ref: Ref, done: CompletedWrites): JsonValue;
}

/** Writes that were carried out. */
export interface CompletedWrites {
  readonly source: JsonValue;
  readonly writes: readonly Write[];
  /** What each was answered; `undefined` where nothing that can be read. */
  readonly answers: readonly (JsonValue | undefined)[];
}

/** The items of a list in any of its forms (platform-facts 2.1, 4). */
export function getListItems(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) {
    return value as readonly JsonValue[];
  }
  const list = isJsonObject(value) ? Object.values(value).find((entry) => Array.isArray(entry)) : undefined;
  return (list as readonly JsonValue[] | undefined) ?? [];
}

/** @throws DocumentRefusedError when the value is no object */
export function requireObjectValue(value: JsonValue, path: JsonPath = []): JsonObject {
  if (!isJsonObject(value)) {
    throw new DocumentRefusedError('wrong-shape', { paths: [path] });
  }
  return value;
}

/**
 * Sees to it that a person changed nothing but what a write can carry, since anything else would be lost with the
 * next reading: only members of these names, and none of them taken away. What the server keeps by itself does not
 * count: a person's text may well have been made from an earlier state of its books.
 * @throws DocumentRefusedError
 */
export function checkOnlyEditable(
  before: JsonValue,
  next: JsonObject,
  isEditable: (name: string) => boolean,
  path: JsonPath = [],
  isServerManaged: OmitPredicate = isServerManagedField,
): void {
  const start = isJsonObject(before) ? before : {};
  const changed = [...new Set([...Object.keys(start), ...Object.keys(next)])].filter(
    (name) => !isServerManaged(name) && !jsonEquals(getMember(start, name), getMember(next, name)),
  );
  const at = (names: readonly string[]) => ({ paths: names.map((name) => [...path, name]) });
  const foreign = changed.filter((name) => !isEditable(name));
  if (foreign.length > 0) {
    throw new DocumentRefusedError('not-editable', at(foreign));
  }
  const removed = changed.filter((name) => getMember(next, name) === undefined);
  if (removed.length > 0) {
    throw new DocumentRefusedError('not-removable', at(removed));
  }
}

/** The members of these names that say something else than the server's. */
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

/** An object that a write answered whole; else what the server held with what was sent. */
export function mergeAnswer(
  source: JsonValue,
  answer: JsonValue | undefined,
  id: { readonly name: string; readonly value: string },
  sent: JsonObject,
): JsonValue {
  const known = isJsonObject(source) ? source : {};
  const isWhole =
    isJsonObject(answer) &&
    getMember(answer, id.name) === id.value &&
    Object.keys(known).every((name) => name in answer);
  return isWhole ? answer : { ...known, ...(isJsonObject(answer) ? answer : {}), ...sent };
}
