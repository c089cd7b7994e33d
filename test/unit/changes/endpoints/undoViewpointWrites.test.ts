import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { viewpointKinds } from '../../../../src/changes/endpoints/viewpoints.ts';
import { UndoWrites } from '../../../../src/changes/model/undoWrites.ts';
import { expectDefined } from '../../../support/expectations.ts';

const params = { viewpointId: 'v1' };
const target = { kind: 'viewpoint', ...params } as const;

/** Undoes an update of a viewpoint that still exists; returns the bodies that restore it, and what is lost. */
function undoUpdate(body: JsonObject, oldDocument: JsonObject) {
  const undoWrites = new UndoWrites([{ ref: target, document: { ...oldDocument, ...body } }]);
  const done = { oldDocument, model: undefined, response: undefined, rules: [], name: undefined };
  const addUndoWrites = expectDefined(viewpointKinds['viewpoints.update'].addUndoWrites);
  addUndoWrites({ endpoint: 'viewpoints.update', params, body, target }, done, undoWrites);
  return { bodies: undoWrites.writes.map((write) => write.body), losses: undoWrites.losses };
}

const published = { visibility: { enabled: true, apps: ['a'], users: ['u'] } };

test('the undo of a publication sends the publication state separately if the visibility did not contain it', () => {
  const old = { name: 'V', enabled: false, visibility: { apps: ['a'], users: ['u'] } };
  expect(undoUpdate(published, old).bodies).toEqual([{ visibility: old.visibility, enabled: false }]);
});

test('the undo of a publication sends only the visibility if it contains the publication state', () => {
  const old = { name: 'V', enabled: false, visibility: { enabled: false, apps: ['a'], users: ['u'] } };
  expect(undoUpdate(published, old).bodies).toEqual([{ visibility: old.visibility }]);
});

test.each<readonly [string, JsonObject]>([
  ['only apps', { enabled: true, apps: ['a'], users: [], groups: [], extra: 1 }],
  ['only users', { enabled: true, apps: [], users: ['u'], groups: [], extra: 1 }],
])(
  'the undo of a sharing leaves a viewpoint unshared that had %s, and reports that its sharing is lost',
  (_text, visibility) => {
    const notShared = { enabled: true, apps: [], users: [], groups: [], extra: 1 };
    expect(undoUpdate(published, { name: 'V', enabled: true, visibility })).toEqual({
      bodies: [{ visibility: notShared }],
      losses: [{ code: 'sharing', name: 'V' }],
    });
  },
);

test('the undo of an update removes members that the viewpoint lacked', () => {
  const { bodies, losses } = undoUpdate({ ...published, enabled: true, kind: 'open' }, { name: 'V' });
  expect(bodies).toEqual([{ visibility: { apps: [], users: [], groups: [] }, enabled: false, kind: null }]);
  expect(losses).toEqual([]);
});
