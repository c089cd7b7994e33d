import { expect, test } from 'vitest';
import type { Arguments } from '../../../src/cli/command.ts';
import { createCommandOutput, stripControlCharacters, type Shell } from '../../../src/cli/shell.ts';
import { getStateFolder, readInstanceTarget } from '../../../src/cli/target.ts';

const createArguments = (values: Readonly<Record<string, string | undefined>>): Arguments => ({
  positionals: [],
  getValue: (name) => values[name],
  has: (name) => name in values,
});

function createShell(
  overrides: Partial<Shell> = {},
): Shell & { readonly data: string[]; readonly messages: string[] } {
  const [data, messages]: [string[], string[]] = [[], []];
  return {
    env: {},
    platform: 'linux',
    home: '/home/me',
    readInput: async () => '',
    isInputTerminal: false,
    isErrorTerminal: false,
    isOutputTerminal: false,
    writeData: (text) => data.push(text),
    writeMessage: (text) => messages.push(text),
    ...overrides,
    data,
    messages,
  };
}

test('server text cannot send control sequences to the terminal', () => {
  expect(stripControlCharacters('a\u001b[2Jb\u009b31mc\rd\u202ee\nf')).toBe('a [2Jb 31mc d e\nf');
  const shell = createShell();
  const output = createCommandOutput(shell);
  output.printMessage('x\u0007y');
  output.printLine('x\u001b]0;t\u0007y');
  output.printRaw('\ufeffa\tb\r\n');
  output.printJson({ a: 1 });
  expect(shell.messages).toEqual(['x y\n']);
  expect(shell.data).toEqual(['x ]0;t y\n', '\ufeffa\tb\r\n', '{\n  "a": 1\n}\n']);
});

test('data is safe in a terminal too: JSON is escaped without loss, a table shows blanks', () => {
  const value = { 'a\u009b': 'b\u009b31m\u202ec\u2028\u007f' };
  const text = '\ufeffa\u001b]0;t\u0007\tb\u009b2J\u202e\rc\r\n';
  const [file, terminal] = [createShell(), createShell({ isOutputTerminal: true })];
  createCommandOutput(file).printJson(value);
  createCommandOutput(file).printRaw(text);
  createCommandOutput(terminal).printRaw(text);
  const [json = '', raw] = file.data;
  expect(json).toMatch(/^[\n\x20-\x7e]*$/);
  expect(JSON.parse(json)).toEqual(value);
  expect(raw).toBe(text);
  expect(terminal.data).toEqual(['\ufeffa ]0;t \tb 2J  c\r\n']);
});

test("journals are stored in the system's state folder, unless a folder is given", () => {
  const folder = (overrides: Partial<Shell>, values = {}) =>
    getStateFolder({ args: createArguments(values), shell: createShell(overrides) });
  expect(folder({})).toBe('/home/me/.local/state/datamodel-studio');
  expect(folder({ env: { XDG_STATE_HOME: '/s' } })).toBe('/s/datamodel-studio');
  expect(folder({ platform: 'win32', env: { LOCALAPPDATA: '/l', XDG_STATE_HOME: '/s' } })).toBe(
    '/l/datamodel-studio',
  );
  expect(folder({ platform: 'linux', env: { LOCALAPPDATA: '/l' } })).toBe(
    '/home/me/.local/state/datamodel-studio',
  );
  expect(folder({}, { state: '/named' })).toBe('/named');
});

test('a target is a development connection, identified by address and tenant', async () => {
  const shell = createShell({ env: { T: ' token \n' } });
  const readTarget = (url: string, tenant?: string) =>
    readInstanceTarget({
      args: createArguments({ url, 'token-env': 'T', ...(tenant === undefined ? {} : { tenant }) }),
      shell,
    });
  const [one, same, other] = [
    await readTarget('https://Host/'),
    await readTarget('https://host'),
    await readTarget('https://host', 't1'),
  ];
  expect(one).toMatchObject({ token: 'token', connection: { role: 'development', url: 'https://host' } });
  expect(same.connection.id).toBe(one.connection.id);
  expect(other.connection.id).not.toBe(one.connection.id);
});

test('a terminal is not asked for a token', async () => {
  const shell = createShell({ isInputTerminal: true, readInput: () => Promise.reject(new Error('asked')) });
  const args = createArguments({ url: 'https://host', 'token-stdin': undefined });
  await expect(readInstanceTarget({ args, shell })).rejects.toThrow('from a pipe');
});
