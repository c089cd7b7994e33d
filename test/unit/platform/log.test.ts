import { expect, test } from 'vitest';
import { ChannelLog } from '../../../src/platform/log.ts';

type Channel = ConstructorParameters<typeof ChannelLog>[0];

test('what a reason repeats of a connection is logged without its secrets', () => {
  const lines: string[] = [];
  const write = (line: string): void => {
    lines.push(line);
  };
  const log = new ChannelLog({ debug: write, info: write, warn: write, error: write } as unknown as Channel);
  const reason = 'Error: Server=db;Pwd=hunter2;Database=d at mongodb://u:hunter2@h/d';
  log.debug('http', 'answered', { path: '/api/v2/datamodels', status: 200 });
  log.info('http', 'sent with Bearer hunter2hunter2');
  log.warn('writes', 'failed', { reason });
  log.error('writes', 'failed', { reason: '{"password":"hunter2"}', attempt: 2 });
  expect(lines.join('\n')).not.toContain('hunter2');
  expect(lines[0]).toBe('[http] answered path="/api/v2/datamodels" status=200');
  expect(lines[2]).toContain('Server=db;Pwd=••••••••;Database=d');
  expect(lines[3]).toContain('attempt=2');
});
