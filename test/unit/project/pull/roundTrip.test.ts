import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonValue, isJsonObject, parseLossless } from '../../../../src/base/json.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { type InstanceDocuments, convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import { createSelection, defaultProjectSettings } from '../../../../src/project/settings/projectSettings.ts';
import { readInstance } from '../../../../src/project/source/readInstance.ts';
import { checkProject } from '../../../../src/project/validate/validateProject.ts';
import { largeSeed } from '../../../../src/sandbox/seeds/large.ts';
import { readRecordedText } from '../../../support/recorded.ts';
import { isSoak } from '../../../support/soak.ts';
import { ChangeFixture } from '../../changes/run/support.ts';
import { hostileNames } from '../hostileNames.ts';
import { findPathProblem } from '../legalPaths.ts';
import { PulledProject, nothing, summarize } from './pullSupport.ts';

type Documents = Omit<InstanceDocuments, 'numberedReferences'>;

const manage = {
  ...defaultProjectSettings.manage,
  cubeSets: ['Retail Group'],
  customData: { calendar: { app: 'build-calendar' }, terms: { app: 'terms' } },
};

async function readDocuments(fixture: ChangeFixture): Promise<Documents> {
  const { documents, failedParts } = await readInstance(fixture.client, {
    selection: createSelection({ version: 1, manage }),
    signal: new AbortController().signal,
    log: silentLog,
  });
  expect(failedParts).toEqual([]);
  return documents;
}

/** Pulls documents into an empty project, reads its files back, and pulls again. */
function expectRoundTrip(documents: Documents, minCount: number): void {
  const project = new PulledProject();
  const plan = project.pull(documents);
  expect(plan.conflicts).toEqual([]);
  expect(project.problems).toEqual([]);
  expect(findPathProblem([...project.texts.keys()])).toBeUndefined();

  const { items, conversionErrors } = convertInstance({ ...documents, numberedReferences: [] });
  expect(conversionErrors).toEqual([]);
  expect(items.length).toBeGreaterThanOrEqual(minCount);
  const toEntry = ({ key, content }: (typeof items)[number]): readonly [string, JsonValue] => [
    formatItemKey(key),
    content,
  ];
  const read = parseProject({ texts: project.texts, faults: [] });
  expect(read.items.map(toEntry)).toEqual(items.map(toEntry));
  const findings = checkProject(read, createSelection({ version: 1, manage }));
  expect(findings.filter(({ code }) => code.startsWith('project/'))).toEqual([]);

  const { lockText } = project;
  expect(summarize(project.pull(documents))).toEqual(nothing);
  expect(project.lockText).toBe(lockText);
  const copy = new PulledProject();
  copy.pull(documents);
  expect(copy.texts).toEqual(project.texts);
  expect(copy.lockText).toBe(lockText);
}

describe.each(['guide', 'contract'] as const)(
  'a pull in the profile %s is read back as it was:',
  (profile) => {
    // The large seed takes a minute, so it is for soaks only.
    test.each([['demo', undefined, 150] as const, ...(isSoak ? [['large', largeSeed, 5500] as const] : [])])(
      'the seed %s',
      { timeout: 300_000 },
      async (_name, seed, minCount) => {
        using fixture = new ChangeFixture({ profile, ...(seed === undefined ? {} : { seed }) });
        expectRoundTrip(await readDocuments(fixture), minCount);
      },
    );
  },
);

test.each([
  ['response', readFileSync(join(import.meta.dirname, '../../../fixtures/real-datamodel.json'), 'utf8')],
  ['export', readRecordedText('datamodel-extract-2026-export.json')],
])('a pull of a recorded %s is read back as it was', (_title, text) => {
  const value = parseLossless(text);
  const document = isJsonObject(value) ? value : {};
  const nothingElse = { cubeSets: [], viewpoints: [], customData: [], users: [], groups: [] };
  expectRoundTrip({ ...nothingElse, datamodels: [{ document, rules: [] }] }, 6);
});

const nameCount = isSoak ? 100_000 : 3000;

test(`${nameCount} names in one folder get distinct files, and are read back`, { timeout: 600_000 }, () => {
  const names = [...new Set(fc.sample(hostileNames, { numRuns: nameCount * 2.5, seed: 23 }))]
    .filter((name) => name !== '')
    .slice(0, nameCount);
  expect(names).toHaveLength(nameCount);
  const project = new PulledProject();
  project.pull({ viewpoints: names.map((name, index) => ({ id: `${index}`, name })) });
  expect(project.texts.size).toBe(names.length);
  expect(findPathProblem([...project.texts.keys()])).toBeUndefined();
  const { items, problems } = parseProject({ texts: project.texts, faults: [] });
  expect(problems).toEqual([]);
  expect(items.flatMap(({ key }) => (key.kind === 'viewpoint' ? [key.viewpoint] : [])).toSorted()).toEqual(
    names.toSorted(),
  );
});
