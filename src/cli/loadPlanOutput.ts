import { RecordingTransport } from '../client/recordingTransport.ts';
import { createProjectFileReader } from '../project/apply/projectFileReader.ts';
import type { CommandContext } from './command.ts';
import { findInterruptedChange } from './interruptedChange.ts';
import { openHistory } from './openHistory.ts';
import { warnOfOutdatedLock } from './outdatedLock.ts';
import type { PlanOutput } from './planOutput.ts';
import { type PlanRecord, PlanRecordFile, hashPlanInputs } from './planRecord.ts';
import type { PlanOptions } from './projectPlan.ts';
import type { ProjectTarget } from './projectTarget.ts';
import { getStateFolder, requirePrivateStateFolder } from './target.ts';
import { createTransport, requestLimits } from './transport.ts';

/**
 * Reads the project and the instance, and returns the plan that makes the instance match the project. If the last plan
 * had no changes, the files and all responses of the instance are still the same, and no change is unfinished, returns
 * the last plan: both sides are read completely, but not compared again.
 * @throws CommandRefusedError, ApiError
 */
export async function loadPlanOutput(
  target: ProjectTarget,
  { context, options }: { readonly context: CommandContext; readonly options: PlanOptions },
): Promise<PlanOutput> {
  const { args, shell } = context;
  const stateFolder = getStateFolder({ args, shell });
  await requirePrivateStateFolder(stateFolder);
  const recordFile = new PlanRecordFile(stateFolder, target);
  const files = createProjectFileReader(target.folder, target.environmentName);
  const transport = new RecordingTransport(await createTransport(target.instance, shell));
  try {
    const record = await recordFile.read();
    if (
      record !== undefined &&
      (await hasSameResponses(record, { transport, target, context })) &&
      (await hashPlanInputs({ target, options, files })) === record.inputs &&
      !(await isChangeUnfinished(target, context))
    ) {
      return record.plan;
    }
    const { computePlanOutput } = await import('./computePlanOutput.ts');
    const plan = await computePlanOutput(target, { context, options, files, transport });
    const { exchanges } = transport;
    const isIndependentOfHistory = plan.interrupted === undefined && plan.missingRelations === undefined;
    if (plan.state === 'same' && isIndependentOfHistory && exchanges !== undefined) {
      await recordFile.write({ inputs: await hashPlanInputs({ target, options, files }), exchanges, plan });
    }
    return plan;
  } finally {
    transport.dispose();
  }
}

/**
 * Returns whether a change of the instance, such as that of another project, is interrupted or running: then the plan
 * has to say so. If there is none, warns if the lock file isn't up to date.
 */
async function isChangeUnfinished(target: ProjectTarget, context: CommandContext): Promise<boolean> {
  const history = openHistory(target.instance, getStateFolder(context), context.clock);
  if ((await findInterruptedChange(history, target.instance)) !== undefined) {
    return true;
  }
  await warnOfOutdatedLock(history, target, context);
  return false;
}

/** Returns whether the instance answers the recorded requests with the same responses as before. */
const hasSameResponses = (
  { exchanges }: PlanRecord,
  {
    transport,
    target: { instance },
    context: { clock, signal },
  }: {
    readonly transport: RecordingTransport;
    readonly target: ProjectTarget;
    readonly context: CommandContext;
  },
): Promise<boolean> =>
  transport.repeat(exchanges, {
    ...requestLimits,
    origin: new URL(instance.connection.url).origin,
    token: instance.token,
    clock,
    signal,
  });
