import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getRuleSubject } from '../../../src/catalog/ruleSubject.ts';
import { readCompleteDatamodel } from '../../../src/changes/model/readCompleteDatamodel.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { CliSandboxFixture } from '../../support/cliSandboxFixture.ts';
import { createRealWriter } from '../../support/createRealWriter.ts';
import { readFolderTexts } from '../../support/readFolderTexts.ts';

/** Settings that select everything, including each custom data object of the demo. */
const manage = {
  cubeSets: ['Retail Group'],
  customData: {
    ...Object.fromEntries(
      ['Retail', 'Marketing', 'Support Desk'].map((model) => [model, { app: 'status-tags', model }]),
    ),
    ...Object.fromEntries(['terms', 'notes', 'build-calendar', 'thresholds'].map((app) => [app, { app }])),
    'settings EU': { app: 'settings', locale: 'de-DE' },
    'settings JP': { app: 'settings', locale: 'ja-JP' },
    'dark launch': { feature: 'dark-launch' },
  },
};

/** All forms of the platform's identifiers (platform-facts.md, 0). */
const identifierPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24}/gi;

/** Returns all documents of an instance, as the instance returns them. */
async function readEverything(client: PlatformClient): Promise<readonly unknown[]> {
  const datamodels = (await client.datamodels.list()).value;
  const datamodelDocuments = datamodels.map(async (datamodel) => {
    const subject = getRuleSubject(datamodel);
    const [document, rules] = await Promise.all([
      readCompleteDatamodel(client, datamodel.oid),
      subject.kind === 'live'
        ? client.liveRules.list({ title: subject.title })
        : client.extractRules.list(subject),
    ]);
    return [document, rules.json];
  });
  const otherLists = await Promise.all([
    client.datamodels.list(),
    client.users.list(),
    client.groups.list(),
    client.viewpoints.list({ with: ['details', 'visibility'], limit: 1000 }),
    client.customData.list(),
    client.builds.list(),
    client.extractRules.list({ server: 'set', elasticube: 'Retail Group' }),
  ]);
  return [...(await Promise.all(datamodelDocuments)), ...otherLists.map(({ json }) => json)];
}

describe.each(['guide', 'contract'] as const)('an instance of the profile %s', (profile) => {
  const cli = new CliSandboxFixture({ profile });
  let project = '';

  beforeEach(async () => {
    project = await mkdtemp(join(cli.folder, 'project-'));
  });
  afterEach(() => rm(project, { recursive: true, force: true }));

  const pull = (...args: readonly string[]) => cli.run('pull', '--project', project, ...args);
  const read = (path: string): Promise<string> => readFile(join(project, path), 'utf8');
  const withClient = async <T>(use: (client: PlatformClient) => Promise<T>): Promise<T> => {
    const { url, adminToken: token } = cli.sandbox;
    const { client } = createRealWriter({ url, token, folder: join(cli.folder, 'history') });
    try {
      return await use(client);
    } finally {
      client.dispose();
    }
  };

  test('is pulled to files that contain no IDs or tokens, except for IDs in the lock file', async () => {
    await writeFile(join(project, 'datamodel-studio.json'), JSON.stringify({ version: 1, manage }));
    await pull();
    const files = [...(await readFolderTexts(project))].filter(([path]) => !path.endsWith('.lock.json'));
    const texts = files.map(([, text]) => text).join('\n');
    const paths = files.map(([path]) => path).join('\n');
    const kinds = new Set(paths.match(/\.[a-z-]+\.(?:json|sql)$/gm));
    expect([...kinds].sort()).toEqual([
      '.custom-data.json',
      '.datamodel.json',
      '.datamodel.sql',
      '.dataset.json',
      '.relation.json',
      '.rules.json',
      '.table.json',
      '.viewpoint.json',
    ]);
    const documents = await withClient(readEverything);
    const ids = new Set(JSON.stringify(documents).match(identifierPattern));
    expect(ids.size).toBeGreaterThan(300);
    const { adminToken, userToken } = cli.sandbox;
    const found = [...ids, adminToken, userToken].filter((id) => texts.includes(id) || paths.includes(id));
    expect(found).toEqual([]);
  });

  test('is pulled with only the custom data that the settings select', async () => {
    const customData = {
      'Retail tag': { app: 'status-tags', model: 'Retail' },
      calendar: { frozen: { $exists: true } },
    };
    await writeFile(
      join(project, 'datamodel-studio.json'),
      JSON.stringify({ version: 1, manage: { datamodels: [], viewpoints: [], customData } }),
    );
    expect(await pull()).toMatchObject({
      code: 0,
      stdout:
        'created custom-data/Retail tag.custom-data.json\ncreated custom-data/calendar.custom-data.json\n',
    });
    expect(JSON.parse(await read('custom-data/Retail tag.custom-data.json'))).toEqual({
      name: 'Retail tag',
      content: {
        app: 'status-tags',
        model: 'Retail',
        status: 'certified',
        icon: 'verified',
        since: '2025-11-02',
      },
    });
    await writeFile(
      join(project, 'datamodel-studio.json'),
      JSON.stringify({
        version: 1,
        manage: {
          datamodels: [],
          viewpoints: [],
          customData: { 'Retail tag': { app: 'status-tags' }, calendar: { app: 'none' } },
        },
      }),
    );
    const { code, stdout, stderr } = await pull('--prune', 'custom-data');
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'deleted custom-data/calendar.custom-data.json\n' });
    expect(stderr).toContain(
      'Can\'t read custom data/Retail tag: The custom data "Retail tag" matches 3 objects.',
    );
    await read('custom-data/Retail tag.custom-data.json');
  });
});
