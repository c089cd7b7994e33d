import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { InstanceDocuments } from '../../../../src/project/instance/convertInstance.ts';
import { createChunks } from '../../../../src/project/status/serverReading.ts';
import { StatusEngine } from '../../../../src/project/status/statusEngine.ts';
import type { ProjectStatus } from '../../../../src/project/status/statusCalls.ts';
import { createRetailDocuments, paths, rule } from '../pull/pullSupport.ts';
import { createReading, summarizeStatus, writeProjectFile, writePulledProject } from './statusSupport.ts';

const lockPath = 'environments/test.lock.json';

async function open(instance: Partial<InstanceDocuments> = createRetailDocuments()) {
  const project = writePulledProject(instance);
  const engine = new StatusEngine({ folder: project.folder, environmentName: 'test' });
  const status = await engine.reload();
  const write = (path: string, text: string) => writeProjectFile(project.folder, path, text);
  const getText = (path: string): string => project.texts.get(path) ?? '';
  return { engine, status, folder: project.folder, project, write, getText };
}

function read(engine: StatusEngine, instance: Partial<InstanceDocuments>): ProjectStatus {
  const { documents: all, scope } = createReading(instance);
  for (const chunk of createChunks(all)) {
    engine.addDocuments(chunk);
  }
  return engine.finishReading(scope);
}

