import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { buildTaskType } from '../../builds/buildTaskDefinition.ts';
import type { Connection } from '../../connections/connection.ts';
import type { BuildType } from '../../contract/build.ts';
import { getDatamodelTypeLabel } from '../../contract/datamodel.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { type PartialTaskDefinition, createBuildTask } from './buildTasks.ts';
import type { BuildsDeps } from './deps.ts';

const getTitle = (): string => vscode.l10n.t('Build several datamodels');

/** Asks which datamodels to build, in which order and how, runs the build task, and offers to save it. */
export async function buildSeveral(deps: BuildsDeps, target?: ConnectionTarget): Promise<void> {
  const connection = await resolveTargetConnection(deps, target, {
    title: getTitle(),
    placeholder: vscode.l10n.t('Connection to build on'),
  });
  const chosen = connection === undefined ? undefined : await pickDatamodels(deps, connection);
  if (connection === undefined || chosen === undefined) {
    return;
  }
  if (chosen.length === 0) {
    await showInformation(vscode.l10n.t('Nothing was built: tick the datamodels to build.'));
    return;
  }
  const datamodels = chosen.length === 1 ? chosen : await pickOrder(chosen);
  const buildType = datamodels === undefined ? undefined : await pickType();
  const pace = buildType === undefined ? undefined : await pickConcurrency(chosen.length);
  if (datamodels === undefined || buildType === undefined || pace === undefined) {
    return;
  }
  const definition: PartialTaskDefinition = {
    type: buildTaskType,
    connection: connection.name,
    datamodels: [...datamodels],
    ...(buildType === 'full' ? {} : { buildType }),
    ...(pace.atOnce === 1 ? {} : { atOnce: pace.atOnce }),
    ...(pace.stopAtFirstFailure ? {} : { stopAtFirstFailure: false }),
  };
  const task = createBuildTask(deps, definition);
  await vscode.tasks.executeTask(task);
  // In an untrusted folder VS Code asks for trust when the task starts, and does not report the answer.
  if (vscode.workspace.isTrusted) {
    await offerToSaveTask(task);
  }
}

async function pickDatamodels(
  { sessions }: BuildsDeps,
  { id }: Connection,
): Promise<readonly string[] | undefined> {
  const createItems = async () => {
    const { catalog } = await sessions.get(id);
    return (await catalog.readable.datamodels()).value.map((datamodel) => ({
      label: toPlainText(datamodel.title),
      description: getDatamodelTypeLabel(datamodel),
      title: datamodel.title,
    }));
  };
  const picked = await vscode.window.showQuickPick(createItems(), {
    title: getTitle(),
    placeHolder: vscode.l10n.t('Choose what to build'),
    canPickMany: true,
  });
  return picked?.map(({ title }) => title);
}

/** Lets the user order the datamodels; `undefined` if the user canceled. */
function pickOrder(titles: readonly string[]): Promise<readonly string[] | undefined> {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<vscode.QuickPickItem & { title?: string }>());
  const up = { iconPath: new vscode.ThemeIcon('arrow-up'), tooltip: vscode.l10n.t('Move Up') };
  const down = { iconPath: new vscode.ThemeIcon('arrow-down'), tooltip: vscode.l10n.t('Move Down') };
  let order = [...titles];
  const updateItems = (): void => {
    const inOrder = { label: `$(play) ${vscode.l10n.t('Build in This Order')}`, alwaysShow: true };
    pick.items = [
      inOrder,
      ...order.map((title, index) => ({
        label: `${index + 1}. ${toPlainText(title)}`,
        title,
        buttons: [...(index > 0 ? [up] : []), ...(index < order.length - 1 ? [down] : [])],
      })),
    ];
  };
  const move = (title: string, by: -1 | 1): void => {
    const from = order.indexOf(title);
    const rest = order.toSpliced(from, 1);
    order = rest.toSpliced(from + by, 0, title);
    updateItems();
  };
  pick.title = getTitle();
  pick.placeholder = vscode.l10n.t('In which order? Arrows move them; choosing one moves it to the front');
  updateItems();
  return new Promise((resolve) => {
    store.add(
      pick.onDidTriggerItemButton(({ item, button }) => {
        if (item.title !== undefined) {
          move(item.title, button === up ? -1 : 1);
        }
      }),
    );
    store.add(
      pick.onDidAccept(() => {
        const [chosen] = pick.selectedItems;
        if (chosen?.title === undefined) {
          resolve(order);
          pick.hide();
        } else {
          // Accepting an item moves it to the front, because the keyboard does not reach the arrow buttons.
          const { title } = chosen;
          order = [title, ...order.filter((other) => other !== title)];
          updateItems();
        }
      }),
    );
    store.add(
      pick.onDidHide(() => {
        store.dispose();
        resolve(undefined);
      }),
    );
    pick.show();
  });
}

async function pickType(): Promise<Exclude<BuildType, 'publish'> | undefined> {
  const picked = await vscode.window.showQuickPick(
    [
      { label: vscode.l10n.t('Full'), description: vscode.l10n.t('replace all data'), type: 'full' as const },
      {
        label: vscode.l10n.t('By Table'),
        description: vscode.l10n.t('each table by its own setting'),
        type: 'by_table' as const,
      },
      {
        label: vscode.l10n.t('Schema Changes'),
        description: vscode.l10n.t('only what was modified'),
        type: 'schema_changes' as const,
      },
    ],
    {
      title: getTitle(),
      placeHolder: vscode.l10n.t('How to build? Live datamodels are published in any case'),
    },
  );
  return picked?.type;
}

interface Concurrency {
  readonly atOnce: number;
  readonly stopAtFirstFailure: boolean;
}

async function pickConcurrency(count: number): Promise<Concurrency | undefined> {
  const stop = vscode.l10n.t('stop at the first failure');
  const continueLabel = vscode.l10n.t('go on after a failure');
  const counts = [1, 2, 3, count].filter(
    (atOnce, index, all) => atOnce <= count && all.indexOf(atOnce) === index,
  );
  const items = counts.flatMap((atOnce) =>
    [true, false].map((stopAtFirstFailure) => ({
      label: atOnce === 1 ? vscode.l10n.t('One after the other') : vscode.l10n.t('{0} at once', atOnce),
      description: stopAtFirstFailure ? stop : continueLabel,
      pace: { atOnce, stopAtFirstFailure },
    })),
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: getTitle(),
    placeHolder: vscode.l10n.t('How many at once?'),
    matchOnDescription: true,
  });
  return picked?.pace;
}

/** Offers to save the task in tasks.json of the workspace folder. */
async function offerToSaveTask(task: vscode.Task): Promise<void> {
  const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) {
    return;
  }
  const keep = vscode.l10n.t('Keep as Task');
  const text = vscode.l10n.t('The set is being built. It can be kept in tasks.json to be built again.');
  if ((await showInformation(text, keep)) !== keep) {
    return;
  }
  const tasks = vscode.workspace.getConfiguration('tasks', folder.uri);
  const values = tasks.inspect<unknown[]>('tasks');
  // With a single folder, VS Code reports the tasks of the folder as those of the workspace.
  const known =
    values?.workspaceFolderValue ?? (others.length === 0 ? values?.workspaceValue : undefined) ?? [];
  const entry = { label: task.name, ...task.definition, problemMatcher: ['$datamodel-build'] };
  if (tasks.get('version') === undefined) {
    await tasks.update('version', '2.0.0', vscode.ConfigurationTarget.WorkspaceFolder);
  }
  await tasks.update('tasks', [...known, entry], vscode.ConfigurationTarget.WorkspaceFolder);
}
