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
 * Connects a host, which sends its state in reply to `ready`, with pages that are loaded one after the other.
 * `losses` are the numbers of messages to lose from now on.
 */
function createConnection() {
  const clock = new FakeClock();
  const losses = { toHost: 0, toPage: 0 };
  let page:
    | { readonly handshake: PageHandshake; readonly received: string[]; readyCount: number }
    | undefined;
  let stateCount = 0;
  const host = new HostHandshake<TestMessage>((message) => {
    if (losses.toPage > 0) {
      losses.toPage -= 1;
    } else if (page !== undefined && !page.handshake.handleMessage(message)) {
      page.received.push((message as TestMessage).text ?? '');
    }
  });
  const load = (name: string) => {
    const newPage = {
      handshake: new PageHandshake(
        name,
        (message) => {
          newPage.readyCount += 1;
          if (losses.toHost > 0) {
            losses.toHost -= 1;
          } else if (!host.handleMessage(message)) {
            stateCount += 1;
            host.post({ type: 'state', text: `state ${stateCount}` });
          }
        },
        (callback, delayMs) => clock.schedule(delayMs, callback),
      ),
      received: [] as string[],
      readyCount: 0,
    };
    page = newPage;
    newPage.handshake.sendReady();
    return newPage;
  };
  return { clock, losses, host, load, getStateCount: () => stateCount };
}

test('messages sent before the page listens are queued in order', () => {
  const { host, load } = createConnection();
  host.post({ type: 'plan', text: 'early' });
  host.post({ type: 'busy', text: 'too' });
  expect(load('a').received).toEqual(['early', 'too', 'state 1']);
});

test('a lost ready message is repeated, and the state is sent once', async () => {
  const { clock, losses, load, getStateCount } = createConnection();
  losses.toHost = 3;
  const page = load('a');
  await clock.advance(60_000);
  expect([page.received, getStateCount(), page.readyCount]).toEqual([['state 1'], 1, 4]);
  expect(clock.timerCount).toBe(0);
});

test('a reloaded page receives everything again', async () => {
  const { clock, load } = createConnection();
  load('a');
  await clock.advance(60_000);
  expect(load('b').received).toEqual(['state 2']);
});

test('however many ready messages are lost, and whenever the page is loaded, it receives the state exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(12),
      fc.nat(20_000),
      fc.boolean(),
      async (lostReadyCount, loadDelayMs, hasQueuedMessage) => {
        const { clock, losses, host, load } = createConnection();
        if (hasQueuedMessage) {
          host.post({ type: 'plan', text: 'early' });
        }
        await clock.advance(loadDelayMs);
        losses.toHost = lostReadyCount;
        const page = load('a');
        await clock.advance(120_000);
        expect(page.received).toEqual([...(hasQueuedMessage ? ['early'] : []), 'state 1']);
        expect(clock.timerCount).toBe(0);
      },
    ),
    { numRuns: getPropertyRuns(60) },
  );
});
