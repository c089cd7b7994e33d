import * as vscode from 'vscode';
import { type Clock, delay } from '../../base/clock.ts';
import { lazy } from '../../base/lazy.ts';
import type { StartFeatureDeps } from './deps.ts';

/** The ID of the walkthrough in the manifest, and of one of its steps that is never shown. */
const [walkthroughId, hiddenStepId] = ['start', 'listed'];

/** A command of the editor that fails as long as the editor doesn't know the step that it gets. */
const stepCommand = 'welcome.markStepIncomplete';

/** The editor waits up to five seconds for the settings of its experiments before it lists a walkthrough. */
const maxWaitMs = 8_000;
const intervalMs = 200;

/** Returns a function that opens the walkthrough, as soon as the editor lists it. */
export function createWalkthroughOpener({ extension, clock }: StartFeatureDeps): () => Promise<void> {
  const id = `${extension.id}#${walkthroughId}`;
  const waitOnce = lazy(() => waitUntilListed(`${id}#${hiddenStepId}`, clock));
  return async () => {
    await waitOnce();
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', id, false);
  };
}

/**
 * Waits until the editor lists a walkthrough of the extension, and shows the wait in the status bar. Waits no longer
 * than some seconds, and not at all if the editor lacks the command for this check. The editor lists the walkthroughs
 * of extensions only some time after one was requested. Until then, it opens its own walkthrough instead.
 */
async function waitUntilListed(stepId: string, clock: Clock): Promise<void> {
  if (!(await vscode.commands.getCommands()).includes(stepCommand)) {
    return;
  }
  const options = {
    location: vscode.ProgressLocation.Window,
    title: vscode.l10n.t('Opening Get Started…'),
  };
  await vscode.window.withProgress(options, async () => {
    const deadline = clock.now() + maxWaitMs;
    while (!(await isListed(stepId)) && clock.now() < deadline) {
      await delay(clock, intervalMs);
    }
  });
}

async function isListed(stepId: string): Promise<boolean> {
  try {
    await vscode.commands.executeCommand(stepCommand, stepId);
    return true;
  } catch {
    return false;
  }
}
