import { describe, expect, test } from 'vitest';
import { english, formatMessage } from '../../../../src/base/localize.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { stringify } from '../../../../src/base/json.ts';
import { convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import type { NumberedReference } from '../../../../src/project/instance/parties.ts';
import { PulledProject, createRetailDocuments, nothing, retail, summarize } from '../pull/pullSupport.ts';

const ann = { id: '62fece7410dea795ea567074', name: 'Ann', aliases: [] };
const twins = ['62fece7410dea795ea567075', '62fece7410dea795ea567076'].map((id) => ({
  id,
  name: 'Twin',
  aliases: [],
}));
const dashboardId = '670000007ec973945343b6de';

const convert = (
  customData: Readonly<Record<string, readonly JsonObject[]>>,
  numberedReferences: readonly NumberedReference[] = [],
) =>
  convertInstance({
    datamodels: [],
    cubeSets: [],
    viewpoints: [],
    customData: Object.entries(customData).map(([name, objects]) => ({ name, objects })),
    users: [ann, ...twins],
    groups: [{ id: '0b6df0a77f96d4b73c572389', name: 'Sales' }],
    numberedReferences,
  });

describe('a custom data object', () => {
  test('is kept as a whole, including nulls, times, and members that the server assigns in other documents', () => {
    const object = {
      app: 'notes',
      none: null,
      lastUpdated: '2026-01-02T03:04:05Z',
      revision: 7,
      nested: { _id: 'x', oid: null, list: [[], {}, null] },
    };
    const { items, identities, numberedReferences } = convert({ notes: [{ _id: 'a1', ...object }] });
    const key = { kind: 'customData', name: 'notes' };
    expect(items).toEqual([{ key, content: object }]);
    expect(identities).toEqual([{ key, oid: 'a1' }]);
    expect(numberedReferences).toEqual([]);
  });

  test('refers to users and groups by name, and to every other ID by number', () => {
    const link = `https://analytics.example.com/dashboards/${dashboardId}`;
    const object = {
      owner: ann.id,
      groups: ['0b6df0a77f96d4b73c572389'],
      twin: twins[1]?.id ?? '',
      dashboard: dashboardId,
      link,
    };
    const { items, numberedReferences } = convert({ bookmarks: [object] });
    expect(items[0]?.content).toEqual({
      owner: { $ref: { user: 'Ann' } },
      groups: [{ $ref: { group: 'Sales' } }],
      twin: { $ref: { user: { bound: 3 } } },
      dashboard: { $ref: { id: { bound: 1 } } },
      link: { $ref: { id: { bound: 2 } } },
    });
    expect(numberedReferences).toEqual([
      { number: 1, type: 'id', id: dashboardId },
      { number: 2, type: 'id', id: link },
      { number: 3, type: 'user', id: twins[1]?.id },
    ]);
    const secondConversion = convert(
      { bookmarks: [{ other: `${dashboardId}0`.slice(1), ...object }] },
      numberedReferences,
    );
    expect(secondConversion.numberedReferences.slice(0, 3)).toEqual(numberedReferences);
    expect(secondConversion.numberedReferences).toHaveLength(4);
  });

  test.each<[objects: Readonly<Record<string, readonly JsonObject[]>>, message: string]>([
    [
      { a: [{ x: 1 }, { x: 2 }] },
      'The custom data "a" matches 2 objects. Expected: one. Add conditions to its filter in datamodel-studio.json.',
    ],
    [
      { a: [{ [ann.id]: 1 }] },
      'The custom data "a" has an ID as a property name. IDs differ between instances. Remove it from "customData" in datamodel-studio.json.',
    ],
    [
      { a: [{ list: [{ [dashboardId]: 1 }] }] },
      'The custom data "a" has an ID as a property name. IDs differ between instances. Remove it from "customData" in datamodel-studio.json.',
    ],
    [
      { a: [{ mail: { password: `hunter2 ${dashboardId}` } }] },
      'The custom data "a" might contain a secret. Secrets don\'t belong in files. Remove it from "customData" in datamodel-studio.json.',
    ],
    [
      { a: [{ view: { $ref: { user: 'Ann' } } }] },
      'The custom data "a" has a "$ref" property of its own. In a file, it would be read as a reference. Remove the custom data from "customData" in datamodel-studio.json.',
    ],
  ])('that no file may contain is refused: %j', (objects, message) => {
    const { items, conversionErrors, numberedReferences } = convert({ ...objects, good: [{ b: 1 }] });
    expect(conversionErrors.map(({ userMessage }) => formatMessage(english, userMessage))).toEqual([message]);
    expect(items.map(({ key }) => key)).toEqual([{ kind: 'customData', name: 'good' }]);
    expect(stringify(numberedReferences)).not.toContain('hunter2');
  });

  test('that the filters of two names match is refused for both', () => {
    const object = { _id: 'x', a: 1 };
    const { conversionErrors, items } = convert({ one: [object], two: [object] });
    expect(conversionErrors.map(({ userMessage }) => formatMessage(english, userMessage))).toEqual([
      'The custom data "one" matches the same object as "two". Change the filter of one of them in datamodel-studio.json.',
      'The custom data "two" matches the same object as "one". Change the filter of one of them in datamodel-studio.json.',
    ]);
    expect(items).toEqual([]);
  });
});

describe('a pull of custom data', () => {
  const path = 'custom-data/settings.custom-data.json';
  const createSettings = (object: JsonObject, name = 'settings') => ({
    customData: [{ name, objects: [{ _id: 's1', ...object }] }],
  });

  test('merges the changes of both sides by member, and reports members that both have changed', () => {
    const project = new PulledProject();
    project.pull(createSettings({ app: 'settings', currency: 'EUR', dense: true }));
    expect(project.texts.get(path)).toBe(
      '{\n  "name": "settings",\n  "content": {\n    "app": "settings",\n    "currency": "EUR",\n    "dense": true\n  }\n}\n',
    );
    project.edit(path, '"dense": true', '"dense": false // Ours');
    const changedInstance = createSettings({ app: 'settings', currency: 'USD', dense: true });
    expect(summarize(project.pull(changedInstance))).toEqual({ ...nothing, writes: [path] });
    expect(project.texts.get(path)).toContain('"currency": "USD",\n    "dense": false // Ours');
    expect(summarize(project.pull(changedInstance))).toEqual(nothing);
    project.edit(path, 'USD', 'GBP');
    expect(
      summarize(project.pull(createSettings({ app: 'settings', currency: 'CHF', dense: true }))),
    ).toEqual({
      ...nothing,
      conflicts: ['both-changed customData/settings /currency'],
    });
  });

  test('keeps the file of an object that is gone until it is pruned', () => {
    const project = new PulledProject();
    project.pull(createSettings({ app: 'settings' }));
    const withoutObject = { customData: [{ name: 'settings', objects: [] }] };
    expect(summarize(project.pull(withoutObject))).toEqual({
      ...nothing,
      deletedOnInstance: ['customData/settings'],
    });
    expect(summarize(project.pull(withoutObject, { prunedKinds: new Set(['customData']) }))).toEqual({
      ...nothing,
      deletions: [path],
    });
  });

  test('does not change the file of an object that is unknown or matches twice', () => {
    const project = new PulledProject();
    project.pull(createSettings({ app: 'settings' }));
    const { lockText } = project;
    const ambiguousContent = { customData: [{ name: 'settings', objects: [{ a: 1 }, { a: 2 }] }] };
    const prunedKinds = new Set(['customData'] as const);
    expect(summarize(project.pull(ambiguousContent, { prunedKinds }))).toEqual({
      ...nothing,
      skipped: ['customData/settings'],
    });
    expect(summarize(project.pull({}, { prunedKinds, isUnknownOnInstance: () => true }))).toEqual({
      ...nothing,
      skipped: ['customData/settings'],
    });
    expect(project.lockText).toBe(lockText);
  });

  test('keeps the file if the settings have a new name for the object', () => {
    const project = new PulledProject();
    project.pull(createSettings({ app: 'settings' }));
    expect(summarize(project.pull(createSettings({ app: 'settings' }, 'app settings')))).toEqual({
      ...nothing,
      writes: [path],
      renames: ['customData/settings -> customData/app settings'],
    });
    expect(project.texts.get(path)).toContain('"name": "app settings"');
  });

  test('does not change the datamodels, even if they contain the same IDs', () => {
    const projectWithoutCustomData = new PulledProject();
    projectWithoutCustomData.pull(createRetailDocuments());
    const project = new PulledProject();
    project.pull({ ...createRetailDocuments(), customData: [{ name: 'x', objects: [{ id: retail.oid }] }] });
    expect([...project.texts].filter(([path]) => path.startsWith('datamodels/'))).toEqual([
      ...projectWithoutCustomData.texts,
    ]);
    expect([...project.texts.values()].join('')).not.toContain(retail.oid);
  });
});
