import assert from 'node:assert/strict';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { saveAndReadFile } from '../support/activeEditor.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import { viewpointColumnLines, openViewpointForm, viewpointFileText } from '../support/viewpointFile.ts';

const journey = createSharedStudio(async (disposables) => {
  const sandbox = disposables.use(await startJourneySandbox());
  const workspace = { 'Sales.viewpoint.json': viewpointFileText };
  return { options: { env: sandbox.env, workspace, settings: { 'files.autoSave': 'off' } } };
});

journey('a viewpoint is edited in its form beside its text, and undone by keyboard', async ({ studio }) => {
  // Make room for the form and the text.
  await studio.page.setViewportSize({ width: 1600, height: 900 });
  const form = await openViewpointForm(studio, 'Sales.viewpoint.json');
  await form.getByText('Loading its tables').waitFor({ state: 'hidden' });
  await form.getByRole('row', { name: /Price/ }).click();
  await form.getByRole('button', { name: 'Add Columns…' }).click();
  await studio.quickInput.pickMany(['Order Date', 'Status']);
  await form.getByRole('tab', { name: /Columns 5/ }).waitFor();
  // The focus returns to the button, so that keyboard users can continue.
  await form.locator('button:focus', { hasText: 'Add Columns…' }).waitFor();
  await form.getByRole('row', { name: /Price/ }).click();
  await studio.page.keyboard.press('F2');
  await studio.page.keyboard.press('End');
  await studio.page.keyboard.type(' paid');
  for (const typedText of ['X', 'YZ', 'and more', 'W']) {
    // Undo immediately, even if the host hasn't received the last keystrokes: one undo reverts exactly one keystroke.
    await studio.page.keyboard.type(typedText);
    await studio.page.keyboard.press('Control+Z');
    await form.getByRole('row', { name: new RegExp(`Price paid${typedText.slice(0, -1)} `) }).waitFor();
    for (let remaining = typedText.length - 1; remaining > 0; remaining -= 1) {
      await studio.page.keyboard.press('Control+Z');
    }
    await form.getByRole('row', { name: /Price paid / }).waitFor();
  }
  // Open the JSON to the side with the icon in the editor title.
  await studio.page.getByRole('button', { name: 'Open JSON to the Side' }).first().click();
  await studio.waitForEditorText(/Reviewed.every.Monday/);
  await form.getByRole('textbox', { name: 'Name' }).fill('Cities');
  await studio.page.locator('.view-lines', { hasText: /"name":."Cities"/ }).waitFor();
  await studio.screenshot('viewpoint-form-beside');
  const text = await saveAndReadFile(studio, 'Sales.viewpoint.json');
  const price = viewpointColumnLines[2]?.replace('"title": "Price"', '"title": "Price paid"');
  assert.deepEqual(text.split('\n').slice(7, 10), [viewpointColumnLines[0], viewpointColumnLines[1], price]);
});
