import assert from 'node:assert/strict';
import { axeViolations } from '../support/axe.ts';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';

const name = 'Segment.rule.json';
const rule = {
  server: 'LocalHost',
  elasticube: 'Retail',
  table: 'Customers',
  column: 'Segment',
  datatype: 'text',
  members: ['Consumer', 'Corporate'],
  allMembers: false,
  exclusionary: false,
  shares: [{ party: 'g1', partyName: 'Sales', type: 'group' }],
};

journey('the form of one rule is accessible in every theme, a problem included', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({
    env: sandbox.env,
    workspace: { [name]: JSON.stringify(rule, undefined, 2) },
  });
  await studio.runCommand('Go to File...');
  await studio.page.locator('.quick-input-widget:visible input').fill(name);
  await studio.quickInput.shows(name);
  await studio.page.keyboard.press('Enter');
  await studio.openedEditor(name);
  await studio.page.getByRole('button', { name: 'Open Form' }).first().click();
  const form = studio.webview();
  await form.getByText(/must be null, not false/).waitFor();
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    assert.deepEqual(await axeViolations(studio), [], theme);
    await studio.screenshot(`rule-form-${theme}`);
  }
});
