import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findAxeViolations } from '../support/axe.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { saveAndReadFile } from '../support/editorState.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import { viewpointColumnLines, openViewpointForm, viewpointFileText } from '../support/viewpointFile.ts';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  const workspace = {
    'Sales.viewpoint.json': viewpointFileText,
    'Cities.viewpoint.json': viewpointFileText,
    'Problem.viewpoint.json': viewpointFileText.replace(
      '"title": "City"',
      '"title": "City", "infusion": { "uid": true }',
    ),
  };
  return { options: { env: sandbox.env, workspace, settings: { 'files.autoSave': 'off' } } };
});

journey('columns are added, moved, titled and undone in the form of a viewpoint', async ({ studio }) => {
  const form = await openViewpointForm(studio, 'Sales.viewpoint.json');
  await form.getByText('Loading its tables').waitFor({ state: 'hidden' });
  await form.getByRole('row', { name: /Price/ }).click();
  await studio.screenshot('viewpoint-form-light');

  // Three columns of the live model, after the selected one.
  await form.getByRole('button', { name: 'Add Columns…' }).click();
  await studio.quickInput.pickMany(['Order Date', 'Status', 'Quantity']);
  await form.getByRole('row', { name: /Quantity/ }).waitFor();
  await form.getByRole('tab', { name: /Columns 6/ }).waitFor();
  // Keyboard users continue where they were.
  await form.locator('button:focus', { hasText: 'Add Columns…' }).waitFor();

  // Reordered by keyboard: the last one moves up by one.
  await form.getByRole('row', { name: /City/ }).click();
  await studio.page.keyboard.press('Alt+ArrowUp');

  // A title, with the comment beside its column kept; each keystroke can be undone.
  await form.getByRole('row', { name: /Price/ }).click();
  await studio.page.keyboard.press('F2');
  await studio.page.keyboard.press('End');
  await studio.page.keyboard.type(' paid');
  for (const rest of ['X', 'YZ', 'and more', 'W']) {
    // At once, while the host may not know of the last keystrokes yet: one undo reverts one keystroke, and loses none.
    await studio.page.keyboard.type(rest);
    await studio.page.keyboard.press('Control+Z');
    await form.getByRole('row', { name: new RegExp(`Price paid${rest.slice(0, -1)} `) }).waitFor();
    for (let left = rest.length - 1; left > 0; left -= 1) {
      await studio.page.keyboard.press('Control+Z');
    }
    await form.getByRole('row', { name: /Price paid / }).waitFor();
  }

  // Shared, and now published.
  await form.getByText('Shared with 1 app, 1 group, but unseen until it is published').waitFor();
  await form.getByRole('switch', { name: 'Published' }).check();
  await form.getByText('Shared with 1 app, 1 group', { exact: true }).waitFor();
  const text = await saveAndReadFile(studio, 'Sales.viewpoint.json');
  const lines = text.split('\n');
  const price = viewpointColumnLines[2]?.replace('"title": "Price"', '"title": "Price paid"');
  assert.equal(lines[1], '  // Reviewed every Monday.');
  assert.deepEqual(lines.slice(7, 10), [viewpointColumnLines[0], viewpointColumnLines[1], price]);
  assert.match(lines[10] ?? '', /"dim": "\[Orders\.Order Date \(Calendar\)\]", "datatype": "datetime"/);
  assert.equal(lines[12], `${viewpointColumnLines[3]},`, 'moved as it was typed');
  assert.match(text, /"users": \[\], "enabled": true \},\n {2}"enabled": true\n/);
  assert.equal((text.match(/"table"/g) ?? []).length, 6);
});