describe('the status of the files', () => {
  test('is empty after a pull', async () => {
    const { status } = await open();
    expect(status).toEqual({
      items: [],
      unreadableFiles: [],
      uncomparedFiles: [],
      conversionErrors: [],
      isServerKnown: false,
      isOutdated: false,
      isPulled: true,
    });
  });

  test('follows the files that are reported as changed, and no others', async () => {
    const { engine, write, getText } = await open();
    write(paths.customers, getText(paths.customers).replace('People', 'Persons'));
    write(paths.region, getText(paths.region).replace('North', 'South'));
    expect(summarizeStatus(await engine.update([paths.customers]))).toEqual([
      `here: ${paths.customers} changed unknown`,
    ]);
    write(paths.customers, getText(paths.customers));
    expect(summarizeStatus(await engine.update([paths.customers, paths.region]))).toEqual([
      `here: ${paths.region} changed unknown`,
    ]);
  });

  test('follows a folder that version control renames or deletes, and a new one', async () => {
    const { engine, folder } = await open();
    renameSync(join(folder, 'datamodels/Retail/rules'), join(folder, 'rules'));
    expect(summarizeStatus(await engine.update(['datamodels/Retail/rules']))).toEqual([
      `here: ${paths.region} deleted unknown`,
    ]);
    renameSync(join(folder, 'rules'), join(folder, 'datamodels/Retail/rules'));
    expect(summarizeStatus(await engine.update(['datamodels/Retail/rules']))).toEqual([]);
    rmSync(join(folder, 'datamodels/Retail'), { recursive: true });
    expect((await engine.update(['datamodels/Retail'])).items.every(({ here }) => here === 'deleted')).toBe(
      true,
    );
  });

  test('names files that can’t be read', async () => {
    const { engine, folder, write } = await open();
    write(paths.region, '[');
    symlinkSync('/dev/null', join(folder, 'viewpoints.link'));
    mkdirSync(join(folder, 'viewpoints'));
    symlinkSync('/dev/null', join(folder, 'viewpoints/A.viewpoint.json'));
    write('viewpoints/B.viewpont.json', '{}');
    const changedPaths = [paths.region, 'viewpoints/A.viewpoint.json', 'viewpoints/B.viewpont.json'];
    const status = await engine.update([...changedPaths, 'viewpoints.link']);
    expect(status.items).toEqual([]);
    expect(status.unreadableFiles.map(({ path }) => path)).toEqual(changedPaths);
    rmSync(join(folder, 'viewpoints/B.viewpont.json'));
    expect((await engine.update(changedPaths)).unreadableFiles.map(({ path }) => path)).toEqual(
      changedPaths.slice(0, 2),
    );
  });

  test('follows the other files if one can’t be read', async () => {
    const { engine, write, getText } = await open();
    write(paths.region, getText(paths.region).replace('North', 'South'));
    // Even root can't read a file whose name is too long for the system.
    const unreadablePath = `datamodels/Retail/tables/${'x'.repeat(300)}.table.json`;
    const status = await engine.update([unreadablePath, paths.region]);
    expect(summarizeStatus(status)).toEqual([`here: ${paths.region} changed unknown`]);
    expect(status.unreadableFiles).toMatchObject([
      {
        path: unreadablePath,
        message: {
          text: "Can't read this file or folder. {0}",
          values: [{ text: 'Its path is too long ({0}).', values: ['ENAMETOOLONG'] }],
        },
      },
    ]);
  });

  test('has nothing below a link to a folder, neither after an update nor after reading all files', async () => {
    const { engine, folder, write, getText } = await open();
    write('elsewhere/rules/Region.rules.json', getText(paths.region).replace('North', 'East'));
    write(paths.region, getText(paths.region).replace('North', 'South'));
    await engine.update([paths.region]);
    renameSync(join(folder, 'datamodels/Retail/rules'), join(folder, 'rules'));
    symlinkSync(join(folder, 'elsewhere/rules'), join(folder, 'datamodels/Retail/rules'));
    const updated = await engine.update([paths.region, 'datamodels/Retail/rules/Other.rules.json']);
    expect(updated.items).toEqual([]);
    expect(updated.unreadableFiles.map(({ path }) => path)).toEqual(['datamodels/Retail/rules']);
    expect(await engine.update(['datamodels/Retail/rules'])).toEqual(updated);
    expect(await engine.reload()).toEqual(updated);
    rmSync(join(folder, 'datamodels/Retail/rules'));
    write('datamodels/Retail/rules', 'A file that is no part of the project');
    const replaced = await engine.update(['datamodels/Retail/rules']);
    expect(summarizeStatus(replaced)).toEqual([`here: ${paths.region} deleted unknown`]);
    expect(replaced.unreadableFiles).toEqual([]);
  });

  test('ignores hidden files and files that are not part of the project', async () => {
    const { engine, write } = await open();
    write('datamodels/.old/A.datamodel.json', '{');
    write('datamodels/Retail/.x.tmp', '');
    write('README.md', '');
    expect((await engine.update(['datamodels/.old', 'datamodels/Retail/.x.tmp', 'README.md'])).items).toEqual(
      [],
    );
  });

  test('follows the settings and the lock file', async () => {
    const { engine, project, write, getText } = await open();
    write(paths.customers, getText(paths.customers).replace('People', 'Persons'));
    await engine.update([paths.customers]);
    write('datamodel-studio.json', '{ "version": 1, "manage": { "datamodels": [] } }');
    expect((await engine.update(['datamodel-studio.json'])).items).toEqual([]);
    write('datamodel-studio.json', '{ "version": 1 }');
    project.pull(createRetailDocuments([['"People"', '"Persons"']]));
    write(lockPath, project.lockText);
    expect((await engine.update(['datamodel-studio.json', lockPath])).items).toEqual([]);
  });

  test('follows whether the instance of the environment has viewpoints', async () => {
    const { engine, write } = await open();
    const viewpointPath = 'viewpoints/Sales.viewpoint.json';
    const environmentPath = 'environments/test.json';
    const url = 'https://bi.example.com';
    write('datamodel-studio.json', '{ "version": 1 }');
    write(viewpointPath, '{ "name": "Sales", "details": {} }');
    write(environmentPath, JSON.stringify({ url, viewpoints: false }));
    expect((await engine.reload()).items).toEqual([]);
    write(environmentPath, JSON.stringify({ url }));
    expect(summarizeStatus(await engine.update([environmentPath]))).toEqual([
      `here: ${viewpointPath} added unknown`,
    ]);
    write(environmentPath, JSON.stringify({ url, viewpoints: false }));
    expect((await engine.update([environmentPath])).items).toEqual([]);
    write(environmentPath, '{}');
    expect((await engine.update([environmentPath])).fault).toMatchObject({ path: environmentPath });
  });

  test('is not computed with a broken lock file or broken settings', async () => {
    const { engine, write, getText } = await open();
    write(paths.customers, getText(paths.customers).replace('People', 'Persons'));
    write(lockPath, '<<<<<<< HEAD');
    const status = await engine.update([paths.customers, lockPath]);
    expect(status.items).toEqual([]);
    expect(status.fault?.path).toBe(lockPath);
    expect(status.fault?.message).toMatchObject({
      text: expect.stringContaining('{0} has an unresolved merge conflict at line {1}.'),
      values: [lockPath, 1],
    });
    write(lockPath, '{ "version": 1, "bound": [], "items": {} }');
    write('datamodel-studio.json', '{ "version": 99 }');
    expect((await engine.reload()).fault).toMatchObject({ path: 'datamodel-studio.json' });
  });

  test('is empty before the first pull, instead of showing every item as added', async () => {
    const { engine, folder } = await open();
    rmSync(join(folder, lockPath));
    const status = await engine.reload();
    expect(status).toMatchObject({ items: [], isPulled: false });
  });
});

