import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getExpressionText } from '../../../src/contract/table.ts';
import { schemes } from '../../../src/contributions.ts';
import {
  createDocumentPath,
  getDocumentAddress,
  readDocumentAddress,
} from '../../../src/documents/documentAddress.ts';
import { fetchTable } from '../../editor/support/demo.ts';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import { fetchViewpoint } from '../../editor/support/viewpointDocument.ts';
import {
  changeViewpoint,
  createViewpoint,
  documentSettings,
  openNewViewpoint,
  save,
} from '../support/documents.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;

/** The whole text of the active editor, once it contains a text. */
const getShownText = async (studio: HostStudio, text: string | RegExp): Promise<string> =>
  (await studio.waitForEditorText(text)).document.getText();

describeStudio(
  'documents',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    const recorder = disposables.use(await startRecordingProxy(sandbox));
    return { sandbox, recorder, options: { env: recorder.env, settings: documentSettings } };
  },
  (test) => {
    test('every resource opens as a document by a click, or from its menu', async ({ studio }) => {
      const byClick: readonly (readonly [path: readonly (string | RegExp)[], title: RegExp, text: RegExp])[] =
        [
          [[...retail, 'Sales', 'Orders', 'Order Date'], /Orders\.table\.json/, /"name": "Order Date"/],
          [
            ['Retail', 'Relations', /Orders.*Customers|Customers.*Orders/],
            /\.relation\.json/,
            /"columns": \[/,
          ],
          [['Retail', 'Data Security', 'Orders.Status', /./], /\.rule\.json/, /"column": "Status"/],
          [['Sandbox', 'Viewpoints', /Revenue by/], /\.viewpoint\.json/, /"name": "Revenue/],
          [
            ['Sandbox', 'Custom Data', /app: status-tags, model: Retail/],
            /\.custom-data\.json/,
            /"certified"/,
          ],
        ];
      for (const [path, title, text] of byClick) {
        await studio.tree.click(path);
        await studio.waitForEditor(title);
        await studio.waitForEditorText(text);
      }
      const byMenu: readonly (readonly [path: readonly string[], title: string, text: RegExp])[] = [
        [retail, 'Retail.datamodel.json', /"title": "Retail"/],
        [['Retail', 'Sales'], 'Sales.dataset.json', /"fullname"/],
        [['Retail', 'Sales', 'Order Items'], 'Order Items.table.json', /"Order Items"/],
        [['Retail', 'Data Security', 'Orders.Status'], 'Orders.Status.rules.json', /"column": "Status"/],
      ];
      for (const [path, title, text] of byMenu) {
        await studio.chooseFromContextMenu(path, 'Open as JSON');
        await studio.waitForEditor(title);
        await studio.waitForEditorText(text);
      }
    });

    test('a column is opened in the text of its table, with the cursor on it', async ({ studio }) => {
      await studio.tree.click([...retail, 'Sales', 'Orders', 'Order Date']);
      const { document } = await studio.waitForEditorText(/"Order Date"/);
      await waitFor(
        () => (vscode.window.activeTextEditor?.selection.active.line ?? 0) > 0,
        () => 'The cursor stays in the first line',
      );
      const { active } = vscode.window.activeTextEditor?.selection ?? {};
      assert.ok(active);
      const after = document.getText(new vscode.Range(active, active.translate(15, 0)));
      assert.match(after, /"Order Date"/);
    });

    test('the SQL of a custom table is saved, and the JSON of the table shows it', async ({
      studio,
      sandbox,
    }) => {
      const table = [...retail, 'Custom Tables', 'Customer Value'] as const;
      await studio.chooseFromContextMenu(table, 'Open SQL');
      await studio.waitForEditor('Customer Value.datamodel.sql');
      const editor = await studio.waitForEditorText(/SELECT/i);
      const { document } = editor;
      const end = document.positionAt(document.getText().length);
      await editor.edit((edit) => edit.insert(end, '\n-- looked at'));
      assert.equal(document.isDirty, true);
      await save(document);
      const { table: saved } = await fetchTable(sandbox, 'Retail', 'Customer Value');
      assert.match(getExpressionText(saved.expression) ?? '', /\n-- looked at$/);
      await studio.chooseFromContextMenu(table, 'Open as JSON');
      await studio.waitForEditor('Customer Value.table.json');
      await studio.waitForEditorText(/looked at/);
    });

    test('names are shown beside the oids of a relation, and an oid that does not exist is marked as not found', async ({
      studio,
    }) => {
      await studio.tree.click([...retail, 'Relations', /^Orders – Customers|^Customers – Orders/]);
      await studio.waitForEditor(/\.relation\.json/);
      const { document } = await studio.waitForEditorText(/"columns"/);
      const getLabels = async (): Promise<readonly string[]> => {
        const all = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
        const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
          'vscode.executeInlayHintProvider',
          document.uri,
          all,
        );
        return hints.map(({ label }) => (typeof label === 'string' ? label : ''));
      };
      assert.deepEqual(
        new Set(await getLabels()),
        new Set(['Sales', 'Orders', 'Master Data', 'Customers', 'Customer Id']),
      );
      await studio.replaceText(document.getText().replace(/("column": ")[^"]*/, '$1nowhere'));
      assert.ok((await getLabels()).includes('not found'));
    });

    test('a document hides secrets, preserves numbers and shows changes on the server', async ({
      studio,
      recorder,
    }) => {
      let size = '12345678901234567890';
      recorder.getInterceptedResponse = (_method, path) =>
        /\/datasets\/[\w-]+$/.test(path)
          ? {
              status: 200,
              body: `{"oid":"d","size":${size},"rate":1.0,"connection":{"provider":"x","parameters":{"Password":"hunter2"}}}`,
            }
          : undefined;
      await studio.chooseFromContextMenu([...retail, 'Sales'], 'Open as JSON');
      await studio.waitForEditor('Sales.dataset.json');
      const text = await getShownText(studio, /"size": 12345678901234567890,/);
      assert.match(text, /"rate": 1\.0,/);
      assert.match(text, /"Password": "••••••••"/);
      assert.doesNotMatch(text, /hunter2/);

      size = '5';
      await studio.chooseFromContextMenu(retail, 'Refresh');
      await studio.waitForEditorText(/"size": 5,/);
      recorder.getInterceptedResponse = undefined;
    });

    test('a document behind another tab shows changes on the server once its tab is active again', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Behind another');
      await vscode.window.showTextDocument(document, { preview: false });
      await studio.tree.click(['Sandbox', 'Viewpoints', 'Revenue by Region']);
      await studio.waitForEditor('Revenue by Region.viewpoint.json');
      await changeViewpoint(sandbox, 'Behind another');
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
      assert.match(document.getText(), /"First"/);
      await vscode.window.showTextDocument(document, { preview: false });
      await studio.waitForEditorText(/"description": "Second"/);
    });

    test('a collection is shown as JSON, is updated after changes, and reports failures', async ({
      studio,
      recorder,
    }) => {
      await studio.chooseFromContextMenu(['Sandbox', 'Custom Data'], 'Open as JSON');
      await studio.waitForEditor('Custom Data.custom-data.json');
      await studio.waitForEditorText(/status-tags/);

      let size = '12345678901234567890';
      recorder.getInterceptedResponse = (_method, path) =>
        path.endsWith('/datasecurity')
          ? { status: 200, body: `[{"_id":"r","table":"T","column":"C","rate":1.0,"size":${size}}]` }
          : undefined;
      await studio.chooseFromContextMenu([...retail, 'Data Security'], 'Open as JSON');
      await studio.waitForEditor('Data Security.rules.json');
      assert.match(await getShownText(studio, /"size": 12345678901234567890/), /"rate": 1\.0/);

      size = '5';
      await studio.chooseFromContextMenu([...retail, 'Data Security'], 'Refresh');
      await studio.waitForEditorText(/"size": 5/);

      recorder.getInterceptedResponse = () => ({
        status: 404,
        body: '{"title":"Gone","detail":"No such cube"}',
      });
      await studio.chooseFromContextMenu([...retail, 'Data Security'], 'Open as JSON');
      await studio.waitForEditorText(/no longer exists on the server/);
      recorder.getInterceptedResponse = undefined;
    });

    test('a renamed resource is opened in the editor that has its old name', async ({ studio, sandbox }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Before renaming');
      await changeViewpoint(sandbox, 'Before renaming', { name: 'After renaming' });
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', 'After renaming'], 'Open as JSON');
      await studio.waitForEditorText(/"After renaming"/);
      assert.equal(vscode.window.activeTextEditor?.document, document);
    });

    test('a renamed resource is opened with its new name if its tab was closed', async ({
      studio,
      sandbox,
    }) => {
      const { uri } = await openNewViewpoint(studio, sandbox, 'Closed before renaming');
      await studio.runCommand('View: Close All Editors');
      // The editor keeps a text for a while after its tab was closed.
      await vscode.workspace.openTextDocument(uri);
      await changeViewpoint(sandbox, 'Closed before renaming', { name: 'Renamed while closed' });
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', 'Renamed while closed'], 'Open as JSON');
      await studio.waitForEditor('Renamed while closed.viewpoint.json');
      await studio.waitForEditorText(/"Renamed while closed"/);
    });

    test('a deleted resource is not opened, and if its document is open, the file system reports it as not found', async ({
      studio,
      sandbox,
    }) => {
      const { id } = await createViewpoint(sandbox, 'Soon gone');
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
      await studio.findTreeItem(['Sandbox', 'Viewpoints', 'Soon gone']);
      await sandbox.request('DELETE', `/api/v1/infusion/viewpoints/${id}`);
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', 'Soon gone'], 'Open as JSON');
      const { severity } = await studio.waitForNotification(/Soon gone/);
      assert.equal(severity, 'error');

      const document = await openNewViewpoint(studio, sandbox, 'Gone while open');
      const openViewpoint = await changeViewpoint(sandbox, 'Gone while open');
      await sandbox.request('DELETE', `/api/v1/infusion/viewpoints/${openViewpoint.id}`);
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
      await assert.rejects(
        async () => vscode.workspace.fs.stat(document.uri),
        (error) => error instanceof vscode.FileSystemError && error.code === 'FileNotFound',
      );
    });

    test('the address of a document is made of names, and the identity is in its query', async ({
      studio,
    }) => {
      await studio.chooseFromContextMenu([...retail, 'Custom Tables', 'Store Ranking'], 'Open SQL');
      const { document } = await studio.waitForEditorText(/SELECT/i);
      assert.equal(document.uri.path, '/\u2060Sandbox/Retail/Custom Tables/Store Ranking.datamodel.sql');
      assert.match(document.uri.query, /~tableExpression~/);
    });

    test('a tab of an earlier version, with the identity in its path, opens, saves, and is the only tab of its document', async ({
      studio,
      sandbox,
    }) => {
      const name = 'Of an earlier version';
      const { id } = await createViewpoint(sandbox, name);
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', 'Revenue by Region'], 'Open as JSON');
      const other = await studio.waitForEditorText(/Revenue by Region/);
      const { connectionId } = readDocumentAddress(other.document.uri) ?? {};
      assert.ok(connectionId);
      const path = createDocumentPath({
        connectionId,
        resource: { kind: 'viewpoint', viewpointId: id },
        name,
        within: ['Sandbox'],
      });
      const earlierUri = vscode.Uri.from({ scheme: schemes.document, path });
      await vscode.window.showTextDocument(earlierUri, { preview: false });
      const { document } = await studio.waitForEditorText(/"description": "First"/);
      await studio.replaceText(document.getText().replace('"First"', '"Saved now"'));
      await save(document);
      assert.equal((await fetchViewpoint(sandbox, name)).description, 'Saved now');

      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', 'Revenue by Region'], 'Open as JSON');
      await studio.waitForEditorText(/Revenue by Region/);
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', name], 'Open as JSON');
      await studio.waitForEditorText(/"Saved now"/);
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), earlierUri.toString());

      await changeViewpoint(sandbox, name, { description: 'By others' });
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
      await studio.waitForEditorText(/"By others"/);
    });

    test('folders contain the open documents, and file operations that create, rename or delete are refused', async ({
      studio,
      sandbox,
    }) => {
      const { uri } = await openNewViewpoint(studio, sandbox, 'In a folder');
      const { fs } = vscode.workspace;
      const root = uri.with({ path: '/' });
      assert.deepEqual(await fs.readDirectory(root), [['\u2060Sandbox', vscode.FileType.Directory]]);
      const folder = uri.with({ path: '/\u2060Sandbox' });
      assert.deepEqual(await fs.readDirectory(folder), [
        ['In a folder.viewpoint.json', vscode.FileType.File],
      ]);
      assert.equal((await fs.stat(folder)).type, vscode.FileType.Directory);
      assert.equal((await fs.stat(uri)).type, vscode.FileType.File);

      const refusal = /Use the Connections view to create, rename, or delete server resources/;
      await assert.rejects(async () => fs.delete(uri), refusal);
      await assert.rejects(
        async () => fs.rename(uri, uri.with({ path: `${uri.path}x` }), { overwrite: true }),
        refusal,
      );
      await assert.rejects(async () => fs.createDirectory(uri.with({ path: '/New' })), refusal);
      await assert.rejects(
        async () =>
          fs.writeFile(uri.with({ path: '/\u2060Sandbox/New.viewpoint.json' }), new Uint8Array([123, 125])),
        /can't be created by saving a file/,
      );
      assert.equal((await changeViewpoint(sandbox, 'In a folder')).name, 'In a folder');
    });

    test('a document of a removed connection, or at an invalid address, does not open', async () => {
      const path = createDocumentPath({
        connectionId: 'removed',
        resource: { kind: 'viewpoint', viewpointId: 'v' },
        name: 'V',
        within: ['Removed'],
      });
      const open = async (target: string): Promise<vscode.TextDocument> =>
        vscode.workspace.openTextDocument(
          vscode.Uri.from({ scheme: schemes.document, ...getDocumentAddress(target) }),
        );
      await assert.rejects(open(path), /The connection was removed/);
      await assert.rejects(open(path.replace('/V.', '/W.')), /cannot open|not found|nonexistent/i);
    });
  },
);
