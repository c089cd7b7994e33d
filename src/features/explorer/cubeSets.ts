import * as vscode from 'vscode';
import type { CubeSet } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { ConnectionTarget, CubeSetTarget } from '../../contributions.ts';
import { cubeSetServer } from '../../contract/rule.ts';
import { type ConnectionChoice, targetConnection } from '../../platform/pickConnection.ts';
import { plainText } from '../../platform/serverText.ts';
import { textStep } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';

/** Adds a cube set to a connection by its name; nothing lists them, so nothing can be chosen from. */
export async function addCubeSet(choice: ConnectionChoice, target?: ConnectionTarget): Promise<void> {
  const { connections } = choice;
  const connection = await targetConnection(choice, target, {
    title: vscode.l10n.t('Add Cube Set'),
    placeholder: vscode.l10n.t('Connection that has the cube set'),
  });
  if (connection === undefined) {
    return;
  }
  const title = vscode.l10n.t('Add Cube Set to {0}', plainText(connection.name));
  const set = await runWizard<CubeSet>(
    [
      textStep('name', () => ({
        title,
        prompt: vscode.l10n.t('Name of the cube set, in the letter case of the platform'),
        problem: notEmpty,
      })),
      textStep('server', () => ({
        title,
        prompt: vscode.l10n.t('Term that stands for the server; some instances spell it Set'),
        problem: notEmpty,
      })),
    ],
    { name: '', server: cubeSetServer },
  );
  if (set !== undefined) {
    await save(connections, connection.id, (sets) => [...sets.filter((known) => !isSame(known, set)), set]);
  }
}

/** Forgets a cube set; on the server nothing happens. */
export async function removeCubeSet(connections: ConnectionStore, target?: CubeSetTarget): Promise<void> {
  if (target !== undefined) {
    const { connectionId, cubeSet } = target;
    await save(connections, connectionId, (sets) => sets.filter((known) => !isSame(known, cubeSet)));
  }
}

async function save(
  connections: ConnectionStore,
  connectionId: string,
  change: (sets: readonly CubeSet[]) => CubeSet[],
): Promise<void> {
  const connection = connections.find(connectionId);
  if (connection !== undefined) {
    await connections.save({ ...connection, cubeSets: change(connection.cubeSets ?? []) });
  }
}

const isSame = (a: CubeSet, b: CubeSet): boolean => a.name === b.name && a.server === b.server;

const notEmpty = (value: string): string | undefined =>
  value.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined;
