import { expect } from 'vitest';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { Bench, connectionId, operation } from '../run/support.ts';
import { apply } from './apply.ts';
import { createWorld } from './world.ts';

/** Makes a change, undoes it, and compares the instance before and after. */
export async function thereAndBack(writes: (bench: Bench) => Promise<readonly Write[]> | readonly Write[]) {
  using bench = new Bench();
  const { writer, history } = bench.open();
  const wanted = operation(await writes(bench));
  const before = await createWorld(bench);
  await apply(writer, wanted);
  const between = await createWorld(bench);
  expect(between).not.toEqual(before);
  const [entry] = await history.readEntries(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was written down');
  }
  const back = await writer.planUndo(entry);
  await apply(writer, back.operation, { expect: back.expect, undoes: entry.id, moved: back.moved });
  expect(await createWorld(bench)).toEqual(before);
  const [undone] = await history.readEntries(connectionId);
  expect(undone).toMatchObject({ undoes: entry.id, end: 'done' });
  return back;
}
