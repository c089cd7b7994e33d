import { expect, test } from 'vitest';
import { Emitter } from '../../../src/base/event.ts';

test('tells every listener, until it leaves', () => {
  const emitter = new Emitter<number>();
  const heard: string[] = [];
  const first = emitter.event((value) => heard.push(`a${value}`));
  emitter.event((value) => heard.push(`b${value}`));
  emitter.fire(1);
  first.dispose();
  emitter.fire(2);
  expect(heard).toEqual(['a1', 'b1', 'b2']);
});

test('the same listener may subscribe twice and leave once', () => {
  const emitter = new Emitter<void>();
  let heard = 0;
  const listener = (): void => {
    heard += 1;
  };
  emitter.event(listener);
  emitter.event(listener).dispose();
  emitter.fire();
  expect(heard).toBe(1);
});

test('a listener that throws does not keep the others from hearing', () => {
  const emitter = new Emitter<void>();
  let heard = 0;
  emitter.event(() => {
    throw new Error('broken');
  });
  emitter.event(() => {
    heard += 1;
  });
  expect(() => emitter.fire()).toThrow(AggregateError);
  expect(heard).toBe(1);
});

test('a listener that leaves while it is told is told no more', () => {
  const emitter = new Emitter<void>();
  let heard = 0;
  const subscription = emitter.event(() => {
    heard += 1;
    subscription.dispose();
  });
  emitter.fire();
  emitter.fire();
  expect(heard).toBe(1);
});