describe('the status with the instance', () => {
  test('has what the instance has changed, until it is read again', async () => {
    const { engine } = await open();
    expect(summarizeStatus(read(engine, createRetailDocuments([['"People"', '"Humans"']])))).toEqual([
      `server: ${paths.customers} unchanged changed`,
    ]);
    expect(summarizeStatus(await engine.update([]))).toEqual([
      `server: ${paths.customers} unchanged changed`,
    ]);
    expect(read(engine, createRetailDocuments()).items).toEqual([]);
  });

  test('is outdated once the reading is discarded, until the next one', async () => {
    const { engine } = await open();
    read(engine, createRetailDocuments([['"People"', '"Humans"']]));
    expect(engine.discardReading()).toMatchObject({ items: [], isServerKnown: false, isOutdated: true });
    expect(await engine.update([])).toMatchObject({ isServerKnown: false, isOutdated: true });
    expect(read(engine, createRetailDocuments())).toMatchObject({ isServerKnown: true, isOutdated: false });
  });

  test('is outdated if the lock file has since changed to something other than what was read, such as a deletion', async () => {
    const { engine, project, folder, write } = await open();
    read(engine, createRetailDocuments());
    const lock = JSON.parse(project.lockText);
    delete lock.items['rules/Retail/Customers/Region'];
    rmSync(join(folder, paths.region));
    write(lockPath, JSON.stringify(lock));
    expect(await engine.update([paths.region, lockPath])).toMatchObject({
      items: [],
      isServerKnown: false,
      isOutdated: true,
    });
  });

  test('is not outdated if the lock file has since changed to what was read', async () => {
    const { engine, project, write, getText } = await open();
    const theirDocuments = createRetailDocuments([['"People"', '"Humans"']]);
    read(engine, theirDocuments);
    project.pull(theirDocuments);
    write(paths.customers, getText(paths.customers));
    write(lockPath, project.lockText);
    expect(await engine.update([paths.customers, lockPath])).toMatchObject({
      items: [],
      isServerKnown: true,
      isOutdated: false,
    });
  });

  test('is right if the documents come in several chunks', async () => {
    const rules = Array.from({ length: 450 }, (_, index) => ({ ...rule, members: [`m${index}`] }));
    const viewpoints = Array.from({ length: 120 }, (_, index) => ({ id: `${index}`, name: `V${index}` }));
    const instance = { ...createRetailDocuments([], rules), viewpoints };
    const { engine } = await open(instance);
    expect(read(engine, instance).items).toEqual([]);
  });

  test('marks as unknown what could not be read', async () => {
    const { engine, write, getText } = await open();
    write(paths.region, getText(paths.region).replace('North', 'South'));
    await engine.update([paths.region]);
    const { documents: all, scope } = createReading(createRetailDocuments([], []));
    [...createChunks(all)].forEach((chunk) => engine.addDocuments(chunk));
    const status = engine.finishReading({ ...scope, unreadParts: [{ kind: 'rules', datamodel: 'Retail' }] });
    expect(summarizeStatus(status)).toEqual([`here: ${paths.region} changed unknown`]);
    expect(status.uncomparedFiles).toEqual([]);
  });

  test('names unchanged files that were not compared, whether they could not be read or are not managed', async () => {
    const { engine, status: before, write } = await open();
    expect(before.uncomparedFiles).toEqual([]);
    expect(read(engine, createRetailDocuments()).uncomparedFiles).toEqual([]);
    const { documents: all, scope } = createReading(createRetailDocuments([], []));
    [...createChunks(all)].forEach((chunk) => engine.addDocuments(chunk));
    const status = engine.finishReading({ ...scope, unreadParts: [{ kind: 'rules', datamodel: 'Retail' }] });
    expect(status.items).toEqual([]);
    const key = { kind: 'rules', datamodel: 'Retail', table: 'Customers', column: 'Region' };
    expect(status.uncomparedFiles).toEqual([{ path: paths.region, key, isManaged: true }]);
    write('datamodel-studio.json', '{ "version": 1, "manage": { "datamodels": [] } }');
    const { uncomparedFiles } = await engine.update(['datamodel-studio.json']);
    expect(uncomparedFiles).toContainEqual({ path: paths.region, key, isManaged: false });
    expect(uncomparedFiles.map(({ path }) => path)).toContain(paths.customers);
    expect(uncomparedFiles.filter(({ isManaged }) => isManaged)).toEqual([]);
    expect(engine.discardReading().uncomparedFiles).toEqual([]);
  });
});

