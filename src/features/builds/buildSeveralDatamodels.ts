import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { buildTaskType } from '../../builds/buildTaskDefinition.ts';
import type { Connection } from '../../connections/connection.ts';
import type { BuildType } from '../../contract/build.ts';
import { getDatamodelType } from '../../contract/datamodel.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation } from '../../platform/messages.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { type PartialTaskDefinition, createBuildTask } from './buildTasks.ts';
import { confirmPublish } from './confirmPublish.ts';
import type { BuildsDeps } from './deps.ts';
import { createRowLimitItem, pickWithRowLimit } from './rowLimit.ts';
import { formatDatamodelType } from '../../platform/labels.ts';

const getTitle = (): string => vscode.l10n.t('Build Several Datamodels');

/** Asks which datamodels to build, in which order and how, runs the build task, and offers to save it. */
export async function buildSeveralDatamodels(deps: BuildsDeps, target?: ConnectionTarget): Promise<void> {
  const connection = await resolveTargetConnection(deps, target, {
    title: getTitle(),
    placeholder: vscode.l10n.t('Select the connection to build on'),
  });
  if (connection === undefined || !(await ensureWritable(deps, connection.id))) {
    return;
  }
  const pickedDatamodels = await pickDatamodels(deps, connection);
  if (pickedDatamodels === undefined) {
    return;
  }
  const pickedTitles = pickedDatamodels.map(({ title }) => title);
  if (pickedTitles.length === 0) {
    await showInformation(vscode.l10n.t('Nothing was built. Select at least one datamodel.'));
    return;
  }
  const datamodels = pickedTitles.length === 1 ? pickedTitles : await pickOrder(pickedTitles);
  const build = datamodels === undefined ? undefined : await pickWithRowLimit(getTitle(), pickType);
  const concurrency = build === undefined ? undefined : await pickConcurrency(pickedTitles.length);
  if (datamodels === undefined || build === undefined || concurrency === undefined) {
    return;
  }
  const liveTitles = pickedDatamodels.flatMap(({ title, isLive }) => (isLive ? [title] : []));
  if (liveTitles.length > 0 && !(await confirmPublish(deps, connection.id, liveTitles))) {
    return;
  }
  const definition: PartialTaskDefinition = {
    type: buildTaskType,
    connection: connection.name,
    datamodels: [...datamodels],
    ...(build.choice === 'full' ? {} : { buildType: build.choice }),
    ...(build.rowLimit > 0 ? { rowLimit: build.rowLimit } : {}),
    ...(concurrency.atOnce === 1 ? {} : { atOnce: concurrency.atOnce }),
    ...(concurrency.stopAtFirstFailure ? {} : { stopAtFirstFailure: false }),
  };
  const task = createBuildTask(deps, definition);
  await vscode.tasks.executeTask(task);
  // In an untrusted folder VS Code asks for trust when the task starts, and does not report the answer.
  if (vscode.workspace.isTrusted) {
    await offerToSaveTask(task);
  }
}

interface PickedDatamodel {
  readonly title: string;
  readonly isLive: boolean;
}

async function pickDatamodels(
  { sessions }: BuildsDeps,
  { id }: Connection,
): Promise<readonly PickedDatamodel[] | undefined> {
  const createItems = async () => {
    const { catalog } = await sessions.get(id);
    return (await catalog.partial.datamodels()).value.map((datamodel) => ({
      label: toPlainText(datamodel.title),
      description: formatDatamodelType(datamodel),
      title: datamodel.title,
      isLive: getDatamodelType(datamodel) === 'live',
    }));
  };
  return vscode.window.showQuickPick(createItems(), {
    title: getTitle(),
    placeHolder: vscode.l10n.t('Select the datamodels to build'),
    canPickMany: true,
  });
}

