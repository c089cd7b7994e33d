import { expect, test } from 'vitest';
import { Emitter } from '../../../src/base/event.ts';

test('every listener is notified until it unsubscribes', () => {
  const emitter = new Emitter<number>();
  const notifications: string[] = [];
  const firstSubscription = emitter.event((value) => notifications.push(`a${value}`));
  emitter.event((value) => notifications.push(`b${value}`));
  emitter.fire(1);
  firstSubscription.dispose();
  emitter.fire(2);
  expect(notifications).toEqual(['a1', 'b1', 'b2']);
});

test('the same listener may subscribe twice and unsubscribe once', () => {
  const emitter = new Emitter<void>();
  let notificationCount = 0;
  const listener = (): void => {
    notificationCount += 1;
  };
  emitter.event(listener);
  emitter.event(listener).dispose();
  emitter.fire();
  expect(notificationCount).toBe(1);
});

test('a listener that throws does not stop the others from being notified', () => {
  const emitter = new Emitter<void>();
  let notificationCount = 0;
  emitter.event(() => {
    throw new Error('broken');
  });
  emitter.event(() => {
    notificationCount += 1;
  });
  expect(() => emitter.fire()).toThrow(AggregateError);
  expect(notificationCount).toBe(1);
});

test('a listener that unsubscribes while it is being notified is not notified again', () => {
  const emitter = new Emitter<void>();
  let notificationCount = 0;
  const subscription = emitter.event(() => {
    notificationCount += 1;
    subscription.dispose();
  });
  emitter.fire();
  emitter.fire();
  expect(notificationCount).toBe(1);
});
