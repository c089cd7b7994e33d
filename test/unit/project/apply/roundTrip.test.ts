import { describe, expect, test } from 'vitest';
import { createDemoContent, withOtherIds } from './demoContent.ts';
import {
  TestInstance,
  applyCompletely,
  copyForOtherInstance,
  getSettableContents,
  createConnectionLookup,
  nothing,
  pullNew,
  readQueryColumns,
  summarize,
} from './roundTripSupport.ts';

const profiles = ['guide', 'contract'] as const;
const demo = createDemoContent();
const getConnection = createConnectionLookup(demo.datamodels);
const demoColumns = readQueryColumns(demo.datamodels);

describe.each(profiles)('the demo of the profile %s', (sourceProfile) => {
  test.each(profiles)('is the same on an instance of the profile %s', async (targetProfile) => {
    using source = new TestInstance(sourceProfile, demo, demoColumns);
    await source.build();
    using target = new TestInstance(targetProfile, withOtherIds(demo), demoColumns);
    const project = await pullNew(source);
    const applied = copyForOtherInstance(project);
    const { comparison } = await applyCompletely(target, applied, { getConnection });
    expect(summarize(comparison)).toEqual(nothing);
    const copy = await pullNew(target);
    expect([...copy.texts.keys()].toSorted()).toEqual([...project.texts.keys()].toSorted());
    expect(getSettableContents(copy)).toEqual(getSettableContents(project));
  });
});
