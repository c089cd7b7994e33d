import fc from 'fast-check';
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Build } from '../../../src/builds/build.ts';
import { missingGraceMs } from '../../../src/builds/buildList.ts';
import { InstanceWatch } from '../../../src/builds/instanceWatch.ts';
import { defaultPollSettings } from '../../../src/builds/pollDelay.ts';
import { getBuildPhase } from '../../../src/contract/build.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryFolder } from '../../fakes/memoryFolder.ts';
import { TestFailure, TestServer, type TestWindow, openWindow, buildRequest } from './support.ts';
import { getPropertyRuns } from '../../support/soak.ts';

/** The states a server may report for a task: a status, null, or no task at all, which is `absent` here. */
type ReportedStatus = string | null;

const reportedStatuses: readonly ReportedStatus[] = [
  null,
  'building',
  'some-new-status',
  'done',
  'failed',
  'absent',
];
const maxLength = 6;
/**
 * With 2 s between two states, a whole sequence ends within the time in which a new task may be missing; with 20 s, it
 * doesn't.
 */
const intervalsMs = [2_000, 20_000] as const;

const faults: readonly (Error | undefined)[] = [
  undefined,
  undefined,
  new TestFailure('reset'),
  new TestFailure('429', { retryAfterMs: 1_000 }),
  new TestFailure('401', { needsUserAction: true }),
];

/** What is expected of a sequence of states: the ends that are reported, and the final phase. */
class ExpectedResult {
  readonly ends: string[] = [];
  phase: Build['phase'] | 'unknown';
  #since: number | undefined;
  /** How the task was in the responses so far. */
  #responses: 'none' | 'lack it' | 'have had it' = 'none';

  constructor(isStartedHere: boolean, now: number) {
    this.phase = isStartedHere ? 'running' : 'unknown';
    this.#since = isStartedHere ? now : undefined;
  }

  addStatus(status: ReportedStatus, now: number): void {
    if (!['running', 'gone', 'unknown'].includes(this.phase)) {
      return;
    }
    const phase = status === 'absent' ? 'absent' : getBuildPhase(status);
    const responses = this.#responses;
    this.#responses = status !== 'absent' || responses === 'have had it' ? 'have had it' : 'lack it';
    if (phase === 'running') {
      this.phase = 'running';
      this.#since ??= now;
    } else if (phase === 'absent') {
      if (this.phase === 'running' && now - (this.#since ?? now) >= missingGraceMs) {
        this.#end('gone');
      }
    } else if (this.phase === 'unknown') {
      // Without a time, only a task that was not there before has certainly ended since.
      if (responses === 'lack it') {
        this.#end(phase);
      }
    } else if (this.phase === 'gone') {
      // It reappeared finished: its real end replaces the unknown one.
      this.phase = phase;
    } else {
      this.#end(phase);
    }
  }

  #end(phase: Build['phase']): void {
    this.phase = phase;
    this.ends.push(phase);
  }
}

const getTasks = (status: ReportedStatus) => (status === 'absent' ? [] : [{ oid: 'b1', status }]);

const createStartedBuild = (now: number): Build => ({
  connectionId: 'c',
  oid: 'b1',
  datamodelId: 'm',
  datamodelTitle: 'Retail',
  buildType: 'full',
  schemaOrigin: undefined,
  rowLimit: undefined,
  status: null,
  phase: 'running',
  firstSeen: now,
  lastSeen: undefined,
  ended: undefined,
  serverMs: undefined,
  source: undefined,
  startedBy: 'w1',
  reason: undefined,
  failedTable: undefined,
});

/** All sequences of states of this length. */
function* generateSequences(length: number): Generator<readonly ReportedStatus[]> {
  if (length === 0) {
    yield [];
    return;
  }
  for (const followingStates of generateSequences(length - 1)) {
    for (const status of reportedStatuses) {
      yield [status, ...followingStates];
    }
  }
}