describe('changes that no one has reported', () => {
  const environmentPath = 'environments/test.json';
  const linkPath = 'datamodels/Retail/datasets/Link.dataset.json';

  test('are found until they are read, and are then in the status', async () => {
    const { engine, folder, write, getText } = await open();
    expect(await engine.findChanges()).toEqual([]);
    write(paths.customers, getText(paths.customers).replace('People', 'Humans'));
    write('viewpoints/New.viewpoint.json', '{ "name": "New" }');
    write(environmentPath, '{ "url": "https://bi.example.com" }');
    rmSync(join(folder, paths.region));
    symlinkSync('/dev/null', join(folder, linkPath));
    const changes = await engine.findChanges();
    expect(changes.toSorted()).toEqual(
      [paths.region, paths.customers, environmentPath, linkPath, 'viewpoints/New.viewpoint.json'].toSorted(),
    );
    const status = await engine.update(changes);
    expect(summarizeStatus(status)).toEqual([
      `here: ${paths.region} deleted unknown`,
      `here: ${paths.customers} changed unknown`,
      'here: viewpoints/New.viewpoint.json added unknown',
    ]);
    expect(status).toEqual(await engine.reload());
    expect(await engine.findChanges()).toEqual([]);
    rmSync(join(folder, linkPath));
    rmSync(join(folder, environmentPath));
    expect(await engine.findChanges()).toEqual(expect.arrayContaining([linkPath, environmentPath]));
  });

  test('are not found if they were read because a watcher has reported them', async () => {
    const { engine, folder, write, getText } = await open();
    write(paths.customers, getText(paths.customers).replace('People', 'Humans'));
    rmSync(join(folder, paths.region));
    write('viewpoints/New.viewpoint.json', '{ "name": "New" }');
    await engine.update([paths.customers, paths.region, 'viewpoints/New.viewpoint.json']);
    expect(await engine.findChanges()).toEqual([]);
    write(paths.customers, getText(paths.customers));
    expect(await engine.findChanges()).toEqual([paths.customers]);
  });

  test('are found although a file has the same size and time', async () => {
    const { engine, folder, write, getText } = await open();
    const file = join(folder, paths.customers);
    const time = new Date('2026-01-01T00:00:00Z');
    utimesSync(file, time, time);
    await engine.findChanges();
    write('other', getText(paths.customers).replace('People', 'Humans'));
    utimesSync(join(folder, 'other'), time, time);
    renameSync(join(folder, 'other'), file);
    expect(await engine.findChanges()).toEqual([paths.customers]);
  });

  test('of the lock file and the settings are found', async () => {
    const { engine, folder, write } = await open();
    write(lockPath, '{}');
    write('datamodel-studio.json', '{ "version": 1 }');
    expect((await engine.findChanges()).toSorted()).toEqual(['datamodel-studio.json', lockPath]);
    rmSync(join(folder, 'environments'), { recursive: true });
    expect(await engine.findChanges()).toEqual([lockPath]);
  });
});

