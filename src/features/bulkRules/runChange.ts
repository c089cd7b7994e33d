import * as vscode from 'vscode';
import { PayloadError } from '../../api/payloadError.ts';
import type { HistoryEntry } from '../../history/entry.ts';
import { userMessage } from '../../platform/userErrors.ts';
import { readRules } from '../../security/readRule.ts';
import type { Operation } from '../../writes/operation.ts';
import { ConflictError, type Report, StoppedError } from '../../writes/problems.ts';
import { RulesRefusedError } from '../../writes/ruleBatch.ts';
import type { RunOptions } from '../../writes/runOptions.ts';
import type { BulkRulesDeps } from './deps.ts';
import type { ChangeOutcome } from './changeReport.ts';

const t = vscode.l10n.t;

/** What a run tells on its way. */
export interface RunProgress {
  readonly done: number;
  readonly total: number;
  readonly waitMs?: number;
}

export interface RunHandle {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RunProgress) => void;
}

/** The rules changed on the server since they were looked at; nothing was sent. */
export const isOutdated = (error: unknown): boolean => error instanceof ConflictError;

/**
 * Makes a change that a page has shown whole, so that no other plan is shown. The rules must still be those that it
 * was worked out from.
 * @throws ConflictError and what else keeps anything from being sent
 */
export async function applyChange(
  deps: BulkRulesDeps,
  operation: Operation,
  expect: RunOptions['expect'],
  handle: RunHandle,
): Promise<ChangeOutcome> {
  const { writer } = await deps.writing();
  return observed(deps, operation, handle, async (options) => {
    const { ticket } = await writer.plan(operation, handle.signal);
    return writer.run(operation, { ...options, expect, permit: writer.permit(ticket) });
  });
}

/** Goes on with a change that was stopped. */
export async function resumeChange(
  deps: BulkRulesDeps,
  entry: HistoryEntry,
  handle: RunHandle,
): Promise<ChangeOutcome> {
  const { writer } = await deps.writing();
  return observed(deps, entry.operation, handle, (options) => writer.resume(entry, options));
}

async function observed(
  deps: BulkRulesDeps,
  operation: Operation,
  { signal, onProgress }: RunHandle,
  run: (options: RunOptions) => Promise<Report>,
): Promise<ChangeOutcome> {
  const startedAt = deps.clock.now();
  const sizes = operation.writes.map((_write, index) => sizeOf(operation, index));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const before = (write: number): number => sizes.slice(0, write).reduce((sum, size) => sum + size, 0);
  const waits = { count: 0, ms: 0 };
  let done = 0;
  const options: RunOptions = {
    signal,
    onProgress: (progress) => {
      done = before(progress.write) + progress.done;
      onProgress({ done, total });
    },
    onWait: (ms) => {
      waits.count += 1;
      waits.ms += ms;
      onProgress({ done, total, waitMs: ms });
    },
  };
  const facts = { operation, startedAt, waits };
  try {
    const report = await run(options);
    const end = { state: 'done', text: t('Done.'), canResume: false, canUndo: true } as const;
    return { ...facts, entryId: report.entryId, writes: report.writes, endedAt: deps.clock.now(), end };
  } catch (error) {
    if (!(error instanceof StoppedError)) {
      throw error;
    }
    const { report, changedNothing } = error;
    const finished = report.writes.filter(({ state }) => state === 'done').length;
    const text = signal.aborted
      ? t('Cancelled after {0} of {1} steps.', finished, report.writes.length)
      : t('Stopped after {0} of {1} steps.', finished, report.writes.length);
    return {
      ...facts,
      entryId: report.entryId,
      writes: report.writes,
      endedAt: deps.clock.now(),
      end: {
        state: 'stopped',
        text: changedNothing
          ? text
          : t('{0} Until it is finished or taken back, those concerned see nothing.', text),
        ...(signal.aborted ? {} : { problem: reasonOf(error.cause, report) }),
        canResume: true,
        canUndo: true,
      },
    };
  }
}

/** Rules that a write deals with. */
function sizeOf({ writes }: Operation, index: number): number {
  const write = writes[index];
  const lists = [
    write?.body,
    write?.batch?.ids,
    ...(write?.batch?.madeBy ?? []).map((by) => writes[by]?.body),
  ];
  return lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}

function reasonOf(cause: unknown, { operation, writes }: Report): string {
  if (!(cause instanceof RulesRefusedError)) {
    return userMessage(cause);
  }
  const [first] = cause.refused;
  const body = operation.writes[writes.findIndex(({ state }) => state === 'failed')]?.body;
  const rule = readRules(body)[first?.index ?? -1];
  const place = rule === undefined ? '' : `${rule.table}.${rule.column}`;
  const why =
    first?.error instanceof PayloadError ? t('the platform does not allow it') : userMessage(first?.error);
  return cause.refused.length === 1
    ? t('One rule was refused, on {0}: {1}', place, why)
    : t('{0} rules were refused, the first on {1}: {2}', cause.refused.length, place, why);
}
