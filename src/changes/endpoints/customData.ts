import { jsonEquals } from '../../base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isSameRef } from '../../catalog/resourceRef.ts';
import { asObject, getText } from '../model/jsonMembers.ts';
import { noEffects } from '../model/effectSources.ts';
import { getMemberChanges } from '../model/fieldChanges.ts';
import type { Plan, PlanSubject } from '../model/plan.ts';
import type { Documents } from '../model/snapshot.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { VerifyContext, WriteKinds } from '../model/writeKind.ts';
import { toCreatedResources } from './creation.ts';
import { toCreatedEffects, toDeletedEffects, createNewSubject } from './effects.ts';
import { readCustomDataObjects } from './readMatching.ts';
import { readDocuments } from './readDocuments.ts';
import { getObjectBody } from './requestParts.ts';
import { isSameDocument, notHappenedOutcome, unknownOutcome } from './verifyWrites.ts';

/** The writes of custom data (rest-api.md, "Custom data API"). They are undone as one change of all objects. */
export const customDataKinds: WriteKinds<'customData'> = {
  'customData.create': {
    action: 'create',
    needsBuild: false,
    send: (client, write) => client.customData.create(getObjectBody(write)),
    readBefore: async () => [],
    // Objects have no name, so a new one can't be distinguished from objects of other users.
    verifyOutcome: async (_write, { isRefused = false }) => (isRefused ? notHappenedOutcome : unknownOutcome),
    getCreated: (_write, response) =>
      toCreatedResources(asObject(response)['_id'], {
        createRef: (objectId) => ({ kind: 'customDataObject', objectId }),
        isUnchanged: (current) => jsonEquals(current, response),
      }),
    getEffects: (write, sources) => toCreatedEffects(createNewSubject('customDataObject', write, sources)),
    applyToSnapshot: (state) => state,
    getReach: () => 'itself',
    getCatalogChanges: () => [{ kind: 'customData' }],
  },
  'customData.updateMatching': {
    action: 'update-many',
    needsBuild: false,
    send: (client, write) => client.customData.updateMatching(getObjectBody(write)),
    readBefore: ({ target, body }, reader) =>
      target?.kind === 'customDataObject'
        ? readDocuments(reader, [target])
        : readCustomDataObjects(reader, asObject(body)['queryForSearch'] ?? {}),
    verifyOutcome: (write, context) =>
      verifyMatching(
        asObject(write.body)['queryForSearch'],
        context,
        (current) => current !== undefined && hasChange(write, current),
      ),
    applyTo: (write, previous) => ({ ...previous, ...getChange(write) }),
    getEffects: (write, { documents }) => ({
      ...noEffects,
      changed: getChangedSubjects(documents, asObject(write.body)),
    }),
    applyToSnapshot: (state) => state,
    getReach: () => 'itself',
    getCatalogChanges: () => [{ kind: 'customData' }],
  },
  'customData.deleteMatching': {
    action: 'delete-many',
    needsBuild: false,
    send: (client, write) => client.customData.deleteMatching(getObjectBody(write)),
    readBefore: ({ body }, reader) => readCustomDataObjects(reader, body ?? {}),
    verifyOutcome: ({ body }, context) => verifyMatching(body, context, (current) => current === undefined),
    getEffects: ({ body }, { documents }) => toDeletedEffects(...getObjectSubjects(documents, body)),
    applyToSnapshot: (state) => state,
    getReach: () => 'itself',
    getCatalogChanges: () => [{ kind: 'customData' }],
  },
};

const getChange = ({ body }: Write): JsonObject => asObject(asObject(body)['objectForUpdate']);

const hasChange = (write: Write, current: JsonValue): boolean =>
  isJsonObject(asObject(write.body)['objectForUpdate']) &&
  Object.entries(getChange(write)).every(
    ([name, value]) => Object.hasOwn(asObject(current), name) && jsonEquals(value, asObject(current)[name]),
  );

