import type { Build, StartBuildRequest } from './build.ts';

/** The settings for running a set of builds. */
export interface BuildSetPlan {
  readonly requests: readonly StartBuildRequest[];
  /** The maximum number of concurrent builds. */
  readonly atOnce: number;
  /** Whether to start no further builds after the first that does not succeed; running builds continue. */
  readonly stopAtFirstFailure: boolean;
}

/** The build operations that running a set needs. */
export interface BuildSetHost {
  start(request: StartBuildRequest): Promise<Build>;
  /** Returns whether the server may have accepted a build although the request failed with this error. */
  mayHaveStarted(error: unknown): boolean;
  /** Resolves with the build once it has ended or is gone; never rejects. */
  ended(build: Build): Promise<Build>;
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
  started(request: StartBuildRequest, build: Build): void;
  ended(result: BuildSetResult): void;
  /** Called if a build could not be canceled; the set still waits for its end. */
  cancelFailed(build: Build, error: unknown): void;
}

/**
 * Runs the builds in the order of the plan, several at a time if the plan allows it. Aborting cancels running builds
 * and starts no more. Returns a result for each request, in the order of the requests; never rejects.
 */
export async function runBuildSet(
  plan: BuildSetPlan,
  port: BuildSetHost,
  listener: BuildSetListener,
  signal: AbortSignal,
): Promise<readonly BuildSetResult[]> {
  const results = new Map<StartBuildRequest, BuildSetResult>();
  const waiting = [...plan.requests];
  let hasFailed = false;
  const settle = (result: BuildSetResult): void => {
    results.set(result.request, result);
    hasFailed ||= result.outcome !== 'done';
    listener.ended(result);
  };
  const work = async (): Promise<void> => {
    for (let request = waiting.shift(); request !== undefined; request = waiting.shift()) {
      if (signal.aborted || (hasFailed && plan.stopAtFirstFailure)) {
        settle({ request, outcome: 'skipped', build: undefined, error: undefined });
      } else {
        settle(await runSingleBuild(request, port, listener, signal));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, plan.atOnce) }, work));
  return plan.requests.flatMap((request) => results.get(request) ?? []);
}

async function runSingleBuild(
  request: StartBuildRequest,
  port: BuildSetHost,
  listener: BuildSetListener,
  signal: AbortSignal,
): Promise<BuildSetResult> {
  let build: Build;
  try {
    build = await port.start(request);
  } catch (error) {
    const outcome = port.mayHaveStarted(error) ? 'unanswered' : 'refused';
    return { request, outcome, build: undefined, error };
  }
  listener.started(request, build);
  const cancel = (): void => {
    port.cancel(build).catch((error: unknown) => listener.cancelFailed(build, error));
  };
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) {
    cancel();
  }
  const ended = await port.ended(build);
  signal.removeEventListener('abort', cancel);
  return {
    request,
    outcome: ended.phase === 'running' ? 'gone' : ended.phase,
    build: ended,
    error: undefined,
  };
}

/**
 * Returns the exit code of a set: 0 if all builds succeeded, 1 if one failed, 2 if one was canceled or skipped, 3 if an
 * outcome is unknown.
 */
export function getBuildSetExitCode(results: readonly BuildSetResult[]): number {
  const has = (...outcomes: readonly BuildSetResult['outcome'][]): boolean =>
    results.some(({ outcome }) => outcomes.includes(outcome));
  if (has('failed', 'refused')) {
    return 1;
  }
  if (has('cancelled')) {
    return 2;
  }
  return has('gone', 'unanswered') ? 3 : has('skipped') ? 2 : 0;
}
