import * as vscode from 'vscode';
import { MessageError, formatMessage } from '../../base/localize.ts';
import { InterruptedChangeError } from '../../changes/journal/requireFinished.ts';
import { showError } from '../../platform/messages.ts';
import { type PullFault, PullRefusedError } from '../../project/pull/pullProject.ts';
import { createInterruptedFollowUp, describeInterruptedChange } from './applyResults.ts';

const t = vscode.l10n.t;

/**
 * Runs a step of a pull, plan, or comparison of the project in a folder. If it fails for a reason that the user can
 * resolve, shows it and returns `undefined`.
 */
export async function runAndExplainErrors<T>(
  folder: vscode.Uri,
  run: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof InterruptedChangeError) {
      await explainInterruptedChange(error);
      return undefined;
    }
    // The command doesn't wait until a message is dismissed.
    if (error instanceof PullRefusedError) {
      void explainFault(folder, error.fault);
    } else if (error instanceof MessageError) {
      void showError(formatMessage(t, error.userMessage));
    } else {
      throw error;
    }
    return undefined;
  }
}

async function explainInterruptedChange(error: InterruptedChangeError): Promise<void> {
  const { label, run } = createInterruptedFollowUp(error);
  // The History view doesn't list changes that were made with another tenant.
  const labels = error.entry.hasOtherTenant === true ? [] : [label];
  if ((await showError(describeInterruptedChange(error), ...labels)) === label) {
    await run();
  }
}

async function explainFault(folder: vscode.Uri, fault: PullFault): Promise<void> {
  const openLabel = t('Open File');
  const hasFile =
    fault.code !== 'no-match' && fault.code !== 'outdated' && fault.code !== 'changed-meanwhile';
  if ((await showError(describeFault(fault), ...(hasFile ? [openLabel] : []))) === openLabel && hasFile) {
    const line = fault.code === 'lock' ? (fault.line ?? 1) - 1 : 0;
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, fault.path), {
      selection: new vscode.Range(line, 0, line, 0),
    });
  }
}

function describeFault(fault: PullFault): string {
  switch (fault.code) {
    case 'lock':
      return formatMessage(t, fault.message);
    case 'other-instance':
      return t(
        '{0} belongs to an instance with a different address or tenant. If the instance has moved, delete the file. Values that differ then become conflicts.',
        fault.path,
      );
    case 'unsaved-lock':
      return t('{0} has unsaved changes. Save or revert it, and pull again.', fault.path);
    case 'changed-meanwhile':
      return t(
        '{0} changed while the instance was being read, for example, because of an apply. Nothing was changed. Pull again.',
        fault.path,
      );
    case 'outdated':
      return t('The project was pulled again in the meantime. Resolve the conflicts of that pull.');
    case 'no-match':
      return fault.kind === 'datamodel'
        ? t('The project doesn\'t manage this datamodel. Add it to "manage" in datamodel-studio.json.')
        : t('The project doesn\'t manage this viewpoint. Add it to "manage" in datamodel-studio.json.');
  }
}
