import { type Build, createStartedBuild, type StartBuildRequest } from '../../builds/build.ts';
import type { BuildApi } from '../../builds/buildApi.ts';
import { followBuild } from '../../builds/followBuild.ts';
import { defaultPollSettings } from '../../builds/pollDelay.ts';
import { silentLog } from '../../base/log.ts';
import { HttpError } from '../../client/errors.ts';
import { createBuildRequest, type BuildOptions, readBuildOptions } from '../buildOptions.ts';
import { readCompleteDatamodel } from '../../changes/model/readCompleteDatamodel.ts';
import { findAbandonedRelations } from '../../changes/run/abandonedRelations.ts';
import { BuildProgress } from '../buildProgress.ts';
import { type BuildResult, getBuildExitCode, printBuildResult } from '../buildResult.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { getExecuteHint, requireWritable } from '../confirmWrite.ts';
import { formatCliError } from '../errorMessages.ts';
import { closeAfterGracePeriod } from '../closeAfterGracePeriod.ts';
import { CommandRefusedError } from '../exitCodes.ts';
import { openInstance } from '../instance.ts';
import { describeAbandonedRelations, findBuildBlockingChange } from '../interruptedChange.ts';
import { requireDatamodelByTitle } from '../ruleSubjects.ts';
import { supportsControlSequences } from '../shell.ts';
import { readOptionalProjectTarget } from '../projectTarget.ts';
import { getStateFolder } from '../target.ts';

/** Builds or publishes a datamodel and waits for it to finish; without `--execute`, shows what would be built. */
export const build: RunCommand = async (context) => {
  const { args, shell, clock, signal, output } = context;
  const options = readBuildOptions(args);
  const { instance: target, project } = await readOptionalProjectTarget(context);
  if (args.has('execute')) {
    requireWritable({ ...target, ...target.connection }, args);
  }
  const instance = openInstance(target, shell, clock);
  const gracePeriod = closeAfterGracePeriod(instance, signal, clock);
  try {
    const session = await instance.getSession();
    const datamodel = await requireDatamodelByTitle(session, args.positionals[0] ?? '');
    const request = createBuildRequest(datamodel, options, target.connection.id);
    const { history } = await instance.openChangeServices(getStateFolder({ args, shell }));
    // A build with the schema of the last build doesn't contain anything that an unfinished change has written.
    const blockingChange =
      options.schemaOrigin === 'running'
        ? undefined
        : await findBuildBlockingChange(history, target, {
            datamodel,
            args,
            usesProject: project !== undefined,
          });
    const missing =
      options.schemaOrigin === 'running'
        ? []
        : await findAbandonedRelations(history, target.connection.id, datamodel, () =>
            readCompleteDatamodel(session.client, datamodel.oid, signal),
          );
    describeAbandonedRelations(datamodel.title, missing).forEach((text) =>
      output.printMessage(text, 'warning'),
    );
    signal.throwIfAborted();
    if (args.has('execute')) {
      if (blockingChange !== undefined) {
        throw new CommandRefusedError(
          `${blockingChange.text} Nothing was started.`,
          undefined,
          blockingChange.hints,
        );
      }
      instance.unlock();
    }
    const result = args.has('execute')
      ? await runBuild(request, await instance.openBuildApi(), options, context)
      : ({
          state: 'not-started',
          hint: getExecuteHint({ ...target, ...target.connection }, 'build'),
          blockingChange,
        } as const);
    printBuildResult(result, { datamodel, request, connection: target.connection }, context);
    return getBuildExitCode(result);
  } finally {
    gracePeriod.dispose();
    instance.dispose();
  }
};

async function runBuild(
  request: StartBuildRequest,
  buildApi: BuildApi,
  options: BuildOptions,
  context: CommandContext,
): Promise<BuildResult> {
  const { args, clock, output } = context;
  let started: Build;
  try {
    started = createStartedBuild(request, await buildApi.start(request), clock.now(), 'cli');
  } catch (error) {
    if (context.signal.aborted || buildApi.classifyFailure(error).mayHaveTakenEffect) {
      return { state: 'unknown', reason: 'no-answer', problem: formatCliError(error) };
    }
    if (error instanceof HttpError) {
      return { state: 'failed', problem: formatCliError(error) };
    }
    throw error;
  }
  // Printed immediately: a killed process can't print anything more.
  output.printMessage(`Started. Build ID: ${started.oid}`);
  if (args.has('no-wait')) {
    return { state: 'started', build: started };
  }
  return waitForEnd(started, buildApi, options, context);
}

async function waitForEnd(
  started: Build,
  buildApi: BuildApi,
  { timeoutMs }: BuildOptions,
  { clock, output, shell, signal }: CommandContext,
): Promise<BuildResult> {
  const timeout = new AbortController();
  const timer = timeoutMs === undefined ? undefined : clock.schedule(timeoutMs, () => timeout.abort());
  const progress = new BuildProgress(started, { output, clock, isTerminal: supportsControlSequences(shell) });
  try {
    const followResult = await followBuild(
      started,
      {
        buildApi,
        clock,
        log: silentLog,
        random: Math.random,
        getPollSettings: () => defaultPollSettings,
      },
      {
        signal: AbortSignal.any([signal, timeout.signal]),
        onPoll: (current, failure) => progress.update(current, failure),
      },
    );
    const { build: current } = followResult;
    const unknown = { state: 'unknown', build: current, waitedMs: clock.now() - started.firstSeen } as const;
    if (followResult.kind === 'aborted') {
      return { ...unknown, reason: signal.aborted ? 'interrupted' : 'timeout' };
    }
    if (followResult.kind === 'unreadable') {
      return { ...unknown, reason: 'unreadable', problem: formatCliError(followResult.error) };
    }
    const { phase } = current;
    return phase === 'done' || phase === 'failed' || phase === 'cancelled'
      ? { state: phase, build: current }
      : { ...unknown, reason: 'gone' };
  } finally {
    timer?.dispose();
    progress.dispose();
  }
}
