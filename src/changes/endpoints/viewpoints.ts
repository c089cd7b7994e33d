import { viewpointChangePayload } from '../../client/payloads/viewpointPayload.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { isBookkeeping } from '../../contract/bookkeeping.ts';
import { viewpointSchema } from '../../contract/viewpoint.ts';
import { asObject, nameOf, textOf } from '../model/read.ts';
import type { InverseWrites } from '../model/inverseWrites.ts';
import type { Write } from '../model/operation.ts';
import { viewpointDocuments } from '../model/viewpointDocuments.ts';
import type { Versions, WriteKinds } from '../model/writeKind.ts';
import { creation } from './creation.ts';
import { changed, created, deleted, newSubject, targetSubject } from './effects.ts';
import { readAll } from './reading.ts';
import { agrees, everyField } from './sayings.ts';
import { objectBody, pathNames } from './sending.ts';
import { settleChange, settleDeletion } from './settling.ts';
import { withViewpoints } from './snapshots.ts';
import { viewpointCreation, viewpointUpdate, viewpointDeletion } from '../model/viewpointWrites.ts';

/** The writes of viewpoints (spec, "Viewpoint API"). */
export const viewpointKinds: WriteKinds<'viewpoints'> = {
  'viewpoints.create': creation({
    id: 'id',
    refOf: (viewpointId) => ({ kind: 'viewpoint', viewpointId }),
    deletionOf: (viewpointId) => viewpointDeletion({ viewpointId }),
    send: (client, write, signal) => client.viewpoints.create(objectBody(write), signal),
    // Many names may hold this one (spec, ViewpointSearch: a partial match), more than are on a page.
    list: (client, { body }) =>
      viewpointDocuments(client, {
        search: { name: textOf(asObject(body)['name']) },
        with: ['visibility', 'details'],
      }),
    nameOf: ({ body }) => nameOf(asObject(body)),
    effects: (write, sources) => created(newSubject('viewpoint', write, sources)),
    affects: () => [{ kind: 'viewpoints' }],
  }),
  'viewpoints.update': {
    action: 'update',
    needsBuild: false,
    send: (client, write, signal) =>
      client.viewpoints.update(pathNames<'viewpoints.update'>(write), objectBody(write), signal),
    before: ({ target }, reader) => readAll(reader, [target]),
    settle: (write, look) => settleChange(write, look, saysViewpoint),
    says: saysViewpoint,
    // The state of a viewpoint is in its visibility and outside it (spec, "Viewpoint publication").
    spoken: ({ body }) => {
      const names = Object.keys(asObject(body));
      return names.some((name) => name === 'visibility' || name === 'enabled')
        ? [...names, 'visibility', 'enabled']
        : names;
    },
    back: (write, { old }, inverse) => viewpointBack(write, asObject(old), inverse),
    effects: (write, sources) => changed(targetSubject('viewpoint', write, sources), write, sources),
    after: (state, { params, body }) =>
      withViewpoints(state, (viewpoints) =>
        viewpoints.map((viewpoint) =>
          viewpoint.id === params['viewpointId']
            ? (viewpointSchema.safeParse({ ...viewpoint, ...asObject(body) }).data ?? viewpoint)
            : viewpoint,
        ),
      ),
    reach: () => 'itself',
    affects: () => [{ kind: 'viewpoints' }],
  },
  'viewpoints.delete': {
    action: 'delete',
    needsBuild: false,
    send: (client, write, signal) => client.viewpoints.delete(pathNames<'viewpoints.delete'>(write), signal),
    before: ({ target }, reader) => readAll(reader, [target]),
    settle: settleDeletion,
    back: (write, { old }, inverse) => viewpointBack(write, asObject(old), inverse),
    effects: (write, sources) => deleted(targetSubject('viewpoint', write, sources)),
    after: (state, { params }) =>
      withViewpoints(state, (viewpoints) => viewpoints.filter(({ id }) => id !== params['viewpointId'])),
    reach: () => 'itself',
    affects: () => [{ kind: 'viewpoints' }],
  },
};

/** Published or not: where the visibility says it, that counts (spec, "Viewpoint publication"). */
function saysViewpoint({ body }: Write, { now, old }: Versions): boolean {
  const sent = viewpointChangePayload(asObject(body));
  const { visibility } = sent;
  const isSaidInside = isJsonObject(visibility) && typeof visibility['enabled'] === 'boolean';
  return everyField(sent, (name, value) => {
    if (isBookkeeping(name) || (name === 'enabled' && isSaidInside)) {
      return true;
    }
    const kept = name === 'visibility' && !isSaidInside ? enabledField : undefined;
    return agrees(value, now[name] ?? null, old[name], kept);
  });
}

const enabledField: ReadonlySet<string> = new Set(['enabled']);

/** What was sent gets its old values; a deleted one comes back whole, without its bookmarks (spec, DELETE). */
function viewpointBack(
  { endpoint, params, body, target }: Write,
  old: JsonObject,
  inverse: InverseWrites,
): void {
  const { viewpointId = '' } = params;
  if (target !== undefined && inverse.present(target) !== undefined) {
    const sent = endpoint === 'viewpoints.update' ? Object.keys(asObject(body)) : Object.keys(old);
    const names = sent.filter((name) => old[name] !== undefined);
    const fields = Object.fromEntries(names.map((name) => [name, old[name] ?? null]));
    inverse.add(viewpointUpdate({ viewpointId }, fields));
    return;
  }
  const enabled = old['enabled'] === true;
  const visibility = { ...asObject(old['visibility']), enabled };
  const index = inverse.add(viewpointCreation({ ...old, visibility }));
  inverse.lose({ code: 'new-id', name: nameOf(old) });
  inverse.move(textOf(old['id']), { write: index, from: ['id'] });
  inverse.lose({ code: 'bookmarks', name: nameOf(old) });
}
