import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonValue, isJsonObject, stringify } from '../../../../src/base/json.ts';
import { asObject, isEmpty } from '../../../../src/changes/model/jsonMembers.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import type { PulledProject } from '../pull/pullSupport.ts';
import {
  type Access,
  type InstanceState,
  type Value,
  adoptState,
  createContent,
  createRules,
  findWiderAccess,
  getAccess,
  instanceState,
  readAccess,
} from './accessStates.ts';
import { getSettableContents, pullNew } from './roundTripSupport.ts';
import { UndoFixture } from './undoSupport.ts';

/** Returns the items of a project without empty values, and without what a server adds to new columns. */
function getContents(project: PulledProject): JsonValue {
  const omitEmpty = (value: JsonValue, name = ''): JsonValue => {
    if (Array.isArray(value)) {
      return (value as readonly JsonValue[]).map((item) => omitEmpty(item));
    }
    if (!isJsonObject(value)) {
      return value;
    }
    // What can't be sent is restored as not shared.
    const isShared =
      name !== 'visibility' || !isEmpty(value['users'] ?? null) || !isEmpty(value['groups'] ?? null);
    return Object.fromEntries(
      Object.entries(value)
        .map(([member, content]) => [member, omitEmpty(content, member)] as const)
        .filter(
          ([member, content]) => !isEmpty(content) && member !== 'indexed' && (isShared || member !== 'apps'),
        ),
    );
  };
  return omitEmpty(getSettableContents(project));
}

/** The writes that the instance refuses, 0 for none, and how it responds to the others. */
const server = fc.record({
  refusedInApply: fc.constantFrom(0, 0, 1, 2, 3, 4, 5, 6, 8),
  refusedInUndo: fc.constantFrom(0, 0, 0, 1, 2, 3, 4),
  responses: fc.constantFrom('complete', 'complete', 'short', 'empty'),
});

/** Applies a state to an instance with another one, and undoes that: with a rollback if the apply stops. */
async function checkUndone(
  before: InstanceState,
  after: InstanceState,
  { refusedInApply, refusedInUndo, responses }: Value<typeof server>,
  profile: 'guide' | 'contract',
): Promise<'nothing' | 'undo' | 'rollBack'> {
  using fixture = await UndoFixture.create(profile, {
    content: createContent(before),
    prunedKinds: ['table', 'column', 'relation', 'rules', 'viewpoint'],
  });
  const contents = getContents(fixture.project);
  await adoptState(fixture, after);
  const plan = await fixture.load();
  const { problems, deferred } = plan.prepared.compiled;
  // What waits for another apply may look different until then.
  fc.pre(problems.length === 0 && deferred.length === 0);
  if (plan.operation.writes.length === 0) {
    return 'nothing';
  }
  const changes = fixture.instance.fixture;
  // Without the ID of what was created, an undo can't delete it.
  changes.hasEmptyResponse = (line) => responses === 'empty' && /^(?:PATCH|PUT|DELETE)/.test(line);
  changes.shortensColumns = (line) => responses === 'short' && /^PATCH .*\/tables\//.test(line);
  const run = async (refusedWrite: number, action: () => Promise<unknown>) => {
    const during: Access[] = [];
    changes.getWriteFault = () => {
      during.push(readAccess(fixture));
      return during.length === refusedWrite ? 'refusal' : undefined;
    };
    try {
      await action();
      return { during, isStopped: false };
    } catch (error) {
      expect(error).toBeInstanceOf(StoppedError);
      return { during, isStopped: true };
    }
  };
  const accessBefore = readAccess(fixture);
  const accessAfter = getAccess(asObject(createContent(after).datamodels[0]), createRules(after));
  const applied = await run(refusedInApply, () => fixture.apply());
  const entry = expectDefined(await fixture.readLatest());
  const accessApplied = readAccess(fixture);
  const ending = applied.isStopped ? 'rollBack' : 'undo';
  const undone = await run(refusedInUndo, () =>
    ending === 'undo' ? fixture.undo(entry) : fixture.end(entry, 'rollBack'),
  );
  const finished = await run(0, async () => {
    if (undone.isStopped) {
      await (ending === 'undo'
        ? fixture.end(expectDefined(await fixture.readLatest()), 'resume')
        : fixture.end(entry, 'rollBack'));
    }
  });

  const undo = expectDefined(await fixture.readLatest());
  const requests = [entry, undo].map(({ operation }) =>
    operation.writes.map(({ endpoint, body = null, outputRefs = [] }) =>
      [endpoint, stringify(body), JSON.stringify(outputRefs)].join(' '),
    ),
  );
  const wider = {
    apply: applied.during.flatMap((access) => findWiderAccess(access, accessBefore, accessAfter)),
    [ending]: [...undone.during, ...finished.during].flatMap((access) =>
      findWiderAccess(access, accessBefore, accessApplied),
    ),
  };
  expect(wider, JSON.stringify(requests, null, 1)).toEqual({ apply: [], [ending]: [] });
  expect(finished.isStopped, JSON.stringify(requests, null, 1)).toBe(false);
  expect(getContents(await pullNew(fixture.instance)), JSON.stringify(requests, null, 1)).toEqual(contents);
  return ending;
}

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  test('an undo or a rollback restores everything, and shows only what is visible before or after', async () => {
    const counts = { nothing: 0, undo: 0, rollBack: 0 };
    await fc.assert(
      fc.asyncProperty(instanceState, instanceState, server, async (before, after, behavior) => {
        counts[await checkUndone(before, after, behavior, profile)] += 1;
      }),
      { numRuns: getPropertyRuns(15) },
    );
    expect(counts.undo).toBeGreaterThan(0);
    expect(counts.rollBack).toBeGreaterThan(0);
  });
});
