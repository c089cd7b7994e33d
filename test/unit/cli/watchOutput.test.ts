import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { watchOutput } from '../../../src/cli/watchOutput.ts';

/** Makes two writes fail with a code, and returns what is reported. */
async function failTwice(code: string): Promise<{ readonly lossCount: number; readonly messages: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let lossCount = 0;
  watchOutput({ stdout, stderr }, () => {
    lossCount += 1;
  });
  for (let count = 0; count < 2; count += 1) {
    stdout.emit('error', Object.assign(new Error(code), { code }));
  }
  stderr.end();
  return { lossCount, messages: await text(stderr) };
}

test.each([
  ['ENOSPC', "The disk is full, so the output can't be written.\n"],
  ['EIO', "Can't write the output (EIO).\n"],
])('output that could not be written because of %s is lost, and reported once', async (code, messages) => {
  expect(await failTwice(code)).toEqual({ lossCount: 1, messages });
});

test.each(['EPIPE', 'EOF'])('a reader that stops reading is no error: %s', async (code) => {
  expect(await failTwice(code)).toEqual({ lossCount: 0, messages: '' });
});

test('an error of the message stream is ignored', () => {
  const stderr = new PassThrough();
  watchOutput({ stdout: new PassThrough(), stderr }, () => undefined);
  expect(stderr.emit('error', new Error('closed'))).toBe(true);
});
