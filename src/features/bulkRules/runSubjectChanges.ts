import * as vscode from 'vscode';
import type { Operation } from '../../changes/model/operation.ts';
import type { RunControl } from '../../changes/bulkRules/runChange.ts';
import type { ExpectedVersion } from '../../changes/run/runOptions.ts';
import { formatProgress } from '../../platform/runProgressTexts.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { PlanItem, PlanView } from '../../webviews/protocol/planPage.ts';
import type { BulkRulesDeps } from './deps.ts';
import { applyPreviewedChange, isConflict } from './runChange.ts';

const t = vscode.l10n.t;

/** The change of one datamodel or cube set, which is one entry of the history. */
export interface SubjectChange {
  readonly name: string;
  readonly operation: Operation;
  readonly expectedVersions: readonly ExpectedVersion[];
}

type SubjectChangeResult = PlanItem & { readonly state: 'done' | 'failed' | 'skipped' };

/**
 * Applies the changes one after the other, and describes how each ended. One that fails doesn't prevent the others; a
 * cancellation skips the remaining ones.
 */
export async function runSubjectChanges(
  deps: BulkRulesDeps,
  changes: readonly SubjectChange[],
  title: string,
): Promise<Pick<PlanView, 'summary' | 'tone' | 'sections'>> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: toPlainText(title),
    cancellable: true,
  };
  const results = await vscode.window.withProgress(options, async (progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    const changeResults: SubjectChangeResult[] = [];
    for (const change of changes) {
      const name = toPlainText(change.name);
      progress.report({ increment: 100 / changes.length, message: name });
      const control: RunControl = {
        signal: abort.signal,
        onProgress: (step) => progress.report({ message: t('{0}: {1}', name, formatProgress(step)) }),
      };
      changeResults.push(await runSubjectChange(deps, change, control));
    }
    return changeResults;
  });
  const select = (state: SubjectChangeResult['state']): readonly PlanItem[] =>
    results.filter((result) => result.state === state).map(({ state: _state, ...item }) => item);
  const sections: PlanView['sections'] = (
    [
      [t('Failed'), 'error', select('failed')],
      [t('Skipped'), 'warning', select('skipped')],
      [t('Done'), 'plain', select('done')],
    ] as const
  ).map(([sectionTitle, tone, items]) => ({ title: sectionTitle, tone, count: items.length, items }));
  const doneCount = select('done').length;
  const isComplete = doneCount === changes.length;
  return {
    summary: [
      isComplete ? t('Done.') : t('Datamodels and cube sets changed: {0} of {1}.', doneCount, changes.length),
      ...(doneCount === 0 ? [] : [t('You can undo each change in the History view.')]),
    ].join(' '),
    tone: isComplete ? 'info' : 'error',
    sections: sections.filter(({ count }) => count > 0),
  };
}

async function runSubjectChange(
  deps: BulkRulesDeps,
  change: SubjectChange,
  control: RunControl,
): Promise<SubjectChangeResult> {
  const { signal } = control;
  const item = { icon: 'database', text: change.name };
  if (signal.aborted) {
    return { ...item, state: 'skipped', detail: t('canceled') };
  }
  try {
    const { result } = await applyPreviewedChange(deps, change, control);
    return result.state === 'done'
      ? { ...item, state: 'done' }
      : {
          ...item,
          state: 'failed',
          detail: [
            result.text,
            result.problem,
            t('You can finish the change or roll it back in the History view.'),
          ]
            .filter((sentence) => sentence !== undefined)
            .join(' '),
        };
  } catch (error) {
    return isConflict(error)
      ? { ...item, state: 'skipped', detail: t('its rules have changed on the server in the meantime') }
      : {
          ...item,
          state: signal.aborted ? 'skipped' : 'failed',
          detail: signal.aborted ? t('canceled') : getUserMessage(error),
        };
  }
}
