import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { viewpointKinds } from '../../../../src/changes/endpoints/viewpoints.ts';
import { InverseWrites } from '../../../../src/changes/model/inverseWrites.ts';
import { expectDefined } from '../../../support/expectations.ts';

const params = { viewpointId: 'v1' };
const target = { kind: 'viewpoint', ...params } as const;

/** Undoes an update of a viewpoint that still exists; returns the bodies that restore it. */
function getRestoredFields(body: JsonObject, oldDocument: JsonObject) {
  const inverse = new InverseWrites([{ ref: target, document: { ...oldDocument, ...body } }]);
  const done = { oldDocument, model: undefined, response: undefined, rules: [], name: undefined };
  const addInverse = expectDefined(viewpointKinds['viewpoints.update'].addInverse);
  addInverse({ endpoint: 'viewpoints.update', params, body, target }, done, inverse);
  return inverse.writes.map((write) => write.body);
}

const published = { visibility: { enabled: true, apps: ['a'], users: ['u'] } };

test('the undo of a publication says that the viewpoint was not published, if its visibility did not', () => {
  const old = { name: 'V', enabled: false, visibility: { apps: ['a'], users: ['u'] } };
  expect(getRestoredFields(published, old)).toEqual([{ visibility: old.visibility, enabled: false }]);
});

test('the undo of a publication sends only the visibility, if that contains the publication state', () => {
  const old = { name: 'V', enabled: false, visibility: { enabled: false, apps: ['a'], users: ['u'] } };
  expect(getRestoredFields(published, old)).toEqual([{ visibility: old.visibility }]);
});
