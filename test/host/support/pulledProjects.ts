import { fetchTable } from '../../editor/support/demo.ts';
import { addConnection } from './connections.ts';
import { TestProject } from './projects.ts';
import { SourceControls } from './sourceControls.ts';
import type { HostStudio } from './studio.ts';
import { startHostSandbox } from './suite.ts';
import { waitFor } from './waiting.ts';

export const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
export const customersPath = 'datamodels/Retail/tables/Customers.table.json';

/** The label of the source control of a pulled project. */
export const label = 'test';

/** The tables as in the rows of the source control. */
export const [orders, customers] = [`analytics/${ordersPath}`, `analytics/${customersPath}`];

const ordersDescription = /"One row per order[^"]*"/;

/** Changes the description of the table Orders in the project, and saves the file. */
export const editOrdersDescription = (project: TestProject): Promise<void> =>
  project.saveEdit(ordersPath, ordersDescription, '"Mine"');

/** Returns the text of the table Orders with another description. */
export const replaceDescription = (text: string, description: string): string =>
  text.replace(ordersDescription, `"${description}"`);

/** A sandbox, and projects that pull from it. */
export async function preparePulledProjects(
  disposables: AsyncDisposableStack,
  profile: 'guide' | 'contract' = 'guide',
) {
  const sandbox = disposables.use(await startHostSandbox({ profile }));
  const sourceControls = disposables.use(new SourceControls());
  /**
   * Pulls the datamodel Retail into a project in the workspace.
   * @param url the address of the sandbox, or of a proxy in front of it
   */
  const pullRetail = async (studio: HostStudio, url = sandbox.url): Promise<TestProject> => {
    // Wait until the source control of the previous test is gone: its folder has the same name.
    await waitFor(
      () => sourceControls.labels.length === 0,
      () => `Still shown: ${sourceControls.labels.join(', ')}`,
    );
    await addConnection(studio, { name: 'Shop', url, token: sandbox.adminToken });
    const project = await TestProject.createInWorkspace('analytics');
    await studio.runCommand('Datamodel Studio: Pull into Folder…');
    await studio.selectQuickPick('analytics');
    await studio.submitInputBox('test');
    (await studio.waitForNotification(/^Pulled Shop into analytics \(test\)\. /)).answer(undefined);
    await sourceControls.find(label);
    return project;
  };
  /** Sets the description of the table Orders on the instance; disposing the result restores it. */
  const setOrdersDescription = async (description: string): Promise<AsyncDisposable> => {
    const { path, table } = await fetchTable(sandbox, 'Retail', 'Orders');
    await sandbox.request('PATCH', path, { description });
    return {
      [Symbol.asyncDispose]: async () => {
        await sandbox.request('PATCH', path, { description: table.description ?? '' });
      },
    };
  };
  return {
    sandbox,
    sourceControls,
    pullRetail,
    setOrdersDescription,
    options: { settings: { 'files.autoSave': 'off' } },
  };
}
