import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { ConflictError, StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { getFailure } from '../../changes/run/support.ts';
import { type InstanceContent, TestInstance, pullNew } from './roundTripSupport.ts';
import { UndoFixture } from './undoSupport.ts';
import { createDetails, createViewpointContent, testUsers, viewpointId } from './viewpointContent.ts';

const [a = '', b = ''] = testUsers;

/** Prepares an apply from one content of an instance to another. */
async function prepare(
  profile: ProfileName,
  before: ReturnType<typeof createViewpointContent>,
  after: InstanceContent,
) {
  const fixture = await UndoFixture.create(profile, { content: before });
  using planned = new TestInstance(profile, after);
  await planned.build();
  const { texts } = await pullNew(planned);
  fixture.project.texts.clear();
  texts.forEach((text, path) => fixture.project.texts.set(path, text));
  const changes = fixture.instance.fixture;
  const { viewpoints } = changes.sandbox.store;
  const readViewpoint = (): JsonObject => expectDefined(viewpoints.getDocument(viewpointId, undefined));
  return {
    fixture,
    changes,
    readViewpoint,
    /** Changes the viewpoint as another user, and returns it. */
    changeAsOther: (change: JsonObject): JsonObject => {
      viewpoints.write({ ...readViewpoint(), ...change });
      return readViewpoint();
    },
  };
}

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  test('an undo stops before it publishes a viewpoint that another user takes down meanwhile', async () => {
    const { fixture, changes, changeAsOther, readViewpoint } = await prepare(
      profile,
      createViewpointContent(['1'], [a, b]),
      createViewpointContent(['1', '2'], [a]),
    );
    using _fixture = fixture;
    const entry = await fixture.apply();
    let left: JsonObject | undefined;
    changes.getWriteFault = () => {
      left ??= changeAsOther({
        enabled: false,
        visibility: { enabled: false, apps: ['chat'], users: [a], groups: [] },
      });
      return undefined;
    };
    expect(await getFailure(fixture.undo(entry))).toMatchObject({
      name: 'StoppedError',
      cause: { name: 'ConflictError' },
    });
    expect(readViewpoint()).toEqual(expectDefined(left));
  });

  test.each([false, true])(
    'a rollback is refused if another user has added a filter to a viewpoint (empty responses: %s)',
    async (isEmpty) => {
      const columns = [{ column: 'K' }, { column: 'L' }];
      const { fixture, changes, changeAsOther, readViewpoint } = await prepare(
        profile,
        createViewpointContent(['1'], [a], createDetails(...columns)),
        createViewpointContent(['1', '2'], [a], createDetails(...columns.slice(1))),
      );
      using _fixture = fixture;
      changes.hasEmptyResponse = (line) => isEmpty && !line.startsWith('GET');
      changes.getWriteFault = (line) => (line.includes('/viewpoints/') ? undefined : 'refusal');
      await expect(fixture.apply()).rejects.toThrow(StoppedError);
      changes.getWriteFault = () => undefined;
      const left = changeAsOther({ details: createDetails({ column: 'L', filter: { members: ['1'] } }) });
      const entry = expectDefined(await fixture.readLatest());
      expect(await getFailure(fixture.end(entry, 'rollBack'))).toBeInstanceOf(ConflictError);
      expect(readViewpoint()).toEqual(left);
    },
  );
});
