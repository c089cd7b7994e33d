import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createSelection,
  defaultProjectSettings,
  formatProjectSettings,
  readEnvironment,
  readEnvironmentSettings,
  readProjectSettings,
} from '../../../../src/project/settings/projectSettings.ts';
import { writeNewSettings } from '../../../../src/project/pull/newProjectFiles.ts';
import { projectFileName } from '../../../../src/project/projectFileName.ts';
import { expectDefined } from '../../../support/expectations.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'project-'));
  mkdirSync(join(folder, 'environments'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const readSettings = (text: string | Uint8Array) => {
  writeFileSync(join(folder, projectFileName), text);
  return readProjectSettings(folder);
};

describe('the settings of a project', () => {
  test('are undefined in a folder without a project', async () => {
    expect(await readProjectSettings(folder)).toBeUndefined();
  });

  test('are the defaults if the file has only the version, and otherwise the values of the file', async () => {
    expect(await readSettings('{"version": 1}')).toEqual(defaultProjectSettings);
    expect(await readSettings(formatProjectSettings(defaultProjectSettings))).toEqual(defaultProjectSettings);
  });

  test('may have comments and trailing commas', async () => {
    const settings = await readSettings('{"version": 1, // the format\n "manage": {"viewpoints": [],},}');
    expect(settings?.manage).toMatchObject({ datamodels: ['*'], viewpoints: [] });
  });

  test.each([
    ['', /^datamodel-studio\.json:1: The file is empty/],
    ['{"version": 1', /^datamodel-studio\.json:1: Invalid JSON/],
    ['{"version": 1,\n "version": 1}', /^datamodel-studio\.json:2: Duplicate key "version"/],
    ['[]', /^datamodel-studio\.json:1: .*expected an object, not an array/i],
    ['{\n"version": 2}', /^datamodel-studio\.json:2: .* Update Datamodel Studio\.$/],
    [
      '{"version": 1,\n\n"manage": {"datamodels": "Retail"}}',
      /^datamodel-studio\.json:3: "datamodels" must be an array, not a string/,
    ],
    ['{"version": 1, "manages": {}}', /"manages"/],
    ['{"version": 1, "manage": {"customData": {"a": {}}}}', /"manage\.customData\.a": Expected at least one/],
    ['{"version": 1, "manage": {"customData": {"a": {"_id": "1"}}}}', /IDs differ between instances/],
    ['{"version": 1, "manage": {"customData": {"a": {"$or": 1}}}}', /Expected property names/],
    ['{"version": 1, "manage": {"customData": {"a": {"x": {"$gt": 1}}}}}', /Expected a string, a number/],
    ['{}', 'datamodel-studio.json:1: Missing "version". Expected: 1.'],
    ['{"version": "1"}', '"version" must be 1.'],
    [new Uint8Array([0x7b, 0xff, 0x7d]), /isn't valid UTF-8/],
  ])('are rejected with the position and what is expected: %s', async (text, message) => {
    await expect(readSettings(text)).rejects.toThrow(message);
  });

  test('are rejected if they are a folder', async () => {
    mkdirSync(join(folder, projectFileName));
    await expect(readProjectSettings(folder)).rejects.toThrow(
      /Can't read the file\. The system reports: not a regular file\./,
    );
  });
});

describe('a selection', () => {
  test('is limited within what the project manages', () => {
    const manage = {
      datamodels: ['Sales*'],
      viewpoints: ['*'],
      cubeSets: ['All'],
      customData: { a: { b: 1 } },
    };
    const selection = createSelection({ version: 1, manage }, { datamodels: ['*EU', 'Retail'] });
    expect(['Sales EU', 'Sales US', 'Retail'].map((title) => selection.includesDatamodel(title))).toEqual([
      true,
      false,
      false,
    ]);
    expect([selection.hasViewpoints, selection.includesViewpoint('Any'), selection.cubeSets]).toEqual([
      false,
      false,
      [],
    ]);
    expect(selection.customData.size).toBe(0);
    expect(createSelection({ version: 1, manage }).customData).toEqual(new Map([['a', { b: 1 }]]));
  });

  test('has everything that the project manages if it is not limited', () => {
    const selection = createSelection(defaultProjectSettings);
    expect([
      selection.hasViewpoints,
      selection.includesViewpoint('Any'),
      selection.includesDatamodel('x'),
    ]).toEqual([true, true, true]);
  });
});

describe('an environment', () => {
  test('whose instance has no viewpoints leaves those of the project alone', async () => {
    writeFileSync(
      join(folder, 'environments/old.json'),
      '{"url": "https://a.example.com", "viewpoints": false}',
    );
    expect(await readEnvironmentSettings(folder, 'old')).toBeUndefined();
    await writeNewSettings(folder, defaultProjectSettings);
    const settings = expectDefined(await readEnvironmentSettings(folder, 'old'), 'settings');
    expect(createSelection(settings).hasViewpoints).toBe(false);
    expect(createSelection(settings).includesViewpoint('Any')).toBe(false);
    expect(await readEnvironmentSettings(folder, 'default')).toEqual(defaultProjectSettings);
  });

  test('has the role development unless the file has another one', async () => {
    writeFileSync(join(folder, 'environments/test.json'), '{"url": "https://test.example.com"}');
    writeFileSync(
      join(folder, 'environments/prod.json'),
      '{"url": "https://example.com", "role": "production", "tenant": "t1"}',
    );
    expect(await readEnvironment(folder, 'test')).toEqual({
      name: 'test',
      url: 'https://test.example.com',
      role: 'development',
    });
    expect(await readEnvironment(folder, 'prod')).toMatchObject({ role: 'production', tenant: 't1' });
  });

  test.each(['../prod', 'a/b', String.raw`a\b`, '', '.', 'prod.lock', 'x'.repeat(65)])(
    'is rejected if its name cannot be that of a file in its folder: %s',
    async (name) => {
      await expect(readEnvironment(folder, name)).rejects.toThrow(/Invalid environment name/);
    },
  );

  test('that does not exist, or has an unknown role, is rejected', async () => {
    await expect(readEnvironment(folder, 'none')).rejects.toThrow('The project has no such environment.');
    writeFileSync(join(folder, 'environments/bad.json'), '{"url": "https://x.example", "role": "prod"}');
    await expect(readEnvironment(folder, 'bad')).rejects.toThrow(
      'environments/bad.json:1: "role" must be one of: development, staging, production, read-only.',
    );
  });
});
