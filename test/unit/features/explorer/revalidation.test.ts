import { expect, test } from 'vitest';
import { Revalidator } from '../../../../src/features/explorer/revalidation.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { MemoryLog } from '../../../fakes/memoryLog.ts';

function createRevalidator() {
  const clock = new FakeClock();
  const log = new MemoryLog();
  const revalidatedIds: string[] = [];
  const revalidator = new Revalidator({
    clock,
    log,
    getLists: () => [
      { connectionId: 'expanded', isExpanded: true },
      { connectionId: 'collapsed', isExpanded: false },
      { connectionId: 'broken', isExpanded: true },
    ],
    revalidate: async (id) => {
      revalidatedIds.push(id);
      if (id === 'broken') {
        throw new Error('offline');
      }
    },
  });
  return { clock, log, revalidatedIds, revalidator };
}

test('expanded lists are checked once when the view is shown again after a minute', async () => {
  const { clock, log, revalidatedIds, revalidator } = createRevalidator();
  revalidator.setVisible(true);
  await clock.advance(59_999);
  revalidator.setVisible(true);
  expect(revalidatedIds).toEqual([]);
  await clock.advance(1);
  revalidator.setVisible(true);
  revalidator.setVisible(true);
  await clock.advance(0);
  expect(revalidatedIds).toEqual(['expanded', 'broken']);
  expect(log.text).toContain('offline');
  expect(clock.timerCount).toBe(0);
});

test('nothing is checked while the view is hidden, however long', async () => {
  const { clock, revalidatedIds, revalidator } = createRevalidator();
  for (let hour = 0; hour < 24; hour += 1) {
    await clock.advance(3_600_000);
    revalidator.setVisible(false);
  }
  expect(revalidatedIds).toEqual([]);
  revalidator.setVisible(true);
  expect(revalidatedIds).toEqual(['expanded', 'broken']);
});
