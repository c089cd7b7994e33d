import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { getRefKey, type ResourceRef } from '../../catalog/resourceRef.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { nestedFields } from '../endpoints/effects.ts';
import { hashDocument } from '../model/documentHash.ts';
import { getDocumentChanges, getMemberChanges, isSameField } from '../model/fieldChanges.ts';
import type { CurrentDocuments } from '../model/undoWrites.ts';
import type { FieldChange } from '../model/plan.ts';
import { getPlanSubjectName } from '../model/planSubjects.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import type { CreatedItem } from './createdItems.ts';
import type { HistoryEntry } from './entry.ts';
import { getWrittenObjectId } from './undoCustomData.ts';

/** A document that was changed after an entry. */
export interface ChangedDocument {
  readonly ref: ResourceRef;
  readonly name: string;
  /** True if the document no longer exists. */
  readonly isGone: boolean;
  /** True if the entry has created it, so that its undo deletes it. */
  readonly isCreated?: true;
  /** The names of the members at the top of the document that were changed. */
  readonly members: readonly string[];
  /** What was changed in these members, down to single fields: after the entry, and now. */
  readonly fields: readonly FieldChange[];
  /** The columns that a relation joins: after the entry, and now. */
  readonly joinedColumns?: {
    readonly expected: readonly JsonObject[];
    readonly current: readonly JsonObject[];
  };
}

/**
 * Finds the documents of an entry that were changed later. Rules are compared column by column instead:
 * `findChangedColumns`.
 * @param ownEntries entries whose changes are not reported: the entry itself, and for a restore the later ones
 */
export function findChangedDocuments(
  entry: HistoryEntry,
  ownEntries: readonly HistoryEntry[],
  currentDocuments: CurrentDocuments,
): readonly ChangedDocument[] {
  const currentByKey = new Map(currentDocuments.map(({ ref, document }) => [getRefKey(ref), document]));
  const versionsByKey = new Map(getVersionsAfter(entry).map((version) => [getRefKey(version.ref), version]));
  const ownVersionsByKey = Map.groupBy(
    ownEntries.flatMap((ownEntry) => getVersionsAfter(ownEntry).map((version) => ({ ownEntry, ...version }))),
    ({ ref }) => getRefKey(ref),
  );
  return [...versionsByKey.values()].flatMap(({ ref, hash }) => {
    if (hash === 'absent' || 'subject' in ref || !currentByKey.has(getRefKey(ref))) {
      return [];
    }
    const current = currentByKey.get(getRefKey(ref));
    const ownVersions = ownVersionsByKey.get(getRefKey(ref)) ?? [];
    const currentHash = hashDocument(ref.kind, current);
    if (ownVersions.some((version) => version.hash === currentHash)) {
      return [];
    }
    const last = ownVersions.at(-1) ?? { ownEntry: entry, hash };
    const expected = asObject(getDocumentAfter(last.ownEntry, ref, last.hash));
    const members = getChangedMembers(ref, expected, asObject(current));
    return [
      {
        ref,
        name: getPlanSubjectName(isJsonObject(current) ? current : expected),
        isGone: current === undefined,
        members: current === undefined ? [] : members,
        fields:
          current === undefined ? [] : getFields(ref, members, { expected, current: asObject(current) }),
        ...(ref.kind === 'relation' ? getJoinedColumns(expected, asObject(current)) : {}),
      },
    ];
  });
}

const getJoinedColumns = (
  expected: JsonObject,
  current: JsonObject,
): Required<Pick<ChangedDocument, 'joinedColumns'>> => ({
  joinedColumns: { expected: getObjects(expected['columns']), current: getObjects(current['columns']) },
});

/**
 * Returns the hashes of the documents after an entry. If it was interrupted or abandoned, so that they were not
 * recorded, returns those from before its writes and those that its requests would lead to, since either may be the
 * current version.
 */
function getVersionsAfter(entry: HistoryEntry): HistoryEntry['versionsAfter'] {
  if (entry.end !== undefined && entry.isAbandoned !== true) {
    return entry.versionsAfter;
  }
  const targets = new Set(
    entry.operation.writes.flatMap(({ target }) => (target === undefined ? [] : [getRefKey(target)])),
  );
  return entry.before
    .filter(({ ref, document }) => document !== undefined && targets.has(getRefKey(ref)))
    .flatMap(({ ref, document }) =>
      [document, getDocumentAfter(entry, ref, '')].map((version) => ({
        ref,
        hash: hashDocument(ref.kind, version),
      })),
    );
}

const isCustomData = ({ kind }: ResourceRef): boolean => kind === 'customData' || kind === 'customDataObject';

/**
 * Returns a document after an entry. The history stores only its hash, so the content is derived from the
 * requests and responses.
 */
