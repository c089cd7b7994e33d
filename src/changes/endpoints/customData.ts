import { jsonEquals } from '../../base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { asObject, getText } from '../model/readJson.ts';
import { noEffects } from '../model/effectSources.ts';
import { getFieldChanges } from '../model/fieldChanges.ts';
import type { Plan, PlanSubject } from '../model/plan.ts';
import type { Documents } from '../model/snapshot.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { VerifyContext, WriteKinds } from '../model/writeKind.ts';
import { toCreatedResource } from './creation.ts';
import { createdEffects, deletedEffects, createNewSubject } from './effects.ts';
import { readMatching } from './readMatching.ts';
import { readDocuments } from './readDocuments.ts';
import { getObjectBody } from './requestParts.ts';
import { isSameDocument, notHappened, unknownOutcome } from './verifyOutcome.ts';

/** The writes of custom data (rest-api.md, "Custom data API"). They are undone as one change of all objects. */
export const customDataKinds: WriteKinds<'customData'> = {
  'customData.create': {
    action: 'create',
    needsBuild: false,
    send: (client, write, signal) => client.customData.create(getObjectBody(write), signal),
    readBefore: async () => [],
    // Objects have no name, so a new one can't be distinguished from objects of other users.
    verifyOutcome: async () => unknownOutcome,
    getCreated: (_write, answer) =>
      toCreatedResource(asObject(answer)['_id'], {
        refOf: (objectId) => ({ kind: 'customDataObject', objectId }),
        isUnchanged: (now) => jsonEquals(now, answer),
      }),
    getEffects: (write, sources) => createdEffects(createNewSubject('customDataObject', write, sources)),
    applyToSnapshot: (state) => state,
    getReach: () => 'itself',
    getCatalogChanges: () => [{ kind: 'customData' }],
  },
  'customData.updateMatching': {
    action: 'update-many',
    needsBuild: false,
    send: (client, write, signal) => client.customData.updateMatching(getObjectBody(write), signal),
    readBefore: ({ target, body }, reader) =>
      target?.kind === 'customDataObject'
        ? readDocuments(reader, [target])
        : readMatching(reader, asObject(body)['queryForSearch'] ?? {}),
    verifyOutcome: (write, look) => verifyMatching(look, (now) => now !== undefined && isMerged(write, now)),
    applyTo: (write, old) => ({ ...old, ...getChange(write) }),
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
    send: (client, write, signal) => client.customData.deleteMatching(getObjectBody(write), signal),
    readBefore: ({ body }, reader) => readMatching(reader, body ?? {}),
    verifyOutcome: (_write, look) => verifyMatching(look, (now) => now === undefined),
    getEffects: (_write, { documents }) => deletedEffects(...listObjects(documents)),
    applyToSnapshot: (state) => state,
    getReach: () => 'itself',
    getCatalogChanges: () => [{ kind: 'customData' }],
  },
};

const getChange = ({ body }: Write): JsonObject => asObject(asObject(body)['objectForUpdate']);

const isMerged = (write: Write, now: JsonValue): boolean =>
  isJsonObject(asObject(write.body)['objectForUpdate']) &&
  Object.entries(getChange(write)).every(
    ([name, value]) => Object.hasOwn(asObject(now), name) && jsonEquals(value, asObject(now)[name]),
  );

/** Verifies a write of all matching objects: it happened if all have changed, and did not if none has. */
async function verifyMatching(
  { client, before }: VerifyContext,
  isDone: (now: JsonValue | undefined) => boolean,
): Promise<WriteOutcome> {
  const objects = before.filter(({ ref }) => ref.kind === 'customDataObject');
  if (objects.length === 0) {
    return unknownOutcome;
  }
  const reader = new DocumentReader(client);
  // An object that already had the new content proves nothing.
  const unchangedDocuments = objects.filter(({ document }) => !isDone(document));
  let done = 0;
  for (const old of unchangedDocuments) {
    const look: ReadDocument = { ref: old.ref, document: await reader.document(old.ref) };
    if (isDone(look.document)) {
      done += 1;
    } else if (!isSameDocument(look, old)) {
      return { state: 'unknown', changed: look };
    }
  }
  if (done === 0 && unchangedDocuments.length > 0) {
    return notHappened;
  }
  return done === unchangedDocuments.length ? { state: 'happened', answer: undefined } : unknownOutcome;
}

const listObjects = (documents: Documents): readonly PlanSubject[] =>
  documents.all
    .filter(({ ref }) => ref.kind === 'customDataObject' || ref.kind === 'customData')
    .map(({ ref }) => ({
      kind: 'customDataObject',
      name: ref.kind === 'customDataObject' ? ref.objectId : '',
      within: [],
      resource: ref,
    }));

/** Returns the changes of each matching object. A filter for one ID matches only that object. */
function getChangedSubjects(documents: Documents, body: JsonObject): Plan['changed'] {
  const filter = asObject(body['queryForSearch']);
  const only = Object.keys(filter).length === 1 ? getText(filter['_id']) : '';
  const ref = { kind: 'customDataObject', objectId: only } as const;
  const reached = only === '' ? documents.all : [{ ref, document: documents.get(ref) }];
  return reached.flatMap(({ ref: own, document }) => {
    if (own.kind !== 'customDataObject') {
      return [];
    }
    const fields = getFieldChanges(asObject(document), asObject(body['objectForUpdate']));
    const subject = { kind: own.kind, name: own.objectId, within: [], resource: own };
    return fields.length === 0 || document === undefined ? [] : [{ ...subject, fields }];
  });
}
