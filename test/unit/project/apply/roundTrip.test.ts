import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, isJsonObject, parseLossless } from '../../../../src/base/json.ts';
import { getSubjectTitle } from '../../../../src/catalog/ruleSubject.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { getObjects } from '../../../../src/changes/model/jsonMembers.ts';
import { getWriteRuleSubject } from '../../../../src/changes/model/ruleSubjects.ts';
import { getViewpointDatamodelTitle } from '../../../../src/project/pull/renameItems.ts';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
import { builtInUsers } from '../../../../src/sandbox/seeds/seed.ts';
import { readRecordedText } from '../../../support/recorded.ts';
import { isSoak } from '../../../support/soak.ts';
import { nothing, summarize } from '../plan/planSupport.ts';
import { createDemoContent, changePartyIds } from './demoContent.ts';
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
  using target = new TestInstance(to, changePartyIds(content), queryColumns);
  const project = await pullNew(source);
  const appliedProject = copyForOtherInstance(project);
  const { comparison, compiled } = await applyCompletely(target, appliedProject, { getConnection });
  // The query engine of the test gives generated columns other types than the random models have.
  // Some properties can't be set, so the other instance doesn't have them.
  const expectedCodes: readonly string[] = ['not-writable', 'missing', 'derived-column'];
  const notes = comparison.notes.filter(({ code }) => !expectedCodes.includes(code));
  expect(summarize({ ...comparison, notes })).toEqual(nothing);
  expect(compiled).toEqual({ writes: [], problems: [], deferred: [] });
  const copy = await pullNew(target);
  expect([...copy.texts.keys()].toSorted()).toEqual([...project.texts.keys()].toSorted());
  // A server gives its defaults to what the documents of random models don't have.
  expect(getSettableContents(copy)).toMatchObject(getSettableContents(project));
  const ids = new Set([
    ...collectIdentifiers([content.datamodels, content.extractRules, content.liveRules, content.viewpoints]),
    ...[...content.users, ...content.groups].map(({ _id }) => _id),
  ]);
  // Every sandbox has the built-in users with the same IDs.
  Object.values(builtInUsers).forEach(({ _id }) => ids.delete(_id));
  expect(findRulesAfterViewpoints(target.writes)).toEqual([]);
  const sentText = [...target.sentTexts, JSON.stringify(target.writes)].join('\n');
  expect([...ids].filter((id) => sentText.includes(id))).toEqual([]);
}

/** Returns the titles of the datamodels of which a viewpoint was written before a rule. */
const findRulesAfterViewpoints = (writes: readonly Write[]): readonly string[] =>
  writes.flatMap(({ body = null }, index) => {
    const title = getViewpointDatamodelTitle(body);
    return typeof title === 'string' &&
      writes.slice(index).some((write) => {
        const subject = getWriteRuleSubject(write);
        return subject !== undefined && getSubjectTitle(subject) === title;
      })
      ? [title]
      : [];
  });

/** Returns the instance that recorded documents came from. */
const createRecordedContent = (...documents: readonly JsonObject[]): Required<InstanceContent> => ({
  datamodels: documents,
  extractRules: [],
  liveRules: [],
  viewpoints: [],
  users: [],
  groups: [],
});

/** Returns a recorded datamodel. The parameters of an export are encrypted, and no instance accepts these. */
function readModel(text: string): JsonObject {
  const value = parseLossless(text);
  const model = isJsonObject(value) ? value : {};
  return {
    ...model,
    datasets: getObjects(model['datasets']).map((dataset) => {
      const { connection } = dataset;
      return isJsonObject(connection) && typeof connection['parameters'] === 'string'
        ? { ...dataset, connection: { ...connection, parameters: { Server: 'recorded' } } }
        : dataset;
    }),
  };
}

/** Applies the content of an instance to the next one, and so on, and expects the last to have the same content. */
async function expectChain(
  content: Required<InstanceContent>,
  [first, ...others]: readonly [ProfileName, ...ProfileName[]],
): Promise<void> {
  const queryColumns = readQueryColumns(content.datamodels);
  const getConnection = createConnectionLookup(content.datamodels);
  using source = new TestInstance(first, content, queryColumns);
  await source.build();
  const original = await pullNew(source);
  let project = original;
  for (const profile of others) {
    using target = new TestInstance(profile, changePartyIds(content), queryColumns);
    await applyCompletely(target, copyForOtherInstance(project), { getConnection });
    project = await pullNew(target);
  }
  expect([...project.texts.keys()].toSorted()).toEqual([...original.texts.keys()].toSorted());
  expect(getSettableContents(project)).toEqual(getSettableContents(original));
}

describe.each([
  ['response', readFileSync(join(import.meta.dirname, '../../../fixtures/real-datamodel.json'), 'utf8')],
  ['export', readRecordedText('datamodel-extract-2026-export.json')],
])('a recorded %s', (_title, text) => {
  const content = createRecordedContent(readModel(text));

  test.each(profiles.flatMap((from) => profiles.map((to) => [from, to] as const)))(
    'can be applied from the profile %s to %s unchanged',
    async (from, to) => {
      await expectRoundTrip(content, { from, to });
    },
  );

  test('is unchanged after it was applied from the profile guide to contract and from there to guide', async () => {
    await expectChain(content, ['guide', 'contract', 'guide']);
  });
});

test('the demo is unchanged after it was applied from the profile guide to contract and from there to guide', async () => {
  await expectChain(createDemoContent(), ['guide', 'contract', 'guide']);
});

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