/** Plays a sequence to one watch; its number selects the fault before each state. */
async function playSequence(
  sequence: readonly ReportedStatus[],
  sequenceNumber: number,
  { intervalMs, isStartedHere }: { readonly intervalMs: number; readonly isStartedHere: boolean },
): Promise<void> {
  const clock = new FakeClock();
  const server = new TestServer();
  const deps = {
    buildApi: server.source(),
    clock,
    log: silentLog,
    random: () => 0.5,
    getPollSettings: () => defaultPollSettings,
  };
  const watch = new InstanceWatch(deps, 'c', 'c there');
  const expected = new ExpectedResult(isStartedHere, clock.now());
  if (isStartedHere) {
    watch.addBuilds([createStartedBuild(clock.now())]);
  }
  const ends: string[] = [];
  for (const [index, status] of sequence.entries()) {
    clock.skip(intervalMs);
    const fault = faults[(sequenceNumber + index * 7) % faults.length];
    if (fault !== undefined) {
      server.tasks = fault;
      ends.push(...(await watch.poll()).map(({ phase }) => phase));
    }
    server.tasks = getTasks(status);
    ends.push(...(await watch.poll()).map(({ phase }) => phase));
    expected.addStatus(status, clock.now());
  }
  const phase = watch.builds[0]?.phase ?? 'unknown';
  if (phase !== expected.phase || ends.join() !== expected.ends.join()) {
    // Compared by hand: fifty thousand expectations would take longer than the sequences.
    expect({ sequence, intervalMs, number: sequenceNumber, phase, ends }).toEqual({
      sequence,
      intervalMs,
      number: sequenceNumber,
      phase: expected.phase,
      ends: expected.ends,
    });
  }
}

/** The intervals to play a sequence with. The longest sequences get one each, since they are too many for both. */
const getIntervals = (length: number, sequenceNumber: number): readonly number[] =>
  length < maxLength
    ? intervalsMs
    : // Seven has no factor in common with the six states, so each state comes first, and second, with both intervals.
      intervalsMs.slice(Math.floor(sequenceNumber / 7) % intervalsMs.length).slice(0, 1);

test.each([true, false])(
  'every sequence of up to six states, with faults in between, leads to the expected result (started here: %s)',
  async (isStartedHere) => {
    let number = 0;
    for (let length = 1; length <= maxLength; length += 1) {
      for (const sequence of generateSequences(length)) {
        for (const intervalMs of getIntervals(length, number)) {
          await playSequence(sequence, number, { intervalMs, isStartedHere });
        }
        number += 1;
      }
    }
    expect(number).toBe(55_986);
  },
);

/** The events that may happen to the windows between two states of the server. */
const windowEvents = ['nothing', 'close the leader', 'open another', 'kill the leader', 'nothing'] as const;

test('property: whichever window leads, an end is reported exactly once, and all windows agree', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(
          fc.constantFrom(...reportedStatuses),
          fc.constantFrom(...windowEvents),
          fc.nat(faults.length - 1),
        ),
        { minLength: 1, maxLength },
      ),
      async (steps) => {
        const clock = new FakeClock();
        const disk = new MemoryFolder();
        const server = new TestServer();
        const windows: TestWindow[] = [];
        const reported: string[] = [];
        let opened = 0;
        const open = async (): Promise<void> => {
          opened += 1;
          const window = openWindow({ clock, disk }, server.source(), `w${opened}`);
          window.watch.onDidEnd(({ build, shouldNotify }) => {
            if (shouldNotify) {
              reported.push(build.phase);
            }
          });
          windows.push(window);
          await window.watch.whenReady();
        };
        await open();
        await open();
        await windows[0]?.watch.start(buildRequest);
        const expected = new ExpectedResult(true, clock.now());
        for (const [status, windowEvent, faultIndex] of steps) {
          server.tasks = faults[faultIndex] ?? getTasks('building');
          if (faults[faultIndex] === undefined && expected.phase === 'running') {
            expected.addStatus('building', clock.now());
          }
          await clock.advance(20_000);
          if (windowEvent === 'open another') {
            await open();
          } else if (windowEvent !== 'nothing' && windows.length > 1) {
            const [leader] = windows.splice(0, 1);
            if (windowEvent === 'kill the leader') {
              const files = new Map(disk.files);
              leader?.watch.dispose();
              // A killed window doesn't delete its status file.
              files.forEach((text, name) => disk.files.set(name, text));
            }
            leader?.watch.dispose();
          }
          server.tasks = getTasks(status);
          await clock.advance(130_000);
          if (expected.phase === 'running') {
            // Ended builds are no longer requested.
            expected.addStatus(status, clock.now());
          }
        }
        expect(reported).toEqual(expected.ends);
        for (const window of windows) {
          expect(window.getPhase()).toBe(expected.phase);
        }
        windows.forEach(({ watch }) => watch.dispose());
        expect(clock.timerCount).toBe(0);
      },
    ),
    { numRuns: getPropertyRuns(40) },
  );
});