journey(
  'the form of a viewpoint is accessible in every theme, and opens from the tree',
  async ({ studio }) => {
    const form = await openViewpointForm(studio, 'Problem.viewpoint.json');
    await form.getByRole('tab', { name: /Problems 1/ }).waitFor();
    for (const theme of ['light', 'dark', 'hc'] as const) {
      await studio.setTheme(theme);
      await form.getByRole('tab', { name: /Columns/ }).click();
      await form.getByRole('row', { name: /City/ }).click();
      assert.deepEqual(await findAxeViolations(studio.webview()), [], `columns, ${theme}`);
      await studio.screenshot(`viewpoint-form-columns-${theme}`);
      await form.getByRole('tab', { name: 'Sharing' }).click();
      assert.deepEqual(await findAxeViolations(studio.webview()), [], `sharing, ${theme}`);
      await studio.screenshot(`viewpoint-form-sharing-${theme}`);
      await form.getByRole('tab', { name: /Problems/ }).click();
      assert.deepEqual(await findAxeViolations(studio.webview()), [], `problems, ${theme}`);
    }
    await studio.screenshot('viewpoint-form-problems-hc');
    await form.getByRole('button', { name: /unique identifier.*needs a/ }).click();
    await form.getByRole('checkbox', { name: 'Unique identifier' }).waitFor();

    await studio.openView();
    await studio.tree.click(['Sandbox', 'Viewpoints', /Revenue by/]);
    await studio.openedEditor(/Revenue by.*\.viewpoint\.json/);
    await studio.webview().getByRole('grid', { name: 'Columns' }).waitFor();
    await studio.screenshot('viewpoint-form-remote-hc');
    // From the palette as well as from its menu: a form is a document, too.
    await studio.runCommand('Datamodel Studio: Compare with Server');
    await studio.openedEditor(/on the server ↔ yours/);
  },
);

journey(
  'form and text of a viewpoint stay in sync, and the form waits while the text is invalid',
  async ({ studio }) => {
    // Make room for both.
    await studio.page.setViewportSize({ width: 1600, height: 900 });
    const form = await openViewpointForm(studio, 'Cities.viewpoint.json');
    // The JSON to the side, by the only icon.
    await studio.page.getByRole('button', { name: 'Open JSON to the Side' }).first().click();
    await studio.editorShows(/Reviewed.every.Monday/);
    await form.getByRole('textbox', { name: 'Name' }).fill('Cities');
    await studio.page.locator('.view-lines', { hasText: /"name":."Cities"/ }).waitFor();
    await studio.screenshot('viewpoint-form-beside');

    await writeFile(join(studio.workspace, 'Cities.viewpoint.json'), viewpointFileText);
    await studio.runCommand('File: Revert File');
    await studio.page.locator('.view-lines').first().click();
    await studio.page.keyboard.press('Control+Home');
    await studio.page.keyboard.type('x');
    await form.getByText(/The text is not valid JSON: line 1/).waitFor();
    assert.equal(await form.getByRole('textbox', { name: 'Name' }).isDisabled(), true);
    await studio.screenshot('viewpoint-form-invalid');
    await studio.page.keyboard.press('Backspace');
    await form.getByText(/The text is not valid JSON/).waitFor({ state: 'hidden' });
    await form.getByRole('row', { name: /City/ }).waitFor();

    // The same columns from the explorer.
    await studio.openView();
    await studio.contextMenu(
      ['Sandbox', 'Datamodels', 'Retail', 'Master Data', 'Customers', 'Segment'],
      'Add to Open Viewpoint',
    );
    await form.getByRole('row', { name: /Segment/ }).waitFor();

    // Rows can be dragged.
    const [first, last] = [
      form.getByRole('row', { name: /^Order / }),
      form.getByRole('row', { name: /Segment/ }),
    ];
    const [from, to] = [await last.boundingBox(), await first.boundingBox()];
    assert.ok(from && to);
    await studio.page.mouse.move(from.x + 60, from.y + 12);
    await studio.page.mouse.down();
    await studio.page.mouse.move(to.x + 60, to.y + 8, { steps: 6 });
    await studio.screenshot('viewpoint-form-drag');
    await studio.page.mouse.move(to.x + 60, to.y + 3);
    await studio.page.mouse.up();
    await form.locator('[aria-rowindex="2"]', { hasText: 'Segment' }).waitFor();
  },
);
