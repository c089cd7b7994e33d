import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { getCubeSetRuleSubject } from '../../catalog/ruleSubject.ts';
import type { CubeSet } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { ConnectionTarget, CubeSetTarget } from '../../contributions.ts';
import { cubeSetServer } from '../../contract/rule.ts';
import { type ConnectionPickerDeps, resolveTargetConnection } from '../../platform/pickConnection.ts';
import { showWarning } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { createTextStep } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';

interface CubeSetDeps extends ConnectionPickerDeps {
  readonly sessions: Sessions;
  readonly log: Log;
}

/**
 * Adds a cube set to a connection. No request lists cube sets, so the user types its name; a warning is shown if the
 * server has no rules for it.
 */
export async function addCubeSet(deps: CubeSetDeps, target?: ConnectionTarget): Promise<void> {
  const { connections } = deps;
  const connection = await resolveTargetConnection(deps, target, {
    title: vscode.l10n.t('Add Cube Set'),
    placeholder: vscode.l10n.t('Select the connection that has the cube set'),
  });
  if (connection === undefined) {
    return;
  }
  const title = vscode.l10n.t('Add Cube Set to {0}', toPlainText(connection.name));
  const cubeSet = await runWizard<CubeSet>(
    [
      createTextStep('name', () => ({
        title,
        prompt: vscode.l10n.t('Name of the cube set (case-sensitive)'),
        validate: validateName,
      })),
      createTextStep('server', () => ({
        title,
        prompt: vscode.l10n.t('Server name for cube sets: set, or Set on some instances'),
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
    if ((await countRules(deps, connection.id, cubeSet)) === 0) {
      await showWarning(
        vscode.l10n.t(
          'The server has no rules for a cube set named {0}. Check the spelling. Names are case-sensitive.',
          cubeSet.name,
        ),
      );
    }
  }
}

/** Counts the rules of a cube set; `undefined` if they can't be read: the Connections view then shows the error. */
async function countRules(
  { sessions, log }: CubeSetDeps,
  connectionId: string,
  { name, server }: CubeSet,
): Promise<number | undefined> {
  try {
    const { catalog } = await sessions.get(connectionId);
    return (await catalog.rules(getCubeSetRuleSubject(name, server))).length;
  } catch (error) {
    log.warn('explorer', 'Reading the rules of a cube set failed', { reason: String(error) });
    return undefined;
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
