import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { english, formatMessage } from '../../../../src/base/localize.ts';
import { ProjectFiles } from '../../../../src/project/files/projectFiles.ts';
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
  expect(project.mayBeInUnreadFile({ kind: 'viewpoint', viewpoint: 'V' })).toBe(false);
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
  expect(project.mayBeInUnreadFile({ kind: 'viewpoint', viewpoint: 'W' })).toBe(true);
  expect(project.mayBeInUnreadFile({ kind: 'datamodel', datamodel: 'R' })).toBe(true);
});

test('more files than are read at once are read', async () => {
  const names = Array.from({ length: 100 }, (_item, index) => `${1000 + index}`);
  for (const name of names) {
    await write(`viewpoints/${name}.viewpoint.json`, JSON.stringify({ name }));
  }
  const { items } = await readProject(folder);
  expect(items.map(({ content }) => content)).toEqual(names.map((name) => ({ name })));
});

test('a file without the extension of its kind is reported, and its item does not count as deleted', async () => {
  await write('datamodels/Retail/Retail.datamodel.json', '{"title": "Retail"}');
  const misnamedPaths = [
    ['datamodels/Retail/tables/Orders.tabel.json', '.table.json'],
    ['datamodels/Retail/tables/Orders.DataModell.sql', '.datamodel.sql'],
    ['datamodels/Retail/tables/notes.json', '.table.json'],
    ['datamodels/Retail/rules/Orders.Status.rule.json', '.rules.json'],
    ['datamodels/Retail/rules/Orders.Status.rules.jsn', '.rules.json'],
    ['datamodels/Retail/rules/Orders.Status.rules.json.orig', '.rules.json'],
    ['datamodels/Retail/rules/Orders.Status.rules.json~', '.rules.json'],
    ['datamodels/Retail/rules/Orders.Status.json', '.rules.json'],
    ['datamodels/Retail/rules/Orders.Status.rules', '.rules.json'],
    ['datamodels/Retail.json', undefined],
    ['cube-sets/All Sales/rules/Orders.Status.json.bak', '.rules.json'],
    ['viewpoints/Profit.json', '.viewpoint.json'],
    ['viewpoints/Loss.viewpoint.jsonc', '.viewpoint.json'],
    ['custom-data/Settings.JSON', '.custom-data.json'],
  ] as const;
  const otherPaths = [
    'README.md',
    '.gitkeep',
    'Orders.csv',
    'Orders.table.md',
    'Orders',
    'rules.txt',
    '.x.json',
  ];
  for (const path of [
    ...misnamedPaths.map(([path]) => path),
    ...otherPaths.flatMap((name) => [`datamodels/Retail/tables/${name}`, `viewpoints/${name}`]),
  ]) {
    await write(path, 'x');
  }
  const project = await readProject(folder);
  expect(
    project.problems.map(({ path, code, severity, message }) => [
      `${severity} ${code} ${path}`,
      formatMessage(english, message),
    ]),
  ).toEqual(
    misnamedPaths
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, suffix]) => [
        `error misnamed-file ${path}`,
        `This file name doesn't have the extension of a project file. ${suffix === undefined ? 'Rename it, or move it out of the folder.' : `Did you mean "${suffix}"?`}`,
      ]),
  );
  expect(project.mayBeInUnreadFile({ kind: 'table', datamodel: 'Retail', table: 'Orders' })).toBe(true);
  expect(
    project.mayBeInUnreadFile({ kind: 'rules', datamodel: 'Retail', table: 'Orders', column: 'Status' }),
  ).toBe(true);
  expect(project.mayBeInUnreadFile({ kind: 'viewpoint', viewpoint: 'Profit' })).toBe(true);
});

test.each([
  ['datamodels/Retail/rules/Orders.Status.rule.json', 'rules'],
  ['datamodels/Retail/tables/Orders.json', 'table'],
])('%s may contain only items of the kind of its folder, and only of its datamodel', async (path, kind) => {
  for (const title of ['Retail', 'Other']) {
    await write(`datamodels/${title}/${title}.datamodel.json`, JSON.stringify({ title }));
  }
  await write(path, '{}');
  const project = await readProject(folder);
  const mayBeUnread = (datamodel: string) => [
    project.mayBeInUnreadFile({ kind: 'rules', datamodel, table: 'T', column: 'C' }),
    project.mayBeInUnreadFile({ kind: 'table', datamodel, table: 'T' }),
  ];
  expect(mayBeUnread('Retail')).toEqual([kind === 'rules', kind === 'table']);
  expect(mayBeUnread('Other')).toEqual([false, false]);
});