/** Lets the user order the datamodels; `undefined` if the user canceled. */
function pickOrder(titles: readonly string[]): Promise<readonly string[] | undefined> {
  const store = new DisposableStore();
  const quickPick = store.add(vscode.window.createQuickPick<vscode.QuickPickItem & { title?: string }>());
  const moveUpButton = { iconPath: new vscode.ThemeIcon('arrow-up'), tooltip: vscode.l10n.t('Move Up') };
  const moveDownButton = {
    iconPath: new vscode.ThemeIcon('arrow-down'),
    tooltip: vscode.l10n.t('Move Down'),
  };
  let order = [...titles];
  const updateItems = (): void => {
    const startItem = { label: `$(play) ${vscode.l10n.t('Build in This Order')}`, alwaysShow: true };
    quickPick.items = [
      startItem,
      ...order.map((title, index) => ({
        label: `${index + 1}. ${toPlainText(title)}`,
        title,
        buttons: [
          ...(index > 0 ? [moveUpButton] : []),
          ...(index < order.length - 1 ? [moveDownButton] : []),
        ],
      })),
    ];
  };
  const move = (title: string, offset: -1 | 1): void => {
    const fromIndex = order.indexOf(title);
    const remainingTitles = order.toSpliced(fromIndex, 1);
    order = remainingTitles.toSpliced(fromIndex + offset, 0, title);
    updateItems();
  };
  quickPick.title = getTitle();
  quickPick.placeholder = vscode.l10n.t(
    'Use the arrows to change the order, or select a datamodel to move it to the top',
  );
  updateItems();
  return new Promise((resolve) => {
    store.add(
      quickPick.onDidTriggerItemButton(({ item, button }) => {
        if (item.title !== undefined) {
          move(item.title, button === moveUpButton ? -1 : 1);
        }
      }),
    );
    store.add(
      quickPick.onDidAccept(() => {
        const [selectedItem] = quickPick.selectedItems;
        if (selectedItem?.title === undefined) {
          resolve(order);
          quickPick.hide();
        } else {
          // Accepting an item moves it to the front, because the keyboard does not reach the arrow buttons.
          const { title } = selectedItem;
          order = [title, ...order.filter((other) => other !== title)];
          updateItems();
        }
      }),
    );
    store.add(
      quickPick.onDidHide(() => {
        store.dispose();
        resolve(undefined);
      }),
    );
    quickPick.show();
  });
}

async function pickType(rowLimit: number): Promise<Exclude<BuildType, 'publish'> | 'row-limit' | undefined> {
  const selection = await vscode.window.showQuickPick(
    [
      {
        label: vscode.l10n.t('Replace All'),
        description: vscode.l10n.t('import all data again'),
        type: 'full' as const,
      },
      {
        label: vscode.l10n.t('By Table'),
        description: vscode.l10n.t('use the build settings of each table'),
        type: 'by_table' as const,
      },
      {
        label: vscode.l10n.t('Changes Only'),
        description: vscode.l10n.t('build only what has changed'),
        type: 'schema_changes' as const,
      },
      { ...createRowLimitItem(rowLimit), type: 'row-limit' as const },
    ],
    {
      title: getTitle(),
      placeHolder: vscode.l10n.t('Select a build type (live datamodels are always published)'),
    },
  );
  return selection?.type;
}

interface Concurrency {
  readonly atOnce: number;
  readonly stopAtFirstFailure: boolean;
}

async function pickConcurrency(count: number): Promise<Concurrency | undefined> {
  const stopLabel = vscode.l10n.t('stop at the first failure');
  const continueLabel = vscode.l10n.t('continue after a failure');
  const counts = [1, 2, 3, count].filter(
    (atOnce, index, candidates) => atOnce <= count && candidates.indexOf(atOnce) === index,
  );
  const items = counts.flatMap((atOnce) =>
    [true, false].map((stopAtFirstFailure) => ({
      label: atOnce === 1 ? vscode.l10n.t('One at a time') : vscode.l10n.t('{0} at a time', atOnce),
      description: stopAtFirstFailure ? stopLabel : continueLabel,
      concurrency: { atOnce, stopAtFirstFailure },
    })),
  );
  const selection = await vscode.window.showQuickPick(items, {
    title: getTitle(),
    placeHolder: vscode.l10n.t('Select how many datamodels to build at a time'),
    matchOnDescription: true,
  });
  return selection?.concurrency;
}

/** Offers to save the task in tasks.json of the workspace folder. */
async function offerToSaveTask(task: vscode.Task): Promise<void> {
  const [folder, ...otherFolders] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) {
    return;
  }
  const saveAsTaskLabel = vscode.l10n.t('Save as Task');
  const text = vscode.l10n.t('Builds started. To run them again later, save them as a task in tasks.json.');
  if ((await showInformation(text, saveAsTaskLabel)) !== saveAsTaskLabel) {
    return;
  }
  const tasks = vscode.workspace.getConfiguration('tasks', folder.uri);
  const values = tasks.inspect<unknown[]>('tasks');
  // With a single folder, VS Code reports its tasks as the value of the workspace.
  const existingTasks =
    values?.workspaceFolderValue ?? (otherFolders.length === 0 ? values?.workspaceValue : undefined) ?? [];
  const entry = { label: task.name, ...task.definition, problemMatcher: ['$datamodel-build'] };
  if (tasks.get('version') === undefined) {
    await tasks.update('version', '2.0.0', vscode.ConfigurationTarget.WorkspaceFolder);
  }
  await tasks.update('tasks', [...existingTasks, entry], vscode.ConfigurationTarget.WorkspaceFolder);
}
