import { expect, test } from 'vitest';
import { Revalidator } from '../../../../src/features/explorer/revalidation.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { MemoryLog } from '../../../fakes/memoryLog.ts';

function watched() {
  const clock = new FakeClock();
  const log = new MemoryLog();
  const asked: string[] = [];
  const revalidation = new Revalidator({
    clock,
    log,
    getLists: () => [
      { connectionId: 'open', isExpanded: true },
      { connectionId: 'folded', isExpanded: false },
      { connectionId: 'broken', isExpanded: true },
    ],
    revalidate: async (id) => {
      asked.push(id);
      if (id === 'broken') {
        throw new Error('offline');
      }
    },
  });
  return { clock, log, asked, revalidation };
}

test('revalidates once when it becomes visible after a minute, for expanded nodes', async () => {
  const { clock, log, asked, revalidation } = watched();
  revalidation.setVisible(true);
  await clock.advance(59_999);
  revalidation.setVisible(true);
  expect(asked).toEqual([]);
  await clock.advance(1);
  revalidation.setVisible(true);
  revalidation.setVisible(true);
  await clock.advance(0);
  expect(asked).toEqual(['open', 'broken']);
  expect(log.text).toContain('offline');
  expect(clock.pending).toBe(0);
});

test('sends no request while hidden, however long', async () => {
  const { clock, asked, revalidation } = watched();
  for (let hour = 0; hour < 24; hour += 1) {
    await clock.advance(3_600_000);
    revalidation.setVisible(false);
  }
  expect(asked).toEqual([]);
  revalidation.setVisible(true);
  expect(asked).toEqual(['open', 'broken']);
});