describe('the text of a file on the instance', () => {
  test('is the text of the file if nothing differs', async () => {
    const { engine, getText } = await open();
    expect(engine.getServerText(paths.customers)).toBe(getText(paths.customers));
    expect(engine.getServerText('datamodels/Other.table.json')).toBeUndefined();
  });

  test('is that of the last pull if the instance was not read, but only for an engine that has read the pulled file', async () => {
    const { engine, write, folder, getText } = await open();
    const text = getText(paths.customers);
    write(paths.customers, text.replace('People', 'Persons'));
    await engine.update([paths.customers]);
    expect(engine.getServerText(paths.customers)).toBe(text);
    write(paths.customers, '{');
    await engine.update([paths.customers]);
    expect(engine.getServerText(paths.customers)).toBe(text);
    write(paths.customers, text.replace('People', 'Persons'));
    const otherEngine = new StatusEngine({ folder, environmentName: 'test' });
    await otherEngine.reload();
    expect(otherEngine.getServerText(paths.customers)).toBeUndefined();
  });

  test('keeps the comments and the layout of the file', async () => {
    const { engine, write, getText } = await open();
    const text = `// Ours\n${getText(paths.customers)}`;
    write(paths.customers, text.replace('People', 'Persons'));
    await engine.update([paths.customers]);
    read(engine, createRetailDocuments([['"People"', '"Humans"']]));
    expect(engine.getServerText(paths.customers)).toBe(text.replace('People', 'Humans'));
  });

  test('is that of a new file for what only the instance has', async () => {
    const { engine, folder, getText } = await open();
    rmSync(join(folder, paths.region));
    await engine.update([paths.region]);
    read(engine, createRetailDocuments());
    expect(engine.getServerText(paths.region)).toBe(getText(paths.region));
  });

  test('does not exist for what the instance no longer has', async () => {
    const { engine } = await open();
    read(engine, createRetailDocuments([], []));
    expect(engine.getServerText(paths.region)).toBeUndefined();
  });

  test('of a table refers to the SQL that the instance has', async () => {
    const { engine } = await open();
    read(
      engine,
      createRetailDocuments([['"name":"Region"', '"name":"Region","isCustom":true,"expression":"1"']]),
    );
    expect(engine.getServerText(paths.customers)).toContain('"$file": "Customers/Region.datamodel.sql"');
    expect(engine.getServerText('datamodels/Retail/tables/Customers/Region.datamodel.sql')).toBe('1\n');
  });

  test('of a table that was renamed here has its former name, and refers to its SQL files where they are', async () => {
    const { engine, write, getText } = await open();
    const [table, rules] = [getText(paths.customers), getText(paths.region)];
    write(
      paths.customers,
      `// Ours\n${table.replace('"Customers"', '"Clients", "renamedFrom": "Customers"')}`,
    );
    write(paths.region, rules.replace('"Customers"', '"Clients"'));
    await engine.update([paths.customers, paths.region]);
    expect(engine.getServerText(paths.customers)).toBe(table);
    read(engine, createRetailDocuments([['"People"', '"Humans"']]));
    expect(engine.getServerText(paths.customers)).toBe(`// Ours\n${table.replace('People', 'Humans')}`);
    expect(engine.getServerText(paths.region)).toBe(rules);
    expect(engine.getServerText(paths.fullName)).toBe(getText(paths.fullName));
  });

  test('keeps the former name of a column that the instance has under the new one, as a pull does', async () => {
    const { engine, write, getText } = await open();
    const renamed = getText(paths.customers).replace(
      '"name": "Region"',
      '"name": "Area", "renamedFrom": "Region"',
    );
    write(paths.customers, renamed);
    await engine.update([paths.customers]);
    read(
      engine,
      createRetailDocuments([
        ['"name":"Region"', '"name":"Area"'],
        ['"People"', '"Humans"'],
      ]),
    );
    expect(engine.getServerText(paths.customers)).toBe(renamed.replace('People', 'Humans'));
  });
});

test('the limits of a renamed viewpoint have both of its names', async () => {
  const { engine, write } = await open({ viewpoints: [{ id: '1', name: 'Sales' }] });
  write('viewpoints/Sales.viewpoint.json', '{ "name": "Revenue", "renamedFrom": "Sales" }');
  await engine.update(['viewpoints/Sales.viewpoint.json']);
  expect(engine.getSelectionLimits(['viewpoints/Sales.viewpoint.json'])).toEqual({
    viewpoints: ['Sales', 'Revenue'],
  });
});
