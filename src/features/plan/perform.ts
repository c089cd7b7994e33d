import * as vscode from 'vscode';
import type { PlanSubject } from '../../changes/model/plan.ts';
import { runCommand } from '../../platform/commands.ts';
import { plainText } from '../../platform/serverText.ts';
import { userMessage } from '../../platform/userErrors.ts';
import type { Operation } from '../../changes/model/operation.ts';
import {
  PlanNeededError,
  type Report,
  SecretsNeededError,
  StoppedError,
} from '../../changes/run/problems.ts';
import type { Permit, RunOptions } from '../../changes/run/runOptions.ts';
import type { PlanFeatureDeps } from './deps.ts';
import { PlanPanel } from './planPanel.ts';
import { operationTitle, wordPlan } from './planWords.ts';
import { askSecrets } from './secrets.ts';

const t = vscode.l10n.t;

const statusShownMs = 5000;

/**
 * Carries out what a person asked for: asks for secrets that are missing, shows the plan where something would be
 * lost or break, and does it. `undefined` when the person gave up, and then nothing was sent.
 * @throws ApiError, ConflictError, and an Error that tells how far an operation of several requests came
 */
export async function perform(
  deps: PlanFeatureDeps,
  operation: Operation,
  options: RunOptions = {},
): Promise<Report | undefined> {
  const { writer } = await deps.writing();
  let asked = operation;
  for (;;) {
    try {
      return await writer.run(asked, options);
    } catch (error) {
      if (error instanceof SecretsNeededError) {
        const filled = await askSecrets(asked, error);
        if (filled === undefined) {
          return undefined;
        }
        asked = filled;
      } else if (error instanceof PlanNeededError) {
        const wanted = asked;
        // What was asked before is asked anew by the plan.
        const { asked: before, ...others } = options;
        return review(deps, error, (permit) =>
          writer.run(wanted, { ...others, permit, ...(before && { asked: permit.ticket }) }),
        );
      } else {
        throw told(error);
      }
    }
  }
}

/**
 * Shows a plan that is needed and, when the person wants it, does it. When the server's documents changed meanwhile,
 * the plan of today is shown; when it fails, the plan stays with what happened.
 * @param run does it with the permit
 */
export async function review(
  deps: PlanFeatureDeps,
  needed: PlanNeededError,
  run: (permit: Permit) => Promise<Report>,
): Promise<Report | undefined> {
  const { writer } = await deps.writing();
  const { connectionId } = needed.plan.operation;
  const connection = deps.connections.find(connectionId);
  const panel = new PlanPanel(
    { ...deps, open: (subject) => void openSubject(connectionId, subject) },
    t('Plan: {0}', operationTitle(needed.plan.operation)),
  );
  let { plan, ticket } = needed;
  let note: string | undefined;
  try {
    for (;;) {
      if ((await panel.review(wordPlan(plan, connection), note)) === 'cancel') {
        return undefined;
      }
      panel.busy();
      try {
        const report = await run(writer.permit(ticket));
        const done = t('Done: {0}', operationTitle(needed.plan.operation));
        vscode.window.setStatusBarMessage(`$(check) ${plainText(done)}`, statusShownMs);
        return report;
      } catch (error) {
        if (error instanceof PlanNeededError) {
          ({ plan, ticket } = error);
          note = t('It has changed on the server meanwhile. This is what would happen now.');
        } else if (error instanceof StoppedError && !error.changedNothing) {
          throw told(error);
        } else {
          deps.log.error('writes', 'Applying failed', { reason: String(error) });
          note = userMessage(told(error));
        }
      }
    }
  } finally {
    panel.close();
  }
}

/** A stop says how far it came; where nothing was changed, the cause says it all. */
function told(error: unknown): unknown {
  if (!(error instanceof StoppedError)) {
    return error;
  }
  if (error.changedNothing) {
    return error.cause;
  }
  const { writes, operation } = error.report;
  const done = writes.filter(({ state }) => state === 'done').length;
  const unknown = writes.some(({ state }) => state === 'unknown' || state === 'sending');
  const parts = [
    t('{0} stopped after {1} of {2} requests.', operationTitle(operation), done, writes.length),
    userMessage(error.cause),
    unknown ? t('Whether the last one happened could not be found out.') : '',
    t('The history has every step.'),
  ];
  return new Error(parts.filter((part) => part !== '').join(' '), { cause: error });
}

async function openSubject(connectionId: string, { resource, name, within }: PlanSubject): Promise<void> {
  if (resource !== undefined) {
    await runCommand('datamodelStudio.documents.open', { connectionId, resource, name, within });
  }
}
