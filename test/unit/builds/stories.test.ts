import fc from 'fast-check';
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Build } from '../../../src/builds/build.ts';
import { missingGraceMs } from '../../../src/builds/buildList.ts';
import { InstanceWatch } from '../../../src/builds/instanceWatch.ts';
import { defaultPollSettings } from '../../../src/builds/pollDelay.ts';
import { getBuildPhase } from '../../../src/contract/build.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryDisk } from '../../fakes/memoryFolder.ts';
import { TestFailure, TestServer, type TestWindow, openWindow, request } from './support.ts';
import { getPropertyRuns } from '../../support/soak.ts';

/** The states a server may report for a task: a word, null, or nothing at all, which is `absent` here. */
type Said = string | null;

const vocabulary: readonly Said[] = [null, 'building', 'reticulating', 'done', 'failed', 'absent'];
const longest = 6;
/** 2 s keeps a whole story within the time in which a new task may be missing; 20 s exceeds it. */
const paces = [2_000, 20_000] as const;

const faults: readonly (Error | undefined)[] = [
  undefined,
  undefined,
  new TestFailure('reset'),
  new TestFailure('429', { retryAfterMs: 1_000 }),
  new TestFailure('401', { needsUserAction: true }),
];

/** The expected story: the ends that are reported, and the final state. */
class Story {
  readonly ends: string[] = [];
  phase: Build['phase'] | 'unknown';
  #since: number | undefined;

  constructor(startedHere: boolean, now: number) {
    this.phase = startedHere ? 'running' : 'unknown';
    this.#since = startedHere ? now : undefined;
  }

  hear(said: Said, now: number): void {
    if (!['running', 'gone', 'unknown'].includes(this.phase)) {
      return;
    }
    const phase = said === 'absent' ? 'absent' : getBuildPhase(said);
    if (phase === 'running') {
      this.phase = 'running';
      this.#since ??= now;
    } else if (phase === 'absent') {
      if (this.phase === 'running' && now - (this.#since ?? now) >= missingGraceMs) {
        this.#end('gone');
      }
    } else if (this.phase !== 'unknown') {
      if (this.phase === 'gone') {
        // It reappeared finished: its real end replaces the unknown one.
        this.phase = phase;
      } else {
        this.#end(phase);
      }
    }
  }

  #end(phase: Build['phase']): void {
    this.phase = phase;
    this.ends.push(phase);
  }
}

const getTasks = (said: Said) => (said === 'absent' ? [] : [{ oid: 'b1', status: said }]);

const started = (now: number): Build => ({
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
function* sequences(length: number): Generator<readonly Said[]> {
  for (let number = 0; number < vocabulary.length ** length; number += 1) {
    yield Array.from(
      { length },
      (_, place) => vocabulary[Math.floor(number / vocabulary.length ** place) % vocabulary.length] as Said,
    );
  }
}

/** Plays a sequence to one watch, with a fault before each state whose bit is set. */
async function play(sequence: readonly Said[], number: number, startedHere: boolean): Promise<void> {
  const clock = new FakeClock();
  const server = new TestServer();
  const deps = {
    source: server.source(),
    clock,
    log: silentLog,
    random: () => 0.5,
    getPollSettings: () => defaultPollSettings,
  };
  const watch = new InstanceWatch(deps, 'c', 'c there');
  const story = new Story(startedHere, clock.now());
  if (startedHere) {
    watch.addBuilds([started(clock.now())]);
  }
  const ends: string[] = [];
  for (const [index, said] of sequence.entries()) {
    clock.skip(paces[number % paces.length] ?? 0);
    const fault = faults[(number + index * 7) % faults.length];
    if (fault !== undefined) {
      server.tasks = fault;
      ends.push(...(await watch.poll()).map(({ phase }) => phase));
    }
    server.tasks = getTasks(said);
    ends.push(...(await watch.poll()).map(({ phase }) => phase));
    story.hear(said, clock.now());
  }
  const phase = watch.builds[0]?.phase ?? 'unknown';
  if (phase !== story.phase || ends.join() !== story.ends.join()) {
    // Compared by hand: fifty thousand expectations would take longer than the sequences.
    expect({ sequence, number, phase, ends }).toEqual({
      sequence,
      number,
      phase: story.phase,
      ends: story.ends,
    });
  }
}

test.each([true, false])(
  'every sequence of up to six states, with faults in between, ends in the expected story (started here: %s)',
  async (startedHere) => {
    let number = 0;
    for (let length = 1; length <= longest; length += 1) {
      for (const sequence of sequences(length)) {
        await play(sequence, number, startedHere);
        number += 1;
      }
    }
    expect(number).toBe(55_986);
  },
);

/** The events that may happen to the windows between two states of the server. */
const happenings = ['nothing', 'close the leader', 'open another', 'kill the leader', 'nothing'] as const;

test('property: whichever window leads, an end is reported exactly once, and all windows agree', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(fc.constantFrom(...vocabulary), fc.constantFrom(...happenings), fc.nat(faults.length - 1)),
        { minLength: 1, maxLength: longest },
      ),
      async (steps) => {
        const clock = new FakeClock();
        const disk = new MemoryDisk();
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
        await windows[0]?.watch.start(request);
        const story = new Story(true, clock.now());
        for (const [said, happening, fault] of steps) {
          server.tasks = faults[fault] ?? getTasks('building');
          if (faults[fault] === undefined && story.phase === 'running') {
            story.hear('building', clock.now());
          }
          await clock.advance(20_000);
          if (happening === 'open another') {
            await open();
          } else if (happening !== 'nothing' && windows.length > 1) {
            const [leader] = windows.splice(0, 1);
            if (happening === 'kill the leader') {
              const files = new Map(disk.files);
              leader?.watch.dispose();
              // No window was left to delete its card.
              files.forEach((text, name) => disk.files.set(name, text));
            }
            leader?.watch.dispose();
          }
          server.tasks = getTasks(said);
          await clock.advance(130_000);
          if (story.phase === 'running') {
            // Ended builds are no longer requested.
            story.hear(said, clock.now());
          }
        }
        expect(reported).toEqual(story.ends);
        for (const window of windows) {
          expect(window.phase() ?? story.phase).toBe(story.phase);
        }
        windows.forEach(({ watch }) => watch.dispose());
        expect(clock.pending).toBe(0);
      },
    ),
    { numRuns: getPropertyRuns(40) },
  );
});
