import type { Build, StartBuildRequest } from './build.ts';

/** How the builds of a set follow each other. */
export interface BuildSetPlan {
  readonly requests: readonly StartBuildRequest[];
  /** How many may run at a time. */
  readonly atOnce: number;
  /** No further build is started once one did not succeed; those that run are left to end. */
  readonly stopAtFirstFailure: boolean;
}

/** What running a set needs of whoever follows builds. */
export interface BuildSetHost {
  start(request: StartBuildRequest): Promise<Build>;
  /** Whether the server may have taken on a build all the same whose start failed so. */
  mayHaveStarted(error: unknown): boolean;
  /** Resolves with the build once it has ended or is gone. */
  ended(build: Build): Promise<Build>;
  cancel(build: Build): Promise<void>;
}

/**
 * How one build of a set came out. `refused` was not accepted, `skipped` was never started, and of what is `unanswered`
 * nobody knows whether it was accepted.
 */
export interface BuildSetResult {
  readonly request: StartBuildRequest;
  readonly outcome: 'done' | 'failed' | 'cancelled' | 'gone' | 'refused' | 'unanswered' | 'skipped';
  readonly build: Build | undefined;
  readonly error: unknown;
}

/** What is told while a set runs. */
export interface BuildSetListener {
  started(request: StartBuildRequest, build: Build): void;
  ended(result: BuildSetResult): void;
  /** A cancel that the server refused; the build is still waited for. */
  cancelFailed(build: Build, error: unknown): void;
}

/**
 * Builds one datamodel after the other, or so many at once, in the order of the plan. Aborting cancels what runs and
 * starts nothing more. Answers a result for each request, in their order; it never rejects.
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

/** The exit code of a set: 0 where all was built, 1 where something failed, 2 where it was cancelled, 3 where an end is unknown. */
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
