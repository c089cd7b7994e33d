import assert from 'node:assert/strict';
import { axeViolations } from '../support/axe.ts';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import { name, openForm, viewpoint } from '../support/viewpointFile.ts';

journey(
  'the form of a viewpoint is accessible in every theme, and opens from the tree',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({
      env: sandbox.env,
      workspace: {
        [name]: viewpoint.replace('"title": "City"', '"title": "City", "infusion": { "uid": true }'),
      },
    });
    const form = await openForm(studio);
    await form.getByRole('tab', { name: /Problems 1/ }).waitFor();
    for (const theme of ['light', 'dark', 'hc'] as const) {
      await studio.setTheme(theme);
      await form.getByRole('tab', { name: /Columns/ }).click();
      await form.getByRole('row', { name: /City/ }).click();
      assert.deepEqual(await axeViolations(studio), [], `columns, ${theme}`);
      await studio.screenshot(`viewpoint-form-columns-${theme}`);
      await form.getByRole('tab', { name: 'Sharing' }).click();
      assert.deepEqual(await axeViolations(studio), [], `sharing, ${theme}`);
      await studio.screenshot(`viewpoint-form-sharing-${theme}`);
      await form.getByRole('tab', { name: /Problems/ }).click();
      assert.deepEqual(await axeViolations(studio), [], `problems, ${theme}`);
    }
    await studio.screenshot('viewpoint-form-problems-hc');
    await form.getByRole('button', { name: /unique identifier.*needs a/ }).click();
    await form.getByRole('checkbox', { name: 'Unique identifier' }).waitFor();

    await studio.openView();
    await studio.tree.click(['Sandbox', 'Viewpoints', /Revenue by/]);
    await studio.openedEditor(/Revenue by.*\.viewpoint\.json/);
    await studio.webview().getByRole('grid', { name: 'Columns' }).waitFor();
    await studio.screenshot('viewpoint-form-remote-hc');
  },
);