test('a file whose extension is in capital letters belongs to the project', async () => {
  await write('viewpoints/V.viewpoint.JSON', '{"name": "V"}');
  const { items, problems } = await readProject(folder);
  expect([items.length, problems]).toEqual([1, []]);
});

test('other SQL, and a backup beside its original, are reported, and no item may be in them', async () => {
  await write('datamodels/Retail/Retail.datamodel.json', '{"title": "Retail"}');
  await write('datamodels/Retail/tables/scratch.sql', 'x');
  await write('viewpoints/V.viewpoint.json', '{"name": "V"}');
  await write('viewpoints/V.viewpoint.json.orig', '{"name": "V"}');
  const project = await readProject(folder);
  expect(
    project.problems.map(({ path, code, severity, message }) => [
      `${severity} ${code} ${path}`,
      formatMessage(english, message),
    ]),
  ).toEqual(
    ['datamodels/Retail/tables/scratch.sql', 'viewpoints/V.viewpoint.json.orig'].map((path) => [
      `warning ignored-file ${path}`,
      "This file isn't part of the project and is ignored.",
    ]),
  );
  expect(project.mayBeInUnreadFile({ kind: 'table', datamodel: 'Retail', table: 'T' })).toBe(false);
  expect(project.mayBeInUnreadFile({ kind: 'viewpoint', viewpoint: 'W' })).toBe(false);
});

const createModelKey = (datamodel: string) => ({ kind: 'datamodel', datamodel }) as const;

test.each([
  ['viewpoint', 'viewpoints', 'W.viewpoint.json'],
  ['Viewpoints', 'viewpoints', 'W.viewpoint.json'],
  ['datamodel', 'datamodels', 'Other/tables/T.table.json'],
  ['cube_sets', 'cube-sets', 'Other/rules/T.C.rules.json'],
  ['customdata', 'custom-data', 'D.custom-data.json'],
])(
  'a folder %s with files of a project is reported, and its items are unknown',
  async (name, intended, file) => {
    await write('datamodel-studio.json', '{}');
    await write(`${name}/README.md`, 'x');
    expect((await readProject(folder)).problems).toEqual([]);
    await write(`${name}/${file}`, '{}');
    const files = new ProjectFiles(folder);
    await files.readAll();
    const project = files.parse();
    expect(project.problems.map(({ path, code, severity }) => [severity, code, path])).toEqual([
      ['error', 'misnamed-folder', name],
    ]);
    expect(project.problems.map(({ message }) => formatMessage(english, message))).toEqual([
      `This folder contains project files, but doesn't have the name of a project folder. Did you mean "${intended}"?`,
    ]);
    expect(
      [
        { kind: 'viewpoint', viewpoint: 'W' } as const,
        createModelKey('Other'),
        { kind: 'cubeSetRules', cubeSet: 'S', table: 'T', column: 'C' } as const,
        { kind: 'customData', name: 'D' } as const,
      ].map((key) => project.mayBeInUnreadFile(key)),
    ).toEqual(
      ['viewpoints', 'datamodels', 'cube-sets', 'custom-data'].map((folderName) => folderName === intended),
    );
    // The editor reports that the folder was renamed to the intended name.
    await rename(join(folder, name), join(folder, intended));
    await files.read([intended]);
    expect(files.parse().problems.filter(({ code }) => code === 'misnamed-folder')).toEqual([]);
    await rename(join(folder, intended), join(folder, name));
    await files.read([intended]);
    expect(files.parse().problems).toMatchObject([{ code: 'misnamed-folder' }]);
    await rm(join(folder, name), { recursive: true });
    await files.read([name]);
    expect(files.parse().problems).toEqual([]);
  },
);

test('another project, and a folder whose name resembles none of a project, are no misnamed folders', async () => {
  await write('old/viewpoints/V.viewpoint.json', '{}');
  await write('viewpoint/datamodel-studio.json', '{}');
  await write('viewpoint/viewpoints/V.viewpoint.json', '{}');
  expect((await readProject(folder)).problems).toEqual([]);
});

test('items of a kind are unknown in all datamodels if a file of that kind is in a wrong folder', async () => {
  await write('datamodels/Retail/Retail.datamodel.json', '{"title": "Retail"}');
  await write('datamodels/Retail/rule/Orders.Status.rules.json', '{}');
  const project = await readProject(folder);
  expect(project.problems).toMatchObject([{ code: 'misplaced-file', severity: 'error' }]);
  expect(
    project.mayBeInUnreadFile({ kind: 'rules', datamodel: 'Retail', table: 'Orders', column: 'Status' }),
  ).toBe(true);
  expect(project.mayBeInUnreadFile({ kind: 'table', datamodel: 'Retail', table: 'Orders' })).toBe(false);
});
