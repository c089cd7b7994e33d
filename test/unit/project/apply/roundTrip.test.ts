import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
import { builtInUsers } from '../../../../src/sandbox/seeds/seed.ts';
import { isSoak } from '../../../support/soak.ts';
import { nothing, summarize } from '../plan/planSupport.ts';
import { createDemoContent, withOtherIds } from './demoContent.ts';
import { randomInstance } from './randomInstance.ts';
import {
  type InstanceContent,
  TestInstance,
  applyCompletely,
  collectIdentifiers,
  copyForOtherInstance,
  createConnectionLookup,
  getSettableContents,
  pullNew,
  readQueryColumns,
} from './roundTripSupport.ts';

const profiles = ['guide', 'contract'] as const;

/** Applies the content of an instance to another one, and expects both to have the same content. */
async function expectRoundTrip(
  content: Required<InstanceContent>,
  { from, to }: { readonly from: ProfileName; readonly to: ProfileName },
): Promise<void> {
  const queryColumns = readQueryColumns(content.datamodels);
  const getConnection = createConnectionLookup(content.datamodels);
  using source = new TestInstance(from, content, queryColumns);
  await source.build();
  using target = new TestInstance(to, withOtherIds(content), queryColumns);
  const project = await pullNew(source);
  const applied = copyForOtherInstance(project);
  const { comparison, compiled } = await applyCompletely(target, applied, { getConnection });
  expect(
    summarize({ ...comparison, notes: comparison.notes.filter(({ code }) => code !== 'not-writable') }),
  ).toEqual(nothing);
  expect(compiled).toEqual({ writes: [], problems: [], deferred: [] });
  const copy = await pullNew(target);
  expect([...copy.texts.keys()].toSorted()).toEqual([...project.texts.keys()].toSorted());
  // A server gives its defaults to what the documents of random models don't have.
  expect(getSettableContents(copy)).toMatchObject(getSettableContents(project));
  const ids = new Set([
    ...collectIdentifiers([content.datamodels, content.extractRules, content.liveRules, content.viewpoints]),
    ...[...content.users, ...content.groups].map(({ _id }) => _id),
  ]);
  // Every sandbox has these with the same IDs.
  Object.values(builtInUsers).forEach(({ _id }) => ids.delete(_id));
  const sent = [...target.sentTexts, JSON.stringify(target.writes)].join('\n');
  expect([...ids].filter((id) => sent.includes(id))).toEqual([]);
}

describe.each(profiles)('from the profile %s', (from) => {
  test.each(profiles)('random instances can be applied to the profile %s unchanged', async (to) => {
    await fc.assert(
      fc.asyncProperty(randomInstance, (content) => expectRoundTrip(content, { from, to })),
      // Shrinking would take minutes.
      { numRuns: isSoak ? 50 : 3, endOnFailure: true },
    );
  });

  test.each(profiles)('the demo can be applied to the profile %s unchanged', async (to) => {
    await expectRoundTrip(createDemoContent(), { from, to });
  });
});
