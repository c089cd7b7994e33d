import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonEquals } from '../../../../src/base/canonicalJson.ts';
import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../../../src/base/json.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { compileCustomData } from '../../../../src/project/apply/compileCustomData.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { compare, summarize as summarizePlan, nothing as noDifference } from '../plan/planSupport.ts';
import { PulledProject, nothing, summarize } from './pullSupport.ts';

const path = 'custom-data/D.custom-data.json';

/** Objects with few members, so that two of them often differ only in what is null or absent. */
const arbitraryObject: fc.Arbitrary<JsonObject> = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        { weight: 2, arbitrary: fc.constantFrom<JsonValue>(1, '', false, [], [null], {}) },
        { weight: 1, arbitrary: fc.constantFrom<JsonValue>({ deep: null }, { deep: 1 }, { x: { y: null } }) },
      ),
    ),
    { selector: ([name]) => name, maxLength: 3 },
  )
  .map((entries): JsonObject => Object.fromEntries(entries));

const toDocuments = (object: JsonObject) => ({
  customData: [{ name: 'D', objects: [{ _id: 'd', ...object }] }],
});
const getContent = ({ texts }: PulledProject): JsonValue | undefined =>
  parseProject({ texts, faults: [] }).items[0]?.content;

/** What a request that merges members into an object does (docs/rest-api.md, "Custom data API"). */
function apply(current: JsonObject, { changes }: ReturnType<typeof compare>): JsonObject {
  const { writes, problems } = compileCustomData({
    changes,
    currentCustomData: toDocuments(current).customData,
    filters: new Map([['D', {}]]),
    partyIds: { find: () => ({ problem: 'unknown-party' }) },
  });
  expect(problems).toEqual([]);
  return writes.reduce<JsonObject>((object, { body }) => {
    const change = getMember(body, 'objectForUpdate');
    return isJsonObject(change) ? { ...object, ...change } : object;
  }, current);
}

describe('null in custom data is a value:', () => {
  test('a pull writes it, and finds each difference to what was last seen', () => {
    fc.assert(
      fc.property(arbitraryObject, arbitraryObject, (before, after) => {
        const isSame = jsonEquals(before, after);
        const project = new PulledProject();
        project.pull(toDocuments(before));
        expect(getContent(project)).toEqual(before);
        const withoutFile = new PulledProject(new Map(), project.lock);
        expect(summarize(withoutFile.pull(toDocuments(after)))).toEqual(
          isSame ? nothing : { ...nothing, conflicts: ['deleted-here customData/D '] },
        );
        expect(summarize(project.pull(toDocuments(after)))).toEqual(
          isSame ? nothing : { ...nothing, writes: [path] },
        );
        expect(getContent(project)).toEqual(after);
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });

  test('a file in which a null was added or removed isn’t deleted with the object', () => {
    fc.assert(
      fc.property(arbitraryObject, arbitraryObject, (pulled, edited) => {
        const [project, other] = [new PulledProject(), new PulledProject()];
        project.pull(toDocuments(pulled));
        other.pull(toDocuments(edited));
        const plan = new PulledProject(other.texts, project.lock).pull(
          { customData: [] },
          { prunedKinds: new Set(['customData']) },
        );
        expect(summarize(plan)).toEqual(
          jsonEquals(pulled, edited)
            ? { ...nothing, deletions: [path] }
            : { ...nothing, conflicts: ['deleted-there customData/D '] },
        );
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });

  test('an apply writes exactly what differs, a plan names what only the instance has, and then nothing differs', () => {
    fc.assert(
      fc.property(arbitraryObject, arbitraryObject, (wanted, current) => {
        const [project, other] = [new PulledProject(), new PulledProject()];
        project.pull(toDocuments(wanted));
        other.pull(toDocuments(current));
        // The instance has what a pull last saw, so only the files have changed.
        const edited = new PulledProject(project.texts, other.lock);
        const plan = compare(edited, toDocuments(current));
        const isOnlyThere = (name: string): boolean => !Object.hasOwn(wanted, name);
        expect(plan.changes.flatMap(({ parts }) => parts.map(({ pointer }) => pointer))).toEqual(
          Object.keys(wanted)
            .filter((name) => !(Object.hasOwn(current, name) && jsonEquals(current[name], wanted[name])))
            .map((name) => `/${name}`),
        );
        expect(summarizePlan(plan).notes).toEqual(
          Object.keys(current)
            .filter(isOnlyThere)
            .map((name) => `instance-only customData/D /${name}`),
        );
        const applied = apply(current, plan);
        expect(applied).toEqual({ ...current, ...wanted });
        expect(summarizePlan(compare(edited, toDocuments(applied))).changes).toEqual(noDifference.changes);
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });
});
