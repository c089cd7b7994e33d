import * as vscode from 'vscode';
import type { CubeSet } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { ConnectionTarget, CubeSetTarget } from '../../contributions.ts';
import { cubeSetServer } from '../../contract/rule.ts';
import { type ConnectionPickerDeps, resolveTargetConnection } from '../../platform/pickConnection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { createTextStep } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';

/** Adds a cube set to a connection. No request lists cube sets, so the user types its name. */
export async function addCubeSet(deps: ConnectionPickerDeps, target?: ConnectionTarget): Promise<void> {
  const { connections } = deps;
  const connection = await resolveTargetConnection(deps, target, {
    title: vscode.l10n.t('Add Cube Set'),
    placeholder: vscode.l10n.t('Connection that has the cube set'),
  });
  if (connection === undefined) {
    return;
  }
  const title = vscode.l10n.t('Add Cube Set to {0}', toPlainText(connection.name));
  const cubeSet = await runWizard<CubeSet>(
    [
      createTextStep('name', () => ({
        title,
        prompt: vscode.l10n.t('Name of the cube set, in the letter case of the platform'),
        validate: validateName,
      })),
      createTextStep('server', () => ({
        title,
        prompt: vscode.l10n.t('Term that stands for the server; some instances spell it Set'),
        validate: validateName,
      })),
    ],
    { name: '', server: cubeSetServer },
  );
  if (cubeSet !== undefined) {
    await updateCubeSets(connections, connection.id, (cubeSets) => [
      ...cubeSets.filter((existing) => !isSameCubeSet(existing, cubeSet)),
      cubeSet,
    ]);
  }
}

/** Removes a cube set from the connection; the cube set on the server is unchanged. */
export async function removeCubeSet(connections: ConnectionStore, target?: CubeSetTarget): Promise<void> {
  if (target !== undefined) {
    const { connectionId, cubeSet } = target;
    await updateCubeSets(connections, connectionId, (cubeSets) =>
      cubeSets.filter((existing) => !isSameCubeSet(existing, cubeSet)),
    );
  }
}

async function updateCubeSets(
  connections: ConnectionStore,
  connectionId: string,
  update: (cubeSets: readonly CubeSet[]) => CubeSet[],
): Promise<void> {
  const connection = connections.find(connectionId);
  if (connection !== undefined) {
    await connections.save({ ...connection, cubeSets: update(connection.cubeSets ?? []) });
  }
}

const isSameCubeSet = (a: CubeSet, b: CubeSet): boolean => a.name === b.name && a.server === b.server;

const validateName = (value: string): string | undefined =>
  value.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined;
