import type { Build, StartBuildRequest } from './build.ts';

/** The settings for running a set of builds. */
export interface BuildSetOptions {
  readonly requests: readonly StartBuildRequest[];
  /** The maximum number of concurrent builds. */
  readonly maxConcurrentBuilds: number;
  /** Whether to start no further builds after the first that does not succeed; running builds continue. */
  readonly stopAtFirstFailure: boolean;
}

/** The build operations that running a set needs. */
export interface BuildSetActions {
  start(request: StartBuildRequest): Promise<Build>;
  /** Returns whether the server may have accepted a build although the request failed with this error. */
  mayHaveStarted(error: unknown): boolean;
  /** Resolves with the build once it has ended or is gone; never rejects. */
  waitForEnd(build: Build): Promise<Build>;
  cancel(build: Build): Promise<void>;
}

/**
 * The result of one build of a set. A `refused` build was not accepted, a `skipped` build was never requested, and for
 * an `unanswered` build it is unknown whether it was accepted.
 */
export interface BuildSetResult {
  readonly request: StartBuildRequest;
  readonly outcome: 'done' | 'failed' | 'cancelled' | 'gone' | 'refused' | 'unanswered' | 'skipped';
  readonly build: Build | undefined;
  readonly error: unknown;
}

/** Progress callbacks of a running set. */
export interface BuildSetListener {
  onStarted(request: StartBuildRequest, build: Build): void;
  onResult(result: BuildSetResult): void;
  /** Called if a build could not be canceled; the set still waits for its end. */
  onCancelFailed(build: Build, error: unknown): void;
}

/**
 * Runs the builds in the order of their requests, at most `maxConcurrentBuilds` at a time. Aborting cancels running
 * builds and starts no more. Returns a result for each request, in the order of the requests; never rejects.
 */
export async function runBuildSet(
  options: BuildSetOptions,
  actions: BuildSetActions,
  listener: BuildSetListener,
  signal: AbortSignal,
): Promise<readonly BuildSetResult[]> {
  const results = new Map<StartBuildRequest, BuildSetResult>();
  const queue = [...options.requests];
  let hasFailed = false;
  const addResult = (result: BuildSetResult): void => {
    results.set(result.request, result);
    hasFailed ||= result.outcome !== 'done';
    listener.onResult(result);
  };
  const runWorker = async (): Promise<void> => {
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      if (signal.aborted || (hasFailed && options.stopAtFirstFailure)) {
        addResult({ request, outcome: 'skipped', build: undefined, error: undefined });
      } else {
        addResult(await runSingleBuild(request, actions, listener, signal));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.maxConcurrentBuilds) }, runWorker));
  return options.requests.flatMap((request) => results.get(request) ?? []);
}

async function runSingleBuild(
  request: StartBuildRequest,
  host: BuildSetActions,
  listener: BuildSetListener,
  signal: AbortSignal,
): Promise<BuildSetResult> {
  let build: Build;
  try {
    build = await host.start(request);
  } catch (error) {
    const outcome = host.mayHaveStarted(error) ? 'unanswered' : 'refused';
    return { request, outcome, build: undefined, error };
  }
  listener.onStarted(request, build);
  const cancel = (): void => {
    host.cancel(build).catch((error: unknown) => listener.onCancelFailed(build, error));
  };
  signal.addEventListener('abort', cancel);
  if (signal.aborted) {
    cancel();
  }
  const endedBuild = await host.waitForEnd(build);
  signal.removeEventListener('abort', cancel);
  return {
    request,
    outcome: endedBuild.phase === 'running' ? 'gone' : endedBuild.phase,
    build: endedBuild,
    error: undefined,
  };
}

/**
 * Returns the exit code of a set: 0 if all builds succeeded; 1 if one failed or was refused; otherwise 2 if one was
 * canceled, 3 if an outcome is unknown, or 2 if one was skipped, in this order.
 */
export function getBuildSetExitCode(results: readonly BuildSetResult[]): number {
  const hasOutcome = (...outcomes: readonly BuildSetResult['outcome'][]): boolean =>
    results.some(({ outcome }) => outcomes.includes(outcome));
  if (hasOutcome('failed', 'refused')) {
    return 1;
  }
  if (hasOutcome('cancelled')) {
    return 2;
  }
  return hasOutcome('gone', 'unanswered') ? 3 : hasOutcome('skipped') ? 2 : 0;
}
