import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { fetchDatamodel } from '../../editor/support/demo.ts';
import type { HostStudio } from './studio.ts';
import { waitFor } from './waiting.ts';

/** The id of the Builds view. */
export const buildsView = 'datamodelStudio.builds';

/** A build task as the sandbox lists it. */
export interface ListedTask {
  readonly oid: string;
  readonly status: string | null;
  readonly datamodelTitle: string;
  readonly buildType: string;
  readonly schemaOrigin: string;
  readonly rowLimit: number | null;
}

/** Creates an empty datamodel for one test; returns its ID. */
export async function createDatamodel(sandbox: JourneySandbox, title: string): Promise<string> {
  const created = await sandbox.request('POST', '/api/v2/datamodels', { title });
  return (created as { oid: string }).oid;
}

/** The build tasks of a datamodel that the sandbox has, oldest first. */
export async function fetchTasks(sandbox: JourneySandbox, title: string): Promise<readonly ListedTask[]> {
  const tasks = (await sandbox.request('GET', '/api/v2/builds')) as readonly ListedTask[];
  return tasks.filter(({ datamodelTitle }) => datamodelTitle === title);
}

/** Waits until the latest task of a datamodel has a status. */
export async function waitForTask(
  sandbox: JourneySandbox,
  title: string,
  status: string,
): Promise<ListedTask> {
  let latestTask: ListedTask | undefined;
  return waitFor(
    async () => {
      latestTask = (await fetchTasks(sandbox, title)).at(-1);
      return latestTask?.status === status ? latestTask : undefined;
    },
    () => `The build of ${title} is not ${status} but ${latestTask?.status}`,
  );
}

/** Shows the builds, so that the status bar no longer shows their results. */
export async function showBuilds(studio: HostStudio): Promise<void> {
  await studio.runCommand('Show Builds');
  await waitFor(
    () =>
      studio.tree.getView(buildsView).visible &&
      !studio.status.texts.some((text) => /built|failed|published|unknown/.test(text)),
    () =>
      `The view is ${studio.tree.getView(buildsView).visible ? 'visible' : 'hidden'}: ${studio.status.texts.join(' | ')}`,
  );
}

/** Confirms a build by table, which first lists what it does with each table. */
export async function confirmTableSettings(studio: HostStudio, title: string): Promise<void> {
  await studio.quickInput.waitForTitle(`Build ${title} by Table`);
  await studio.selectQuickPick('Build');
}

/** Publishes a live datamodel from its menu. */
export async function publish(studio: HostStudio, title: string): Promise<void> {
  await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', title], 'Publish…');
  await studio.clickDialogAction('Publish');
}

/** Starts a build through the API, as a colleague would; returns the ID of its task. */
export async function startBuildElsewhere(sandbox: JourneySandbox, title: string): Promise<string> {
  const { oid: datamodelId } = await fetchDatamodel(sandbox, title);
  const task = await sandbox.request('POST', '/api/v2/builds', { datamodelId, buildType: 'full' });
  return (task as { oid: string }).oid;
}
