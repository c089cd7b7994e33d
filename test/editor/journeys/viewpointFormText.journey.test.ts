import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import { name, openForm, viewpoint } from '../support/viewpointFile.ts';

journey(
  'form and text of a viewpoint follow each other, and an invalid text is waited for',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({
      env: sandbox.env,
      workspace: { [name]: viewpoint },
      settings: { 'files.autoSave': 'off' },
      viewport: { width: 1600, height: 900 },
    });
    const form = await openForm(studio);
    // The JSON beside it, by the one icon.
    await studio.page.getByRole('button', { name: 'Open JSON to the Side' }).first().click();
    await studio.editorShows(/Reviewed.every.Monday/);
    await form.getByRole('textbox', { name: 'Name' }).fill('Cities');
    await studio.page.locator('.view-lines', { hasText: /"name":."Cities"/ }).waitFor();
    await studio.screenshot('viewpoint-form-beside');

    await writeFile(join(studio.workspace, name), viewpoint);
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