/**
 * Verifies a write of all matching objects: it happened if all have changed, and did not if none has. If only some have
 * changed, or one has other changes, the outcome is unknown; a refused write of which only some have changed did not
 * happen. Objects that other writes of the operation have changed prove nothing and are left out. If the write did not
 * happen but would now affect an object that it was not planned for, the outcome contains that object, so that the
 * write is not sent again.
 */
async function verifyMatching(
  filter: JsonValue | undefined,
  {
    client,
    before,
    writtenIds = new Set(),
    matchesEarlierWrites = () => false,
    isRefused = false,
  }: VerifyContext,
  isDone: (current: JsonValue | undefined) => boolean,
): Promise<WriteOutcome> {
  const reader = new DocumentReader(client);
  const isPlanned = (current: ReadDocument): boolean =>
    (current.ref.kind === 'customDataObject' && writtenIds.has(current.ref.objectId)) ||
    before.some((previous) => isSameRef(previous.ref, current.ref) && isSameDocument(previous, current)) ||
    matchesEarlierWrites(current);
  const createNotHappened = async (): Promise<WriteOutcome> => {
    const changedDocument = (await readCustomDataObjects(reader, filter ?? {})).find(
      (object) => !isPlanned(object),
    );
    return changedDocument === undefined ? notHappenedOutcome : { state: 'not-happened', changedDocument };
  };
  const singleId = getSingleId(filter);
  const objects = before.filter(
    ({ ref }) =>
      ref.kind === 'customDataObject' &&
      (singleId === '' ? !writtenIds.has(ref.objectId) : ref.objectId === singleId),
  );
  if (objects.length === 0) {
    return isRefused ? createNotHappened() : unknownOutcome;
  }
  // An object that already had the new content proves nothing.
  const objectsToChange = objects.filter(({ document }) => !isDone(document));
  let changedCount = 0;
  for (const previous of objectsToChange) {
    const current: ReadDocument = { ref: previous.ref, document: await reader.readDocument(previous.ref) };
    if (isDone(current.document)) {
      changedCount += 1;
    } else if (!isSameDocument(current, previous) && !matchesEarlierWrites(current)) {
      return { state: 'unknown', changedDocument: current };
    }
  }
  if (changedCount === objectsToChange.length) {
    return { state: 'happened', response: undefined };
  }
  return changedCount === 0 || isRefused ? createNotHappened() : unknownOutcome;
}

/** Returns the ID of the only object that a filter matches, if it has no other condition; otherwise an empty string. */
function getSingleId(filter: JsonValue | undefined): string {
  const conditions = asObject(filter);
  return Object.keys(conditions).length === 1 ? getText(conditions['_id']) : '';
}

/** Returns the matching objects. Other writes of the operation may be about other objects. */
const getObjectSubjects = (documents: Documents, filter: JsonValue | undefined): readonly PlanSubject[] =>
  documents.all
    .filter(({ ref }) =>
      ref.kind === 'customDataObject'
        ? ['', ref.objectId].includes(getSingleId(filter))
        : ref.kind === 'customData',
    )
    .map(({ ref }) => ({
      kind: 'customDataObject',
      name: ref.kind === 'customDataObject' ? ref.objectId : '',
      within: [],
      resource: ref,
    }));

/** Returns the changes of each matching object. A filter for one ID matches only that object. */
function getChangedSubjects(documents: Documents, body: JsonObject): Plan['changed'] {
  const singleId = getSingleId(body['queryForSearch']);
  const ref = { kind: 'customDataObject', objectId: singleId } as const;
  const matches = singleId === '' ? documents.all : [{ ref, document: documents.get(ref) }];
  return matches.flatMap(({ ref: objectRef, document }) => {
    if (objectRef.kind !== 'customDataObject') {
      return [];
    }
    const fields = getMemberChanges(asObject(document), asObject(body['objectForUpdate']));
    const subject = { kind: objectRef.kind, name: objectRef.objectId, within: [], resource: objectRef };
    return fields.length === 0 || document === undefined ? [] : [{ ...subject, fields }];
  });
}
