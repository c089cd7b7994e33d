import { expect, test } from 'vitest';
import { ChannelLog } from '../../../src/platform/log.ts';

type Channel = ConstructorParameters<typeof ChannelLog>[0];

function createLog(lines: string[]): ChannelLog {
  const write = (line: string): void => {
    lines.push(line);
  };
  return new ChannelLog({ debug: write, info: write, warn: write, error: write } as unknown as Channel);
}

test('lines keep their order while the masking module loads, and need it only if they may contain a secret', async () => {
  const lines: string[] = [];
  const log = createLog(lines);
  log.info('commands', 'Run', { command: 'datamodelStudio.refresh', ms: 3 });
  expect(lines).toEqual(['[commands] Run command="datamodelStudio.refresh" ms=3']);
  log.warn('writes', 'failed', { reason: 'Error: Pwd=hunter2;' });
  for (const text of ['a', 'b: c', 'd']) {
    log.info('writes', text);
  }
  await expect.poll(() => lines.at(-1)).toBe('[writes] d');
  log.info('writes', 'e: f');
  expect(lines.slice(2)).toEqual(['[writes] a', '[writes] b: c', '[writes] d', '[writes] e: f']);
  expect(lines.join('\n')).not.toContain('hunter2');
});

test('connection text quoted in a reason is logged without its secrets', async () => {
  const lines: string[] = [];
  const log = createLog(lines);
  const reason = 'Error: Server=db;Pwd=hunter2;Database=d at mongodb://u:hunter2@h/d';
  log.debug('http', 'answered', { path: '/api/v2/datamodels', status: 200 });
  log.info('http', 'sent with Bearer hunter2hunter2');
  log.warn('writes', 'failed', { reason });
  log.error('writes', 'failed', { reason: '{"password":"hunter2"}', attempt: 2 });
  await expect.poll(() => lines).toHaveLength(4);
  expect(lines.join('\n')).not.toContain('hunter2');
  expect(lines[0]).toBe('[http] answered path="/api/v2/datamodels" status=200');
  expect(lines[2]).toContain('Server=db;Pwd=••••••••;Database=d');
  expect(lines[3]).toContain('attempt=2');
});

test.each([
  'Unavailable (FileSystemError): PATCH failed: No user Ms. Smith',
  "Error: cannot open datamodel:/x. Detail: Can't read '/x' (Unavailable (FileSystemError): No user\nMs. Smith)",
])('the message of a file error, which may have the text of a server, is not logged: %s', async (reason) => {
  const lines: string[] = [];
  createLog(lines).warn('commands', 'Failed', { reason, attempt: 2 });
  await expect.poll(() => lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\[commands\] Failed reason=".*Unavailable \(FileSystemError\)" attempt=2$/);
});
