import { silentLog } from '../../../src/base/log.ts';
import type { Build, StartBuildRequest } from '../../../src/builds/build.ts';
import { BuildWatch } from '../../../src/builds/buildWatch.ts';
import { defaultPollSettings } from '../../../src/builds/pollDelay.ts';
import type { BuildApi } from '../../../src/builds/buildApi.ts';
import type { BuildTask } from '../../../src/contract/build.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryFolder } from '../../fakes/memoryFolder.ts';

export const buildRequest: StartBuildRequest = {
  connectionId: 'c',
  datamodelId: 'm',
  datamodelTitle: 'Retail',
  buildType: 'full',
};

/** A failure that a test causes, with its classification. */
export class TestFailure extends Error {
  readonly retryAfterMs: number | undefined;
  readonly needsUserAction: boolean;
  readonly mayHaveTakenEffect: boolean;

  constructor(
    message: string,
    options: { retryAfterMs?: number; needsUserAction?: boolean; mayHaveTakenEffect?: boolean } = {},
  ) {
    super(message);
    this.retryAfterMs = options.retryAfterMs;
    this.needsUserAction = options.needsUserAction ?? false;
    this.mayHaveTakenEffect = options.mayHaveTakenEffect ?? false;
  }
}

/** An instance whose tasks the test sets, and which counts requests. */
export class TestServer {
  tasks: readonly BuildTask[] | Error = [];
  /** Responds to a request for a single task; if it isn't set, with the task from the list. */
  findSingle: ((oid: string) => BuildTask | undefined) | undefined;
  pollCount = 0;
  singleRequestCount = 0;
  isReachable = true;
  isInUse = true;
  exists = true;
  /** Responds to a start, with the ID of the task. */
  respondToStart: () => Promise<string> = async () => 'b1';

  source(id = 'c'): BuildApi {
    return {
      getInstanceId: (connectionId) => (connectionId === id && this.exists ? `${id} there` : undefined),
      canPoll: () => this.isReachable,
      getConnectionsInUse: () => (this.isInUse && this.exists ? [id] : []),
      list: async () => {
        this.pollCount += 1;
        if (this.tasks instanceof Error) {
          throw this.tasks;
        }
        return this.tasks;
      },
      find: async (_id, oid) => {
        this.singleRequestCount += 1;
        if (this.findSingle !== undefined) {
          return this.findSingle(oid);
        }
        return this.tasks instanceof Error ? undefined : this.tasks.find((task) => task.oid === oid);
      },
      start: () => this.respondToStart(),
      cancel: async () => {},
      cancelAll: async () => {},
      classifyFailure: (error) =>
        error instanceof TestFailure
          ? error
          : { retryAfterMs: undefined, needsUserAction: false, mayHaveTakenEffect: false },
    };
  }
}

/** A window that follows the builds of a server. */
export function openWindow(
  { clock, disk }: { readonly clock: FakeClock; readonly disk: MemoryFolder },
  source: BuildApi,
  name = 'w1',
) {
  const archived: Build[] = [];
  const watch = new BuildWatch({
    buildApi: source,
    folder: disk.open(),
    history: {
      add: async (ended) => {
        archived.push(...ended);
      },
    },
    clock,
    log: silentLog,
    random: () => 0,
    getPollSettings: () => defaultPollSettings,
    windowId: name,
  });
  const ends: string[] = [];
  const reported: string[] = [];
  const failures: string[] = [];
  watch.onDidEnd(({ build, shouldNotify }) => {
    ends.push(`${build.oid} ${build.phase}`);
    if (shouldNotify) {
      reported.push(`${build.oid} ${build.phase}`);
    }
  });
  watch.onDidFail(({ error }) => failures.push(String(error)));
  return {
    watch,
    ends,
    reported,
    failures,
    archived,
    find: (oid = 'b1') => watch.builds.find((build) => build.oid === oid),
    getPhase: (oid = 'b1') => watch.builds.find((build) => build.oid === oid)?.phase,
  };
}

export type TestWindow = ReturnType<typeof openWindow>;

/** One window, one server. */
export function openSingleWindow() {
  const clock = new FakeClock();
  const disk = new MemoryFolder();
  const server = new TestServer();
  return { clock, disk, server, ...openWindow({ clock, disk }, server.source()) };
}
