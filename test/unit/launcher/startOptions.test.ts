import { describe, expect, it } from 'vitest';
import { parseStartOptions, formatReadyLine } from '../../../src/launcher/startOptions.ts';

const address = { url: 'http://127.0.0.1:4000', adminToken: 'a', userToken: 'u' };

describe('parseStartOptions', () => {
  it('opens an editor on a free port by default', () => {
    expect(parseStartOptions([])).toEqual({
      port: 0,
      opensBrowser: true,
      usesBrowserEditor: false,
      allowedHosts: [],
      profile: 'guide',
    });
  });

  it('reads every option, in both spellings of a value', () => {
    expect(parseStartOptions(['--port', '8080', '--no-open', '--web', '--profile', 'contract'])).toEqual({
      port: 8080,
      opensBrowser: false,
      usesBrowserEditor: true,
      allowedHosts: [],
      profile: 'contract',
    });
    expect(parseStartOptions(['--port=9000']).port).toBe(9000);
  });

  it.each(['-1', '65536', 'x', '1.5', ''])('refuses the port "%s"', (port) => {
    expect(() => parseStartOptions([`--port=${port}`])).toThrow(/Invalid --port/);
  });

  it('refuses an unknown profile', () => {
    expect(() => parseStartOptions(['--profile', 'both'])).toThrow(/Invalid --profile/);
  });

  it('accepts several hosts besides this machine', () => {
    const { allowedHosts } = parseStartOptions([
      '--allow-host',
      'work.example',
      '--allow-host=localhost:9000',
    ]);
    expect(allowedHosts).toEqual([{ name: 'work.example' }, { name: 'localhost', port: 9000 }]);
    expect(() => parseStartOptions(['--allow-host', 'http://work.example'])).toThrow(/Invalid --allow-host/);
  });

  it('refuses unknown options', () => {
    expect(() => parseStartOptions(['--prot', '1'])).toThrow(/--prot/);
    expect(() => parseStartOptions(['extra'])).toThrow(/extra/);
  });
});

describe('formatReadyLine', () => {
  it('returns one line of JSON with the address of the editor in the browser', () => {
    const line = formatReadyLine('http://127.0.0.1:1/?folder=/x', address);
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toEqual({ vscode: 'http://127.0.0.1:1/?folder=/x', sandbox: address });
  });

  it('returns null in place of the address for a desktop window', () => {
    expect(JSON.parse(formatReadyLine(undefined, address))).toEqual({ vscode: null, sandbox: address });
  });
});
