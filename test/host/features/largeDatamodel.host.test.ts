import assert from 'node:assert/strict';
import type { ToDiagram } from '../../../src/webviews/protocol/diagram.ts';
import { checkSecurity, useBaselineFile, waitForView } from '../support/securityCheck.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

/** The largest page that the setting allows. */
const pageSize = 250;

describeStudio(
  'large datamodel',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox({ seed: 'large' }));
    const settings = { 'datamodelStudio.explorer.pageSize': pageSize };
    return { options: { env: sandbox.env, settings } };
  },
  (test) => {
    test('500 tables are laid out in the diagram', async ({ studio }) => {
      await studio.runCommand('Datamodel Studio: Show Diagram');
      await studio.selectQuickPick('Enterprise');
      const page = await studio.findPage('datamodelStudio.diagram');
      const { model, layout } = await page.waitForMessage<Extract<ToDiagram, { type: 'data' }>>('data');
      assert.equal(model.tables.length, 500);
      assert.equal(model.relations.length, 499);
      assert.equal(model.undrawnRelationCount, 0);
      assert.equal(new Set(layout.map(({ x, y }) => `${x} ${y}`)).size, 500);
      const table = model.tables.find(({ name }) => name === 'Table 321');
      assert.ok(table?.columns.some(({ name }) => name === 'Column 17'));
    });

    test('the 500-table model expands, viewpoints are paged, and a filter finds deep nodes', async ({
      studio,
    }) => {
      await studio.findTreeItem([
        'Sandbox',
        'Datamodels',
        'Enterprise',
        'Source 10',
        'Table 451',
        'Column 40',
      ]);
      const path = ['Sandbox', 'Viewpoints'];
      for (const shown of [250, 500]) {
        await studio.tree.waitForItemText(
          [...path, 'Load more'],
          new RegExp(`${shown}\\sof\\s5\\D?000\\sshown`),
        );
        await studio.tree.click([...path, 'Load more']);
      }
      await studio.tree.waitForItemText([...path, 'Load more'], /750\sof\s5\D?000\sshown/);
      // Full pages are groups; the latest is open.
      const rows = await studio.tree.getChildLabels(path);
      assert.deepEqual([...rows.slice(0, 2), rows.at(-1)], ['1 to 250', '251 to 500', 'Load more']);
      assert.equal(rows.length, 2 + pageSize + 1);
      assert.equal((await studio.tree.getChildLabels([...path, '251 to 500'])).length, 250);

      await studio.runCommand('Datamodel Studio: Filter Connections…');
      await studio.quickInput.fill('table 499');
      await studio.quickInput.current?.accept();
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Enterprise', 'Source 10', 'Table 499']);
      assert.deepEqual(
        await studio.tree.getChildLabels(['Sandbox', 'Datamodels', 'Enterprise', 'Source 10']),
        ['Table 499'],
      );
      await studio.runCommand('Datamodel Studio: Clear Connections Filter');
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Enterprise', 'Source 10', 'Table 451']);
    });

    test('thousands of findings are grouped into few causes, which a baseline hides', async ({ studio }) => {
      await using file = useBaselineFile();
      const page = await checkSecurity(studio);
      const view = await waitForView(page, () => true);
      assert.deepEqual(
        view.causes.map(({ title, placeCount, places }) => [title, placeCount, places.length]),
        [["Group Sales can't see any rows of viewpoints shared with it", 3333, 100]],
      );
      page.post({ type: 'acceptAll' });
      await studio.submitInputBox('Baseline');
      await waitForView(page, ({ causeCount, acceptedCount }) => causeCount === 0 && acceptedCount === 3333);
      const { accepted } = JSON.parse(await file.read());
      assert.deepEqual(
        accepted.map(({ places }: { readonly places: readonly string[] }) => new Set(places).size),
        [3333],
      );
    });
  },
);