function getDocumentAfter(entry: HistoryEntry, ref: ResourceRef, hash: string): JsonValue | undefined {
  const key = getRefKey(ref);
  let document: JsonValue | undefined = entry.before.find(
    (before) => getRefKey(before.ref) === key,
  )?.document;
  const versions: JsonValue[] = [];
  for (const [index, write] of entry.operation.writes.entries()) {
    const state = entry.writeStates[index];
    const isTarget = write.target !== undefined && getRefKey(write.target) === key;
    const writesCustomDataObject =
      ref.kind === 'customDataObject' && getWrittenObjectId(write) === ref.objectId;
    const mayBeDone = state !== undefined && state.state !== 'waiting' && state.state !== 'failed';
    if (mayBeDone && (isTarget || writesCustomDataObject)) {
      document = {
        ...asObject(document),
        ...asObject(writesCustomDataObject ? asObject(write.body)['objectForUpdate'] : write.body),
      };
      versions.push(...(state.state === 'done' && state.answer !== undefined ? [state.answer] : []));
    }
  }
  return versions.findLast((version) => hashDocument(ref.kind, version) === hash) ?? document;
}

function getChangedMembers(ref: ResourceRef, expected: JsonObject, current: JsonObject): readonly string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(current)])];
  return names.filter((name) =>
    isCustomData(ref)
      ? getMemberChanges(expected, { [name]: current[name] ?? null }).length > 0
      : !isServerManagedField(name) &&
        !isSameField(withoutServerFields(expected[name]), withoutServerFields(current[name])),
  );
}

/** The members of a created item that are described if others have changed them. */
const describedMembers: ReadonlySet<string> = new Set([
  'name',
  'title',
  'description',
  'hidden',
  'tags',
  'columns',
  'expression',
  'details',
  'enabled',
  'visibility',
]);

/**
 * Finds what others have changed in items that an entry has created, and that its undo would delete.
 * @param currentDocuments the current documents of these items
 */
export function findChangedCreations(
  createdItems: readonly CreatedItem[],
  currentDocuments: CurrentDocuments,
): readonly ChangedDocument[] {
  const currentByKey = new Map(currentDocuments.map(({ ref, document }) => [getRefKey(ref), document]));
  return createdItems.flatMap(({ ref, created, isUnchanged }): readonly ChangedDocument[] => {
    const current = currentByKey.get(getRefKey(ref));
    if (!isJsonObject(current) || isUnchanged(current)) {
      return [];
    }
    const expected = asObject(created);
    const members = getChangedMembers(ref, expected, current).filter((name) => describedMembers.has(name));
    const changed = {
      ref,
      name: getPlanSubjectName(current),
      isGone: false,
      isCreated: true,
      members,
      fields: getFields(ref, members, { expected, current }),
    } as const;
    return [ref.kind === 'relation' ? { ...changed, ...getJoinedColumns(expected, current) } : changed];
  });
}

/** Omits from columns what the server sets when it stores them, since that is not a change by a user. */
const withoutServerFields = (value: JsonValue | undefined): JsonValue | undefined =>
  Array.isArray(value) && (value as readonly JsonValue[]).every(isJsonObject)
    ? getObjects(value).map(omitServerFields)
    : value;

const omitServerFields = (column: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(column).filter(([name]) => name !== 'oid' && !isServerManagedField(name)),
  );

function getFields(
  ref: ResourceRef,
  members: readonly string[],
  { expected, current }: { readonly expected: JsonObject; readonly current: JsonObject },
): readonly FieldChange[] {
  const payload = Object.fromEntries(members.map((name) => [name, current[name] ?? null]));
  if (isCustomData(ref)) {
    return getMemberChanges(expected, payload);
  }
  if (ref.kind === 'relation') {
    return getDocumentChanges(expected, payload);
  }
  const columnNames = [expected, payload].flatMap(({ columns }) =>
    getObjects(columns).map(({ name }) => getText(name)),
  );
  return getDocumentChanges(withNamedColumns(expected), withColumnChanges(expected, payload), [
    ...nestedFields,
    'columns',
    ...columnNames,
  ]);
}

/** Turns the columns of a table into members, so that each is compared with its namesake. */
const withNamedColumns = (document: JsonObject): JsonObject =>
  Array.isArray(document['columns'])
    ? {
        ...document,
        columns: Object.fromEntries(
          getObjects(document['columns']).map((column) => [
            getText(column['name']),
            omitServerFields(column),
          ]),
        ),
      }
    : document;

/** Turns the columns of a payload into members, with `null` for columns that no longer exist. */
function withColumnChanges(expected: JsonObject, payload: JsonObject): JsonObject {
  const named = withNamedColumns(payload);
  const missingColumns = getObjects(expected['columns']).map(({ name }) => [getText(name), null] as const);
  return isJsonObject(named['columns'])
    ? { ...named, columns: { ...Object.fromEntries(missingColumns), ...named['columns'] } }
    : named;
}
