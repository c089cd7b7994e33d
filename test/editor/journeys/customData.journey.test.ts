import assert from 'node:assert/strict';
import { findAxeViolations } from '../support/axe.ts';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['light', 'hc', 'dark'];
const path = '/api/v1/custom_data';

journey(
  'custom data is found by a filter, changed and deleted in bulk, and the changes are undone',
  async ({ openStudio }) => {
    await using sandbox = await startJourneySandbox();
    for (let index = 0; index < 90; index += 1) {
      await sandbox.request('POST', path, {
        app: 'journey',
        number: index,
        state: index % 3 === 0 ? 'open' : 'closed',
        ...(index % 30 === 0 ? { note: { text: 'odd / [name] 🧭' } } : {}),
      });
    }
    const matching = async (filter: object): Promise<number> =>
      (
        (await sandbox.request(
          'GET',
          `${path}/query?query=${encodeURIComponent(JSON.stringify(filter))}`,
        )) as unknown[]
      ).length;

    const studio = await openStudio({ env: sandbox.env });
    await studio.openView();
    await studio.contextMenu(['Sandbox', 'Custom Data'], 'Open Custom Data');
    const page = studio.webview();
    await page.getByText(/\d+ objects in all/).waitFor();
    await page.getByText(/keep no personal data/).waitFor();

    const filter = page.getByRole('combobox', { name: 'Filter' });
    await filter.click();
    await filter.pressSequentially('{ "app": "jour');
    await page.getByRole('option', { name: /"journey"/ }).waitFor();
    await studio.screenshot('custom-data-values');
    await filter.press('Enter');
    await filter.pressSequentially(', "sta');
    await page.getByRole('option', { name: /^state/ }).waitFor();
    for (const theme of allThemes) {
      await studio.setTheme(theme);
      await filter.click();
      await filter.press('End');
      await filter.press('Control+ ');
      await page.getByRole('option', { name: /^state/ }).waitFor();
      await studio.screenshot(`custom-data-${theme}`);
      assert.deepEqual(await findAxeViolations(page), [], theme);
    }
    await filter.press('Enter');
    await filter.pressSequentially('"open" }');
    await filter.press('Escape');
    await filter.press('Enter');
    await page.getByText(/^30 objects match/).waitFor();
    await page
      .getByRole('row', { name: /journey.*open/ })
      .first()
      .waitFor();

    await page.getByText('Change or delete all that match the filter').click();
    const fields = page.getByRole('combobox', { name: 'Fields to set in each of them' });
    await fields.fill('{ "state": "done" }');
    await fields.press('Escape');
    await page.getByRole('button', { name: 'Change All…' }).click();
    await page.getByRole('heading', { name: /30 objects would be changed/ }).waitFor();
    await studio.screenshot('custom-data-question');
    assert.deepEqual(await findAxeViolations(page), []);
    // The safe choice, going back, has the focus.
    await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).press('Enter');
    await page.getByRole('heading', { name: /30 objects would be changed/ }).waitFor({ state: 'detached' });
    await page.getByText('Change or delete all that match the filter').and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Change All…' }).press('Enter');
    await page.getByRole('button', { name: 'Change 30 Objects' }).click();
    await page.getByText('30 objects were changed.').waitFor();
    assert.equal(await matching({ app: 'journey', state: 'done' }), 30);

    await filter.fill('{ "state": "done", "number": { "$lt": 30 } }');
    await filter.press('Escape');
    await filter.press('Enter');
    await page.getByText(/^10 objects match/).waitFor();
    await page.getByRole('button', { name: 'Delete All…' }).click();
    await page.getByRole('heading', { name: /10 objects would be deleted/ }).waitFor();
    // Another user adds one while the page is open.
    await sandbox.request('POST', path, { app: 'journey', number: 1, state: 'done' });
    await page.getByRole('button', { name: 'Delete 10 Objects' }).click();
    await page.getByText(/has changed since you were asked/).waitFor();
    assert.equal(await matching({ app: 'journey' }), 91);
    await studio.screenshot('custom-data-asked-again');
    assert.deepEqual(await findAxeViolations(page), []);
    await page.getByRole('button', { name: 'Delete 11 Objects' }).click();
    await page.getByText('11 objects were deleted.').waitFor();
    assert.equal(await matching({ app: 'journey' }), 80);
    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByText(/^11 objects match/).waitFor();
    assert.equal(await matching({ app: 'journey' }), 91);

    // The restored tab keeps its filter.
    await studio.reloadWindow();
    await page.getByText(/^11 objects match/).waitFor();

    const grid = page.getByRole('grid', { name: 'Objects' });
    await grid.focus();
    await grid.press('ArrowDown');
    await grid.press('Enter');
    await studio.editorShows(/"app":\s"journey"/);
    await studio.screenshot('custom-data-document');
  },
);
