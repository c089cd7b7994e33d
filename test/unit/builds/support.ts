import { silentLog } from '../../../src/base/log.ts';
import type { Build, StartBuildRequest } from '../../../src/builds/build.ts';
import { BuildWatch } from '../../../src/builds/buildWatch.ts';
import { defaultPollSettings } from '../../../src/builds/pollDelay.ts';
import type { BuildSource } from '../../../src/builds/buildSource.ts';
import type { BuildTask } from '../../../src/contract/build.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryDisk } from '../../fakes/memoryFolder.ts';

export const request: StartBuildRequest = {
  connectionId: 'c',
  datamodelId: 'm',
  datamodelTitle: 'Retail',
  buildType: 'full',
};

/** The message of a failure that a test causes. */
export class TestFailure extends Error {
  readonly retryAfterMs: number | undefined;
  readonly needsUserAction: boolean;
  readonly mayHaveHappened: boolean;

  constructor(
    message: string,
    facts: { retryAfterMs?: number; needsUserAction?: boolean; mayHaveHappened?: boolean } = {},
  ) {
    super(message);
    this.retryAfterMs = facts.retryAfterMs;
    this.needsUserAction = facts.needsUserAction ?? false;
    this.mayHaveHappened = facts.mayHaveHappened ?? false;
  }
}

/** An instance whose tasks the test sets, and which counts requests. */
export class TestServer {
  tasks: readonly BuildTask[] | Error = [];
  /** The tasks known to requests for a single one; those of the list, unless set. */
  single: ((oid: string) => BuildTask | undefined) | undefined;
  looks = 0;
  finds = 0;
  reachable = true;
  inUse = true;
  exists = true;
  /** Delays the response to a start. */
  started: () => Promise<string> = async () => 'b1';

  source(id = 'c'): BuildSource {
    return {
      getInstanceId: (connectionId) => (connectionId === id && this.exists ? `${id} there` : undefined),
      canPoll: () => this.reachable,
      getConnectionsInUse: () => (this.inUse && this.exists ? [id] : []),
      list: async () => {
        this.looks += 1;
        if (this.tasks instanceof Error) {
          throw this.tasks;
        }
        return this.tasks;
      },
      find: async (_id, oid) => {
        this.finds += 1;
        if (this.single !== undefined) {
          return this.single(oid);
        }
        return this.tasks instanceof Error ? undefined : this.tasks.find((task) => task.oid === oid);
      },
      start: () => this.started(),
      cancel: async () => {},
      cancelAll: async () => {},
      classifyFailure: (error) =>
        error instanceof TestFailure
          ? error
          : { retryAfterMs: undefined, needsUserAction: false, mayHaveHappened: false },
    };
  }
}

/** A window that follows the builds of a server. */
export function openWindow(
  { clock, disk }: { readonly clock: FakeClock; readonly disk: MemoryDisk },
  source: BuildSource,
  name = 'w1',
) {
  const archived: Build[] = [];
  const watch = new BuildWatch({
    source,
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
  const troubles: string[] = [];
  watch.onDidEnd(({ build, shouldNotify }) => {
    ends.push(`${build.oid} ${build.phase}`);
    if (shouldNotify) {
      reported.push(`${build.oid} ${build.phase}`);
    }
  });
  watch.onDidFail(({ error }) => troubles.push(String(error)));
  return {
    watch,
    ends,
    reported,
    troubles,
    archived,
    find: (oid = 'b1') => watch.builds.find((build) => build.oid === oid),
    phase: (oid = 'b1') => watch.builds.find((build) => build.oid === oid)?.phase,
  };
}

export type TestWindow = ReturnType<typeof openWindow>;

/** One window, one server. */
export function watching() {
  const clock = new FakeClock();
  const disk = new MemoryDisk();
  const server = new TestServer();
  return { clock, disk, server, ...openWindow({ clock, disk }, server.source()) };
}
