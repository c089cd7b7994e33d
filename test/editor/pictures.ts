/**
 * `npm run pictures`: makes the pictures of the README from the product as it is, in a VS Code with a sandbox. With the
 * name of a picture, such as `npm run pictures -- explorer`, makes only that one.
 */
import { join } from 'node:path';
import { launchChromium } from '../../src/launcher/browser.ts';
import { ensureCodeServer } from '../../src/launcher/codeServerInstall.ts';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { getTableBox, waitUntilSelected } from './support/diagramPage.ts';
import { startJourneySandbox } from './support/journeySandbox.ts';
import { getMatrixCell, openMatrixPage, waitForCellText } from './support/matrixPage.ts';
import type { Studio } from './support/studio.ts';
import { openSession } from './support/studioSession.ts';
import { TextEditor } from './support/textEditor.ts';
import { openViewpointForm, openWorkspaceFile, viewpointFileText } from './support/viewpointFile.ts';

const ruleSetText = JSON.stringify(
  [
    { members: [], allMembers: false, shares: [{ type: 'default' }] },
    // The form shows the problem of this rule: a list of members needs null.
    {
      members: ['Consumer', 'Corporate'],
      allMembers: false,
      shares: [{ type: 'group', party: 'f1', partyName: 'Finance' }],
    },
    { members: ['Club'], shares: [{ type: 'group', party: 's1', partyName: 'Sales' }] },
  ].map((rule) => ({
    server: 'LocalHost',
    elasticube: 'Retail',
    table: 'Customers',
    column: 'Segment',
    datatype: 'text',
    exclusionary: false,
    allMembers: null,
    ...rule,
  })),
  undefined,
  2,
);

/** Brings the editor into the state that the picture with this name shows. */
const scenes: Readonly<Record<string, (studio: Studio) => Promise<void>>> = {
  explorer: async (studio) => {
    await studio.openView();
    const column = ['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders', 'Delivery'];
    await studio.chooseFromContextMenu(column, 'Open SQL');
    await studio.waitForEditorText('Waiting');
  },
  plan: async (studio) => {
    await studio.openView();
    await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'], 'Delete…');
    await studio.waitForEditor('Review Changes: Delete Orders');
    await studio.getWebview().getByRole('button', { name: 'Apply Anyway' }).waitFor();
  },
  'effective-access': async (studio) => {
    await studio.openView();
    await studio.chooseFromContextMenu(
      ['Sandbox', 'Datamodels', 'Retail'],
      'Data Security',
      'Show Effective Access…',
    );
    const group = studio.getWebview().getByLabel('In group');
    await group.fill('Sales North');
    await group.press('Enter');
    await studio.getWebview().getByText('Sees only North and Nordics').first().waitFor();
  },
  'rules-grid': async (studio) => {
    await openMatrixPage(studio, 'Retail');
    await waitForCellText(studio, 'Sales North', 'Regions.Region', /North; Nordics/);
    await (await getMatrixCell(studio, 'Sales South', 'Customers.Segment')).click();
    await studio.page.keyboard.press('Delete');
    await studio.page.keyboard.press(' ');
    await waitForCellText(studio, 'Sales South', 'Customers.Segment', /Nothing/);
    await (await getMatrixCell(studio, 'Sales North', 'Regions.Region')).click();
    await studio.page.keyboard.press('F2');
    await studio.getWebview().getByLabel('Cell values').fill('North; Alps');
    await studio.page.keyboard.press('Enter');
    await studio.page.keyboard.press('ArrowUp');
    await studio.waitForEditor(/^● Rules: Retail/);
  },
  diagram: async (studio) => {
    await studio.openView();
    await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Show Diagram');
    await getTableBox(studio, 'Orders').click({ position: { x: 12, y: 12 } });
    await waitUntilSelected(studio, 'Orders');
  },
  'rule-set-form': async (studio) => {
    await openWorkspaceFile(studio, 'Segments.rules.json');
    await studio.page.getByRole('button', { name: 'Open Form' }).first().click();
    await (await getMatrixCell(studio, 'Finance', 'Customers.Segment')).click();
    await studio.getWebview().getByText('must be null, not false').waitFor();
  },
  'viewpoint-form': async (studio) => {
    const form = await openViewpointForm(studio, 'Sales.viewpoint.json');
    await form.getByText('Loading its tables').waitFor({ state: 'hidden' });
    await form.getByRole('row', { name: /Price/ }).click();
    await studio.page.getByRole('button', { name: 'Open JSON to the Side' }).first().click();
    await studio.waitForEditorText(/Reviewed.every.Monday/);
    await form.getByRole('row', { name: /Price/ }).click();
  },
  sql: async (studio) => {
    const editor = new TextEditor(studio);
    await editor.open('new.datamodel.sql');
    await (await studio.waitForStatusBarItem('Select Datamodel')).click();
    await studio.selectQuickPick('Retail');
    await studio.waitForStatusBarItem('Retail');
    await editor.type('select * from Orders o join [Order Items] i on');
    await editor.press('Escape');
    // At this point, the problems of the half-typed words are gone.
    await studio.page.locator('.breadcrumbs-control', { hasText: 'SELECT' }).waitFor();
    await editor.type(' ');
    await editor.proposals.filter({ hasText: 'o.[Order Id] = i.[Order Id]' }).first().waitFor();
  },
};

interface Size {
  readonly width: number;
  readonly height: number;
}

const usualSize: Size = { width: 1280, height: 800 };
/** The sizes of windows in pixels that need more room than the usual one. */
const windowSizes: Readonly<Record<string, Size>> = { 'viewpoint-form': { width: 1600, height: 900 } };
/** The sizes of pictures that show only the upper part of the window. */
const pictureSizes: Readonly<Record<string, Size>> = { sql: { width: 1280, height: 420 } };

async function makePicture(name: string, arrange: (studio: Studio) => Promise<void>): Promise<void> {
  await using sandbox = await startJourneySandbox();
  await using disposables = new AsyncDisposableStack();
  const browser = await launchChromium();
  disposables.defer(() => browser.close());
  const session = disposables.use(
    await openSession(browser, `picture-${name}`, {
      env: sandbox.env,
      workspace: {
        'Sales.viewpoint.json': viewpointFileText,
        'Segments.rules.json': ruleSetText,
        'new.datamodel.sql': '',
      },
      viewport: windowSizes[name] ?? usualSize,
      settings: { 'security.workspace.trust.enabled': false, 'editor.minimap.enabled': false },
    }),
  );
  try {
    await arrange(session.studio);
    // At its last position, the pointer would show a tooltip or buttons.
    await session.studio.page.mouse.move(0, 0);
    const path = join(projectRoot, 'media', 'readme', `${name}.png`);
    const clip = { x: 0, y: 0, ...(pictureSizes[name] ?? windowSizes[name] ?? usualSize) };
    await session.studio.page.screenshot({ path, clip, animations: 'disabled' });
  } catch (error) {
    await session.saveEvidence();
    throw error;
  }
}

await ensureCodeServer();
const [onlyName] = process.argv.slice(2);
for (const [name, arrange] of Object.entries(scenes)) {
  if (onlyName === undefined || onlyName === name) {
    await makePicture(name, arrange);
    process.stdout.write(`media/readme/${name}.png\n`);
  }
}
