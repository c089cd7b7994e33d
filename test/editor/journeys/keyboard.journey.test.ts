import assert from 'node:assert/strict';
import { waitForUnsavedState } from '../support/activeEditor.ts';
import { journey } from '../support/journey.ts';
import { KeyPresses } from '../support/keyPresses.ts';
import { getMatrixCell, waitForCellText } from '../support/matrixPage.ts';

const getTreeSelector = (name: string): string => `.part.sidebar .monaco-list[aria-label="${name}"]`;

journey(
  'starting a build, changing a rule and changing a viewpoint take only a few key presses',
  async ({ openStudio }) => {
    const studio = await openStudio();
    const buildKeys = new KeyPresses(studio);
    await buildKeys.pressCommandChord('e');
    await buildKeys.waitForFocus('.part.sidebar .welcome-view-content');
    await buildKeys.press('Tab', 'Enter');
    await studio.tree.findItem(['Sandbox', 'Datamodels', 'Retail']);
    await buildKeys.waitForFocus(getTreeSelector('Connections'));
    // After a tree with the focus is redrawn, as at the end of a build, VS Code gives it the focus again, even if a prompt
    // has taken the focus a moment before, which closes the prompt. In the editor area, the focus is safe from that.
    await buildKeys.press('Control+1');
    await buildKeys.waitForFocus('.part.editor .editor-group-container');
    await buildKeys.pressCommandChord('b');
    await buildKeys.find('Retail', 're');
    await buildKeys.pick('Replace All');
    await studio.waitForStatusBarItem(/Retail built in/);
    assert.ok(buildKeys.count <= 12, `A build takes ${buildKeys.count} presses`);

    const ruleKeys = new KeyPresses(studio);
    await ruleKeys.pressCommandChord('m');
    await ruleKeys.find('Retail', 're');
    await ruleKeys.waitForFocusInPage('[role=gridcell]');
    const page = studio.getWebview();
    const cell = await getMatrixCell(studio, 'Sales North', 'Regions.Region');
    // Rows are sorted again when the names of users and groups arrive.
    await cell.waitFor();
    for (let row = 2; row < 7; row += 1) {
      await page.locator(`[role=row][aria-rowindex="${row}"] [role=gridcell]:focus`).waitFor();
      await ruleKeys.press('ArrowDown');
    }
    await cell.and(page.locator(':focus')).waitFor();
    await ruleKeys.type('Alps');
    await ruleKeys.press('Control+s');
    await studio.waitForEditor(/^Review Changes: /);
    await ruleKeys.waitForFocusInPage('button');
    await ruleKeys.press('Control+Enter');
    await studio.waitForEditor('Rules: Retail');
    await waitForCellText(studio, 'Sales North', 'Regions.Region', /^Alps$/);
    await ruleKeys.waitForFocusInPage('[role=gridcell]');
    assert.ok(ruleKeys.count <= 20, `A changed rule takes ${ruleKeys.count} presses`);

    const viewpointKeys = new KeyPresses(studio);
    await viewpointKeys.pressCommandChord('f');
    await viewpointKeys.find('Revenue by Week', 'revenue by');
    await viewpointKeys.waitForFocusInPage('[role=grid]');
    await viewpointKeys.press('ArrowDown', 'F2');
    await viewpointKeys.waitForFocusInPage('#column-title');
    await viewpointKeys.press('End');
    await viewpointKeys.type(' 2');
    await page.getByRole('row', { name: / 2 / }).waitFor();
    await waitForUnsavedState(studio, true);
    await viewpointKeys.press('Control+s');
    await waitForUnsavedState(studio, false);
    assert.ok(viewpointKeys.count <= 20, `A changed viewpoint takes ${viewpointKeys.count} presses`);

    // Keybindings also show views of the side bar that have not been shown before.
    await viewpointKeys.pressCommandChord('h');
    const changes = studio.page.locator(`${getTreeSelector('History')} .monaco-list-row`);
    await changes.filter({ hasText: 'Revenue by Week' }).waitFor();
    await viewpointKeys.waitForFocus(getTreeSelector('History'));
  },
);
