import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HostHandshake, PageHandshake } from '../../../../src/webviews/protocol/handshake.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';

interface Said {
  readonly type: string;
  readonly text?: string;
}

/** A host that sends its state to each page that calls, and pages that may be loaded one after the other. */
function talk() {
  const clock = new FakeClock();
  const lost = { toHost: 0, toPage: 0 };
  let page: { readonly end: PageHandshake; readonly reported: string[]; calls: number } | undefined;
  let states = 0;
  const host = new HostHandshake<Said>((message) => {
    if (lost.toPage > 0) {
      lost.toPage -= 1;
    } else if (page !== undefined && !page.end.handleMessage(message)) {
      page.reported.push((message as Said).text ?? '');
    }
  });
  const load = (name: string) => {
    const mine = {
      end: new PageHandshake(
        name,
        (call) => {
          mine.calls += 1;
          if (lost.toHost > 0) {
            lost.toHost -= 1;
          } else if (!host.handleMessage(call)) {
            states += 1;
            host.post({ type: 'state', text: `state ${states}` });
          }
        },
        (callback, delayMs) => clock.schedule(delayMs, callback),
      ),
      reported: [] as string[],
      calls: 0,
    };
    page = mine;
    mine.end.sendReady();
    return mine;
  };
  return { clock, lost, host, load, states: () => states };
}

test('messages sent before the page listens are queued in order', () => {
  const { host, load } = talk();
  host.post({ type: 'plan', text: 'early' });
  host.post({ type: 'busy', text: 'too' });
  expect(load('a').reported).toEqual(['early', 'too', 'state 1']);
});

test('a lost call is repeated, and the state is sent once', async () => {
  const { clock, lost, load, states } = talk();
  lost.toHost = 3;
  const page = load('a');
  await clock.advance(60_000);
  expect([page.reported, states(), page.calls]).toEqual([['state 1'], 1, 4]);
  expect(clock.pending).toBe(0);
});

test('a reloaded page receives everything again', async () => {
  const { clock, load } = talk();
  load('a');
  await clock.advance(60_000);
  expect(load('b').reported).toEqual(['state 2']);
});

test('property: whatever calls are lost, and whenever the page loads, it gets its state once and then no more messages', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(12), fc.nat(20_000), fc.boolean(), async (losses, comesAfterMs, isEarly) => {
      const { clock, lost, host, load } = talk();
      if (isEarly) {
        host.post({ type: 'plan', text: 'early' });
      }
      await clock.advance(comesAfterMs);
      lost.toHost = losses;
      const page = load('a');
      await clock.advance(120_000);
      expect(page.reported).toEqual([...(isEarly ? ['early'] : []), 'state 1']);
      expect(clock.pending).toBe(0);
    }),
    { numRuns: getPropertyRuns(60) },
  );
});
