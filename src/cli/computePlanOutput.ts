import type { RecordingTransport } from '../client/recordingTransport.ts';
import type { ProjectFileReader } from '../project/apply/projectFileReader.ts';
import type { CommandContext } from './command.ts';
import { openInstance } from './instance.ts';
import { toInterruptedNote, warnOfInterruptedChange } from './interruptedChange.ts';
import { findMissingRelations } from './missingRelations.ts';
import { warnOfOutdatedLock } from './outdatedLock.ts';
import { type PlanOutput, createPlanOutput } from './planOutput.ts';
import { type PlanOptions, loadPlan, loadPlanEffects } from './projectPlan.ts';
import type { ProjectTarget } from './projectTarget.ts';
import { refuseBlockingErrors } from './refuseBlockingErrors.ts';
import { getStateFolder } from './target.ts';

/**
 * Compares the project with the instance, and returns the plan that makes the instance match the project.
 * @throws CommandRefusedError, ApiError
 */
export async function computePlanOutput(
  target: ProjectTarget,
  {
    context,
    options,
    files,
    transport,
  }: {
    readonly context: CommandContext;
    readonly options: PlanOptions;
    readonly files: ProjectFileReader;
    readonly transport: RecordingTransport;
  },
): Promise<PlanOutput> {
  const { args, shell, clock, signal } = context;
  const instance = openInstance(target.instance, shell, clock, async () => transport);
  try {
    const loaded = await loadPlan(target, { instance, context, options, isSent: false, files });
    // From here on, requests are sent again: the responses that were received before were only for the comparison.
    transport.discardRepeatedResponses();
    refuseBlockingErrors(loaded, args, options.ignoredCodes);
    const changes = await instance.openChangeServices(getStateFolder({ args, shell }));
    const interrupted = await warnOfInterruptedChange(changes.history, target.instance, context);
    await warnOfOutdatedLock(changes.history, target, context);
    return {
      ...createPlanOutput(loaded, await loadPlanEffects(loaded, changes, signal), interrupted),
      ...toInterruptedNote(interrupted),
      ...(await findMissingRelations(changes.history, loaded)),
    };
  } finally {
    instance.dispose();
  }
}
