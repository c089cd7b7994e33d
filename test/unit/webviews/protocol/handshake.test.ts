import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HostHandshake, PageHandshake } from '../../../../src/webviews/protocol/handshake.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';

interface TestMessage {
  readonly type: string;
  readonly text?: string;
}

/**
 * Connects a host, which sends its state in reply to `ready`, with pages that are loaded one after the other. A *call* is
 * a `ready` message; `losses` are the numbers of messages to lose from now on.
 */
function createConnection() {
  const clock = new FakeClock();
  const losses = { toHost: 0, toPage: 0 };
  let page: { readonly end: PageHandshake; readonly reported: string[]; calls: number } | undefined;
  let states = 0;
  const host = new HostHandshake<TestMessage>((message) => {
    if (losses.toPage > 0) {
      losses.toPage -= 1;
    } else if (page !== undefined && !page.end.handleMessage(message)) {
      page.reported.push((message as TestMessage).text ?? '');
    }
  });
  const load = (name: string) => {
    const newPage = {
      end: new PageHandshake(
        name,
        (call) => {
          newPage.calls += 1;
          if (losses.toHost > 0) {
            losses.toHost -= 1;
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
    page = newPage;
    newPage.end.sendReady();
    return newPage;
  };
  return { clock, losses, host, load, states: () => states };
}

test('messages sent before the page listens are queued in order', () => {
  const { host, load } = createConnection();
  host.post({ type: 'plan', text: 'early' });
  host.post({ type: 'busy', text: 'too' });
  expect(load('a').reported).toEqual(['early', 'too', 'state 1']);
});

test('a lost call is repeated, and the state is sent once', async () => {
  const { clock, losses, load, states } = createConnection();
  losses.toHost = 3;
  const page = load('a');
  await clock.advance(60_000);
  expect([page.reported, states(), page.calls]).toEqual([['state 1'], 1, 4]);
  expect(clock.timerCount).toBe(0);
});

test('a reloaded page receives everything again', async () => {
  const { clock, load } = createConnection();
  load('a');
  await clock.advance(60_000);
  expect(load('b').reported).toEqual(['state 2']);
});

test('whichever calls are lost, and whenever the page is loaded, it receives the state exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(12),
      fc.nat(20_000),
      fc.boolean(),
      async (lostCalls, loadDelayMs, hasQueuedMessage) => {
        const { clock, losses, host, load } = createConnection();
        if (hasQueuedMessage) {
          host.post({ type: 'plan', text: 'early' });
        }
        await clock.advance(loadDelayMs);
        losses.toHost = lostCalls;
        const page = load('a');
        await clock.advance(120_000);
        expect(page.reported).toEqual([...(hasQueuedMessage ? ['early'] : []), 'state 1']);
        expect(clock.timerCount).toBe(0);
      },
    ),
    { numRuns: getPropertyRuns(60) },
  );
});
