import * as vscode from 'vscode';
import { MessageError, formatMessage } from '../../base/localize.ts';
import { InterruptedChangeError } from '../../changes/journal/requireFinished.ts';
import { showError } from '../../platform/messages.ts';
import { type PullFault, PullRefusedError } from '../../project/pull/pullProject.ts';
import { createHistoryFollowUp, getInterruptedText } from './applyResults.ts';

const t = vscode.l10n.t;

/** Runs a step of a pull. If it fails for a reason that the user can resolve, shows it and returns `undefined`. */
export async function withPullErrors<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof InterruptedChangeError) {
      await explainInterruptedChange();
      return undefined;
    }
    const message =
      error instanceof PullRefusedError
        ? describeFault(error.fault)
        : error instanceof MessageError
          ? formatMessage(t, error.text)
          : undefined;
    if (message === undefined) {
      throw error;
    }
    // The command doesn't wait until the message is dismissed.
    void showError(message);
    return undefined;
  }
}

async function explainInterruptedChange(): Promise<void> {
  const { label, run } = createHistoryFollowUp();
  if ((await showError(getInterruptedText(), label)) === label) {
    await run();
  }
}

function describeFault(fault: PullFault): string {
  switch (fault.code) {
    case 'lock':
      return formatMessage(t, fault.message);
    case 'other-instance':
      return t(
        '{0} belongs to an instance with a different address or tenant. If the instance has moved, delete the file. Every difference is then a conflict.',
        fault.path,
      );
    case 'unsaved-lock':
      return t('{0} has unsaved changes. Save or revert it, and pull again.', fault.path);
    case 'outdated':
      return t('The project was pulled again in the meantime. Resolve the conflicts of that pull.');
    case 'no-match':
      return fault.kind === 'datamodel'
        ? t('The project does not manage this datamodel. Add it to "manage" in datamodel-studio.json.')
        : t('The project does not manage this viewpoint. Add it to "manage" in datamodel-studio.json.');
  }
}
