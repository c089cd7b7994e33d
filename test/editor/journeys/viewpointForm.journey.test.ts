import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import { columns, name, openForm, save, saved, viewpoint } from '../support/viewpointFile.ts';

journey(
  'columns are added, moved, titled and taken back in the form of a viewpoint',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({
      env: sandbox.env,
      workspace: { [name]: viewpoint },
      settings: { 'files.autoSave': 'off' },
    });
    const form = await openForm(studio);
    await form.getByText('Loading its tables').waitFor({ state: 'hidden' });
    await form.getByRole('row', { name: /Price/ }).click();
    await studio.screenshot('viewpoint-form-light');

    // Three columns of the live model, after the chosen one.
    await form.getByRole('button', { name: 'Add Columns…' }).click();
    await studio.quickInput.pickMany(['Order Date', 'Status', 'Quantity']);
    await form.getByRole('row', { name: /Quantity/ }).waitFor();
    await form.getByRole('tab', { name: /Columns 6/ }).waitFor();

    // Reordered by the keyboard: the last goes up by one.
    await form.getByRole('row', { name: /City/ }).click();
    await studio.page.keyboard.press('Alt+ArrowUp');

    // A title, with the comment beside its column kept; each keystroke can be taken back.
    await form.getByRole('row', { name: /Price/ }).click();
    await studio.page.keyboard.press('F2');
    await studio.page.keyboard.press('End');
    await studio.page.keyboard.type(' paid');
    for (const rest of ['X', 'YZ', 'and more', 'W']) {
      // At once, while the host may not know of the last keystrokes yet: undo takes one back, and loses none.
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
    await save(studio);

    const text = await saved(studio);
    const lines = text.split('\n');
    const price = columns[2]?.replace('"title": "Price"', '"title": "Price paid"');
    assert.equal(lines[1], '  // Reviewed every Monday.');
    assert.deepEqual(lines.slice(7, 10), [columns[0], columns[1], price]);
    assert.match(lines[10] ?? '', /"dim": "\[Orders\.Order Date \(Calendar\)\]", "datatype": "datetime"/);
    assert.equal(lines[12], `${columns[3]},`, 'moved as it was typed');
    assert.match(text, /"users": \[\], "enabled": true \},\n {2}"enabled": true\n/);
    assert.equal((text.match(/"table"/g) ?? []).length, 6);
  },
);
