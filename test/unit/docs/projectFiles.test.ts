import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { validateProject } from '../../../src/project/validate/validateProject.ts';
import { expectDefined } from '../../support/expectations.ts';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documented-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

test('the files that the documentation shows are valid, and rules that it calls uncertain are reported', async () => {
  const page = await readFile(join(projectRoot, 'docs/projects.md'), 'utf8');
  const [section = ''] = /### File formats\n.+?\n## /s.exec(page) ?? [];
  const [rules, table] = [...section.matchAll(/^```json\n(.+?)^```/gms)].map(([, text]) =>
    expectDefined(text),
  );
  const [, relation = ''] = /`(\{"columns": .+?\]\})`/s.exec(section) ?? [];
  await write('datamodel-studio.json', '{ "version": 1, "manage": { "datamodels": ["*"] } }');
  await write('datamodels/Retail/Retail.datamodel.json', '{ "title": "Retail", "type": "extract" }');
  for (const [name, type] of [
    ['Master Data', 'extract'],
    ['Custom Tables', 'custom'],
  ] as const) {
    await write(`datamodels/Retail/datasets/${name}.dataset.json`, JSON.stringify({ name, type }));
  }
  const createTable = (name: string, members: object): Promise<void> =>
    write(
      `datamodels/Retail/tables/${name}.table.json`,
      JSON.stringify({ name, id: name, dataset: 'Master Data', type: 'base', ...members }),
    );
  await createTable('Orders', { columns: [{ name: 'Status', id: 'Status', type: 18 }] });
  await createTable('Stores', { columns: [{ name: 'Store Id', id: 'Store Id', type: 8 }] });
  const expression = { $file: 'Big Stores.datamodel.sql' };
  await createTable('Big Stores', { dataset: 'Custom Tables', type: 'custom', expression, columns: [] });
  await write('datamodels/Retail/tables/Big Stores.datamodel.sql', 'SELECT [Store Id] FROM [Stores]');
  await write('datamodels/Retail/tables/Targets.table.json', expectDefined(table));
  await write('datamodels/Retail/relations/new.relation.json', relation);
  await write('datamodels/Retail/rules/Orders.Status.rules.json', expectDefined(rules));
  expect(await validateProject(folder)).toEqual([]);

  const [rule = {}] = JSON.parse(expectDefined(rules)) as object[];
  for (const uncertain of [{ allMembers: null }, { allMembers: false, exclusionary: true }]) {
    await write(
      'datamodels/Retail/rules/Orders.Status.rules.json',
      JSON.stringify([{ ...rule, members: [], ...uncertain, shares: [{ type: 'default' }] }]),
    );
    expect(await validateProject(folder)).not.toEqual([]);
  }
});
