import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { ConflictError, StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { getFailure, type WriteFault } from '../../changes/run/support.ts';
import { TestInstance, pullNew } from './roundTripSupport.ts';
import { UndoFixture } from './undoSupport.ts';
import { createDetails, createViewpointContent, testUsers, viewpointId } from './viewpointContent.ts';

const [a = '', b = '', c = ''] = testUsers;

/** How another user takes the viewpoint down, or changes what it shows. */
const otherChanges: Readonly<Record<string, JsonObject>> = {
  'its publication': {
    description: 'on hold',
    enabled: false,
    visibility: { enabled: false, apps: ['sheets'], users: [b], groups: [] },
  },
  'its details': {
    details: createDetails({ column: 'K', filter: { members: ['1'] } }),
  },
};

/** Prepares an apply that writes the viewpoint, then the rule, and the viewpoint again. */
async function prepare(profile: ProfileName, hasEmptyResponses: boolean) {
  const fixture = await UndoFixture.create(profile, { content: createViewpointContent(['1'], [a, b]) });
  using planned = new TestInstance(profile, createViewpointContent(['1', '2'], [b, c]));
  await planned.build();
  const { texts } = await pullNew(planned);
  fixture.project.texts.clear();
  texts.forEach((text, path) => fixture.project.texts.set(path, text));
  const { writes } = (await fixture.load()).operation;
  const areas = writes.map(({ endpoint }) => endpoint.split('.')[0]);
  expect([areas[0], areas.at(-1)]).toEqual(['viewpoints', 'viewpoints']);
  expect(areas.slice(1, -1)).not.toContain('viewpoints');
  const changes = fixture.instance.fixture;
  changes.hasEmptyResponse = (line) => hasEmptyResponses && !line.startsWith('GET');
  const readViewpoint = (): JsonObject =>
    expectDefined(changes.sandbox.store.viewpoints.getDocument(viewpointId, undefined));
  return {
    fixture,
    changes,
    readViewpoint,
    changeAsOther: (change: JsonObject): void => {
      changes.sandbox.store.viewpoints.write({ ...readViewpoint(), ...change });
    },
    /** Calls a function before each write request of the viewpoint, or of anything else; it may refuse the request. */
    onWrite: (handle: (viewpointWrites: number, isViewpoint: boolean) => WriteFault | undefined): void => {
      let count = 0;
      changes.getWriteFault = (line) => {
        const isViewpoint = line.includes('/viewpoints/');
        count += isViewpoint ? 1 : 0;
        return handle(count, isViewpoint);
      };
    },
  };
}

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  describe.each([false, true])('if an apply writes a viewpoint twice (empty responses: %s)', (isEmpty) => {
    describe.each(Object.entries(otherChanges))(
      'and another user has changed %s in between',
      (_text, change) => {
        test('it stops before the second write', async () => {
          const { fixture, onWrite, changeAsOther, readViewpoint } = await prepare(profile, isEmpty);
          using _fixture = fixture;
          let left: JsonObject | undefined;
          onWrite((_count, isViewpoint) => {
            if (!isViewpoint && left === undefined) {
              changeAsOther(change);
              left = readViewpoint();
            }
            return undefined;
          });
          const error = await getFailure(fixture.apply());
          expect(error).toBeInstanceOf(StoppedError);
          expect(error).toMatchObject({ cause: { name: 'ConflictError' } });
          expect(readViewpoint()).toEqual(left);
          // Nothing is sent, so it's refused, and the journal stays as it is.
          const entry = await fixture.readLatest();
          expect(await getFailure(fixture.end(expectDefined(entry), 'resume'))).toBeInstanceOf(ConflictError);
          expect(await fixture.readLatest()).toEqual(entry);
        });

        test('its undo stops before its second write', async () => {
          const { fixture, changes, onWrite, changeAsOther, readViewpoint } = await prepare(profile, isEmpty);
          using _fixture = fixture;
          const entry = await fixture.apply();
          const countBefore = changes.getWriteRequests().length;
          let left: JsonObject | undefined;
          onWrite((_count, isViewpoint) => {
            if (!isViewpoint && left === undefined) {
              changeAsOther(change);
              left = readViewpoint();
            }
            return undefined;
          });
          expect(await getFailure(fixture.undo(entry))).toMatchObject({
            name: 'StoppedError',
            cause: { name: 'ConflictError' },
          });
          expect(changes.getWriteRequests()).toHaveLength(countBefore + 2);
          expect(readViewpoint()).toEqual(expectDefined(left));
        });

        test.each(['resume', 'rollBack'] as const)('%s is refused', async (ending) => {
          const { fixture, changes, onWrite, changeAsOther, readViewpoint } = await prepare(profile, isEmpty);
          using _fixture = fixture;
          onWrite((_count, isViewpoint) => (isViewpoint ? undefined : 'refusal'));
          await expect(fixture.apply()).rejects.toThrow(StoppedError);
          changes.getWriteFault = () => undefined;
          changeAsOther(change);
          const left = readViewpoint();
          const countBefore = changes.getWriteRequests().length;
          const entry = expectDefined(await fixture.readLatest());
          expect(await getFailure(fixture.end(entry, ending))).toBeInstanceOf(ConflictError);
          expect(changes.getWriteRequests().slice(countBefore)).toEqual([]);
          expect(readViewpoint()).toEqual(left);
        });
      },
    );

    describe.each(['request-lost', 'response-lost', 'refusal'] as const)(
      'and the second write meets: %s',
      (fault) => {
        test.each([
          ['resume', true],
          ['resume', false],
          ['rollBack', true],
          ['rollBack', false],
        ] as const)('%s ends it (the first write was read back: %s)', async (ending, isReadBack) => {
          const { fixture, changes, onWrite, readViewpoint } = await prepare(profile, isEmpty);
          using _fixture = fixture;
          const before = readViewpoint();
          const state = { count: 0, rulesWritten: false };
          onWrite((count, isViewpoint) => {
            state.count = count;
            state.rulesWritten ||= !isViewpoint;
            return count === 2 ? fault : undefined;
          });
          // As in a journal of an earlier version, which read nothing back.
          changes.getReadRefusal = (line) =>
            !isReadBack &&
            isEmpty &&
            state.count === 1 &&
            !state.rulesWritten &&
            line.includes('/viewpoints/')
              ? 403
              : undefined;
          const error = await getFailure(fixture.apply()).catch(() => undefined);
          changes.getWriteFault = () => undefined;
          if (fault === 'response-lost') {
            // The server shows that it happened.
            expect(error).toBeUndefined();
          } else {
            expect(error).toBeInstanceOf(StoppedError);
            await fixture.end(expectDefined(await fixture.readLatest()), ending);
          }
          const { enabled, visibility } = readViewpoint();
          expect({ enabled, visibility }).toMatchObject(
            fault !== 'response-lost' && ending === 'rollBack'
              ? { enabled: true, visibility: before['visibility'] }
              : { enabled: true, visibility: { enabled: true, apps: ['chat'], users: [b, c] } },
          );
        });
      },
    );

    test(`the viewpoint is read ${isEmpty ? 'after the first write, and ' : ''}before the second one`, async () => {
      const { fixture, changes, onWrite } = await prepare(profile, isEmpty);
      using _fixture = fixture;
      const requestCounts: number[] = [];
      onWrite((_count, isViewpoint) => {
        if (isViewpoint) {
          requestCounts.push(changes.transport.requestLines.length);
        }
        return undefined;
      });
      await fixture.apply();
      const [first = 0, second = 0] = requestCounts;
      const reads = changes.transport.requestLines
        .slice(first, second)
        .filter((line) => line.startsWith('GET') && line.includes(`/viewpoints/${viewpointId}`));
      expect(reads).toHaveLength(isEmpty ? 2 : 1);
    });
  });
});
