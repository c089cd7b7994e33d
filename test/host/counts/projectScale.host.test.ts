import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { mapConcurrently } from '../../../src/base/mapConcurrently.ts';
import { readProject } from '../../../src/project/files/readProject.ts';
import { orderAsPulled } from '../../../src/project/instance/contentOrder.ts';
import { formatItemKey } from '../../../src/project/item.ts';
import { formatLock, getLockPath } from '../../../src/project/pull/lock.ts';
import { hashParts } from '../../../src/project/compare/parts.ts';
import type { ToAccess } from '../../../src/webviews/protocol/access.ts';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import { formatFile } from '../../support/projectFiles.ts';
import { addConnection } from '../support/connections.ts';
import { changeFiles } from '../support/fileProjects.ts';
import { TestProject } from '../support/projects.ts';
import { SourceControls } from '../support/sourceControls.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const [tableCount, columnCount, viewpointCount] = [500, 20, 5000];
const label = 'test';
const folderName = 'large-project';
const getTablePath = (table: number): string => `datamodels/Large/tables/T${table}.table.json`;
const getRulesPath = (table: number, column: number): string =>
  `datamodels/Large/rules/T${table}.C${column}.rules.json`;
const getViewpointPath = (viewpoint: number): string => `viewpoints/V${viewpoint}.viewpoint.json`;

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** A project with 500 tables, 2,000 files with rules, and 5,000 viewpoints; one viewpoint has an unknown column. */
function createFiles(url: string): ReadonlyMap<string, unknown> {
  const createRule = (table: number, column: number) => ({
    table: `T${table}`,
    column: `C${column}`,
    datatype: 'text',
    members: ['North', 'South'],
    allMembers: null,
    shares: [{ type: 'group', party: `Group ${table}` }],
  });
  const createViewpoint = (viewpoint: number) => ({
    name: `V${viewpoint}`,
    details: {
      datasource: { title: 'Large' },
      columns: range(8).map((column) => {
        const [table, name] = [
          `T${viewpoint % tableCount}`,
          viewpoint === 7 && column === 7 ? 'X' : `C${column}`,
        ];
        return { title: name, dim: `[${table}.${name}]`, table, column: name, datatype: 'text' };
      }),
    },
  });
  return new Map<string, unknown>([
    ['environments/test.json', { url, role: 'development' }],
    ['datamodels/Large/Large.datamodel.json', { title: 'Large', type: 'extract' }],
    ['datamodels/Large/datasets/Main.dataset.json', { name: 'Main', type: 'extract' }],
    ...range(tableCount).flatMap((table): [string, unknown][] => [
      [
        getTablePath(table),
        {
          name: `T${table}`,
          dataset: 'Main',
          type: 'base',
          columns: range(columnCount).map((column) => ({ name: `C${column}`, type: 18 })),
        },
      ],
      ...range(4).map((column): [string, unknown] => [
        getRulesPath(table, column),
        [createRule(table, column), { ...createRule(table, column), shares: [{ type: 'default' }] }],
      ]),
    ]),
    ...range(viewpointCount).map((viewpoint): [string, unknown] => [
      getViewpointPath(viewpoint),
      createViewpoint(viewpoint),
    ]),
  ]);
}

/** Writes the files as if they were pulled from the instance as it is. Without settings, the folder is no project yet. */
async function writeProject(project: TestProject, url: string): Promise<void> {
  await mapConcurrently([...createFiles(url)], 32, ([path, content]) =>
    project.write(path, formatFile(content)),
  );
  const { items } = await readProject(project.folder);
  const entries = new Map(
    items.map(({ key, content }) => [formatItemKey(key), { parts: hashParts(orderAsPulled(key, content)) }]),
  );
  await project.write(getLockPath('test'), formatLock({ entries, numberedReferences: [] }));
}

describeStudio(
  'a large project',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    const recorder = disposables.use(await startRecordingProxy(sandbox));
    const sourceControls = disposables.use(new SourceControls());
    const project = disposables.use(await TestProject.createInWorkspace(folderName));
    await changeFiles((edit) => edit.deleteFile(project.getUri('datamodel-studio.json')));
    await writeProject(project, recorder.url);
    return { sandbox, recorder, sourceControls, project, options: { settings: { 'files.autoSave': 'off' } } };
  },
  (test) => {
    test('has problems and a status without a request; Effective Access of its files requests users and groups only', async ({
      studio,
      sandbox,
      recorder,
      sourceControls,
      project,
    }) => {
      await addConnection(studio, { name: 'Large', url: recorder.url, token: sandbox.adminToken });
      // Wait until the Connections view has read the list of the new connection.
      await studio.findTreeItem(['Large', 'Datamodels', 'Retail']);
      recorder.takeRequests();
      const countProblems = (path: string): number =>
        vscode.languages.getDiagnostics(project.getUri(path)).length;
      await project.write('datamodel-studio.json', formatFile({ version: 1 }));
      await waitFor(
        () => countProblems(getViewpointPath(7)) > 0,
        () => 'No problem is found',
        60_000,
      );
      await sourceControls.find(label);
      const show = async (path: string): Promise<vscode.TextEditor> =>
        vscode.window.showTextDocument(await vscode.workspace.openTextDocument(project.getUri(path)));
      const rules = await show(getRulesPath(3, 2));
      const replace = ({ document }: vscode.TextEditor, from: string, to: string): Promise<void> =>
        changeFiles((edit) => {
          const start = document.positionAt(document.getText().indexOf(from));
          edit.replace(document.uri, new vscode.Range(start, start.translate(0, from.length)), to);
        });
      await replace(rules, '"C2"', '"C99"');
      await waitFor(
        () => countProblems(getRulesPath(3, 2)) > 0,
        () => 'The change has no problem',
      );
      await replace(rules, '"C99"', '"C2"');
      await replace(rules, '"South"', '"West"');
      const getChanges = (): readonly string[] => sourceControls.getRows(label)['Changed Here'] ?? [];
      assert.ok(await rules.document.save());
      await waitFor(
        () => getChanges().join() === `${folderName}/${getRulesPath(3, 2)}`,
        () => `Changed here: ${getChanges().slice(0, 5).join(', ')}`,
      );
      // A change of a table is a problem of what uses its column, in files that are not open.
      const table = await show(getTablePath(3));
      await replace(table, '"C1"', '"D1"');
      await waitFor(
        () => countProblems(getViewpointPath(3)) > 0 && countProblems(getRulesPath(3, 1)) > 0,
        () => 'The change has no problem in other files',
        120_000,
      );
      await vscode.commands.executeCommand('workbench.action.files.revert');
      assert.deepEqual(recorder.takeRequests(), []);

      // The people of the instance are read once, whatever the number of files.
      await studio.runCommand('Datamodel Studio: Show Effective Access from Files…');
      const page = await studio.findPage('datamodelStudio.access', 'Effective Access: Large (files)');
      await page.waitForMessage<Extract<ToAccess, { type: 'parties' }>>('parties', ({ parties }) =>
        parties.some(({ groupIds }) => groupIds !== undefined),
      );
      const requests = recorder.takeRequests().map((line) => line.replace(/\?.*/, ''));
      assert.deepEqual(
        requests.filter((line) => !/^GET \/api\/v1\/(users|groups)$/.test(line)),
        [],
      );
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  },
);
