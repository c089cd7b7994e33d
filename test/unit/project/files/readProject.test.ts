import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { english, formatMessage } from '../../../../src/base/localize.ts';
import { readProject } from '../../../../src/project/files/readProject.ts';
import { formatItemKey } from '../../../../src/project/item.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'project-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

test('a folder that does not exist is an empty project', async () => {
  const project = await readProject(join(folder, 'nothing'));
  expect(project).toMatchObject({ items: [], problems: [], paths: [] });
  expect(project.isUnknown({ kind: 'viewpoint', viewpoint: 'V' })).toBe(false);
});

test('files are read, links are not followed, and other files are ignored', async () => {
  await write('viewpoints/V.viewpoint.json', '\uFEFF{"name": "V"}');
  await write('viewpoints/Latin.viewpoint.json', Buffer.from('{"name": "\xe9"}', 'latin1'));
  await write('viewpoints/notes.md', 'x');
  await write('other/W.viewpoint.json', 'not JSON');
  await write('viewpoints/.cache/W.viewpoint.json', 'not JSON');
  await symlink(join(folder, 'other/W.viewpoint.json'), join(folder, 'viewpoints/W.viewpoint.json'));
  await symlink(join(folder, 'other'), join(folder, 'datamodels'));
  const socket = createServer().listen(join(folder, 'viewpoints/Socket.viewpoint.json'));
  await once(socket, 'listening');
  const project = await readProject(folder);
  socket.close();
  expect(project.items.map(({ key, text }) => [formatItemKey(key), text])).toEqual([
    ['viewpoint/V', '\uFEFF{"name": "V"}'],
  ]);
  expect(project.problems.map(({ path, code }) => `${code} ${path}`)).toEqual([
    'symbolic-link datamodels',
    'invalid-encoding viewpoints/Latin.viewpoint.json',
    'unreadable viewpoints/Socket.viewpoint.json',
    'symbolic-link viewpoints/W.viewpoint.json',
  ]);
  expect(project.isUnknown({ kind: 'viewpoint', viewpoint: 'W' })).toBe(true);
  expect(project.isUnknown({ kind: 'datamodel', datamodel: 'R' })).toBe(true);
});

test('more files than are read at once are read', async () => {
  const names = Array.from({ length: 100 }, (_item, index) => `${1000 + index}`);
  for (const name of names) {
    await write(`viewpoints/${name}.viewpoint.json`, JSON.stringify({ name }));
  }
  const { items } = await readProject(folder);
  expect(items.map(({ content }) => content)).toEqual(names.map((name) => ({ name })));
});

test('a file whose name almost has the ending of its kind is reported, and its item is not taken for deleted', async () => {
  await write('datamodels/Retail/Retail.datamodel.json', '{"title": "Retail"}');
  await write('datamodels/Retail/tables/Orders.tabel.json', '{');
  await write('datamodels/Retail/tables/Orders.DataModell.sql', 'x');
  for (const name of ['Orders.csv', 'notes.json', 'scratch.sql', 'Orders.rule.json', 'Orders.backup.json']) {
    await write(`datamodels/Retail/tables/${name}`, 'x');
  }
  await write('viewpoints/Profit.viewpoint.jsonc', '{}');
  const project = await readProject(folder);
  expect(
    project.problems.map(({ path, code, message }) => `${code} ${path}: ${formatMessage(english, message)}`),
  ).toEqual([
    'misnamed-file datamodels/Retail/tables/Orders.DataModell.sql: This file name doesn\'t have the extension of a project file. Did you mean ".datamodel.sql"?',
    'misnamed-file datamodels/Retail/tables/Orders.tabel.json: This file name doesn\'t have the extension of a project file. Did you mean ".table.json"?',
    'misnamed-file viewpoints/Profit.viewpoint.jsonc: This file name doesn\'t have the extension of a project file. Did you mean ".viewpoint.json"?',
  ]);
  expect(project.isUnknown({ kind: 'table', datamodel: 'Retail', table: 'Orders' })).toBe(true);
  expect(project.isUnknown({ kind: 'table', datamodel: 'Other', table: 'Orders' })).toBe(false);
  expect(project.isUnknown({ kind: 'viewpoint', viewpoint: 'Profit' })).toBe(true);
});
