import { sameJson } from '../../base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { asObject, textOf } from '../model/read.ts';
import { none } from '../model/effectSources.ts';
import { fieldChanges } from '../model/fieldChanges.ts';
import type { Plan, PlanSubject } from '../model/plan.ts';
import type { Documents } from '../model/snapshot.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import type { Settled } from '../model/settled.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { Look, WriteKinds } from '../model/writeKind.ts';
import { createdAs } from './creation.ts';
import { created, deleted, newSubject } from './effects.ts';
import { readMatching } from './readMatching.ts';
import { readAll } from './reading.ts';
import { objectBody } from './sending.ts';
import { isSame, notHappened, unknown } from './settling.ts';

/** The writes of custom data (spec, "Custom data API"). They go back as one change of all objects. */
export const customDataKinds: WriteKinds<'customData'> = {
  'customData.create': {
    action: 'create',
    needsBuild: false,
    send: (client, write, signal) => client.customData.create(objectBody(write), signal),
    before: async () => [],
    // It has no name: nothing tells a new one from those of others.
    settle: async () => unknown,
    created: (_write, answer) =>
      createdAs(asObject(answer)['_id'], {
        refOf: (objectId) => ({ kind: 'customDataObject', objectId }),
        isAsMade: (now) => sameJson(now, answer),
      }),
    effects: (write, sources) => created(newSubject('customDataObject', write, sources)),
    after: (state) => state,
    reach: () => 'itself',
    affects: () => [{ kind: 'customData' }],
  },
  'customData.updateMatching': {
    action: 'update-many',
    needsBuild: false,
    send: (client, write, signal) => client.customData.updateMatching(objectBody(write), signal),
    before: ({ target, body }, reader) =>
      target?.kind === 'customDataObject'
        ? readAll(reader, [target])
        : readMatching(reader, asObject(body)['queryForSearch'] ?? {}),
    settle: (write, look) => settleMatching(look, (now) => now !== undefined && isMerged(write, now)),
    merged: (write, old) => ({ ...old, ...changeIn(write) }),
    effects: (write, { documents }) => ({ ...none, changed: changes(documents, asObject(write.body)) }),
    after: (state) => state,
    reach: () => 'itself',
    affects: () => [{ kind: 'customData' }],
  },
  'customData.deleteMatching': {
    action: 'delete-many',
    needsBuild: false,
    send: (client, write, signal) => client.customData.deleteMatching(objectBody(write), signal),
    before: ({ body }, reader) => readMatching(reader, body ?? {}),
    settle: (_write, look) => settleMatching(look, (now) => now === undefined),
    effects: (_write, { documents }) => deleted(...objectsIn(documents)),
    after: (state) => state,
    reach: () => 'itself',
    affects: () => [{ kind: 'customData' }],
  },
};

const changeIn = ({ body }: Write): JsonObject => asObject(asObject(body)['objectForUpdate']);

const isMerged = (write: Write, now: JsonValue): boolean =>
  isJsonObject(asObject(write.body)['objectForUpdate']) &&
  Object.entries(changeIn(write)).every(
    ([name, value]) => Object.hasOwn(asObject(now), name) && sameJson(value, asObject(now)[name]),
  );

/** Each object that matched is as it was to become, or as it was. */
async function settleMatching(
  { client, before }: Look,
  isDone: (now: JsonValue | undefined) => boolean,
): Promise<Settled> {
  const objects = before.filter(({ ref }) => ref.kind === 'customDataObject');
  if (objects.length === 0) {
    return unknown;
  }
  const reader = new DocumentReader(client);
  // What said before what was sent tells nothing.
  const telling = objects.filter(({ document }) => !isDone(document));
  let done = 0;
  for (const old of telling) {
    const look: ReadDocument = { ref: old.ref, document: await reader.document(old.ref) };
    if (isDone(look.document)) {
      done += 1;
    } else if (!isSame(look, old)) {
      return { state: 'unknown', changed: look };
    }
  }
  if (done === 0 && telling.length > 0) {
    return notHappened;
  }
  return done === telling.length ? { state: 'happened', answer: undefined } : unknown;
}

const objectsIn = (documents: Documents): readonly PlanSubject[] =>
  documents.all
    .filter(({ ref }) => ref.kind === 'customDataObject' || ref.kind === 'customData')
    .map(({ ref }) => ({
      kind: 'customDataObject',
      name: ref.kind === 'customDataObject' ? ref.objectId : '',
      within: [],
      resource: ref,
    }));

/** A filter for one identifier reaches that object only; what any other reaches was read before. */
function changes(documents: Documents, body: JsonObject): Plan['changed'] {
  const filter = asObject(body['queryForSearch']);
  const only = Object.keys(filter).length === 1 ? textOf(filter['_id']) : '';
  const ref = { kind: 'customDataObject', objectId: only } as const;
  const reached = only === '' ? documents.all : [{ ref, document: documents.get(ref) }];
  return reached.flatMap(({ ref: own, document }) => {
    if (own.kind !== 'customDataObject') {
      return [];
    }
    const fields = fieldChanges(asObject(document), asObject(body['objectForUpdate']));
    const subject = { kind: own.kind, name: own.objectId, within: [], resource: own };
    return fields.length === 0 || document === undefined ? [] : [{ ...subject, fields }];
  });
}
