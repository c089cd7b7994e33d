import { describe, expect, test } from 'vitest';
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
  expect(stripControlCharacters('a\u001b[2Jb\u009b31mc\rd\u202ee\nf')).toBe('a [2Jb 31mc d e f');
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

test('a line break in a name does not start a new line of output', () => {
  const shell = createShell();
  const output = createCommandOutput(shell);
  output.printLine('+ table/x\r\n::stop-commands::t');
  output.printMessage('Will break: x\nDone.');
  output.printWorkflowCommand('::notice title=x::y\n::stop-commands::t');
  expect(shell.data).toEqual(['+ table/x ::stop-commands::t\n', '::notice title=x::y ::stop-commands::t\n']);
  expect(shell.messages).toEqual(['Will break: x Done.\n']);
});

describe.each(['GITHUB_ACTIONS', 'TF_BUILD'])('in a workflow with %s', (variable) => {
  test.each([
    ['::error::x', ': :error::x'],
    [' \t\u00a0::error::x', ' \t\u00a0: :error::x'],
    ['\u200b:\u200b:error::x', '\u200b: \u200b:error::x'],
    ['x ##[error]y', 'x # #[error]y'],
    ['x###[error]y', 'x## #[error]y'],
    ['x ##vso[task.setvariable]y', 'x # #vso[task.setvariable]y'],
    ['x #\u200b#\u00ad[error]y', 'x # \u200b#\u00ad[error]y'],
    ['x ##VSO[task.setvariable]y', 'x # #VSO[task.setvariable]y'],
    ['a::b ## c #[d]', 'a::b ## c #[d]'],
  ])('%j in a text is not run as a workflow command', (text, expected) => {
    const shell = createShell({ env: { [variable]: 'true' } });
    const output = createCommandOutput(shell);
    output.printLine(text);
    output.printMessage(text);
    output.printReport(`a\n${text}\r\n${text}`);
    const line = expected.replace('\t', ' ').replace('  ', ' ');
    expect(shell.data[0]?.replace('  ', ' ')).toBe(`${line}\n`);
    expect(shell.messages).toEqual([shell.data[0]]);
    expect(shell.data[1]).toBe(`a\n${expected}\r\n${expected}`);
    // Outside such workflows, names are unchanged.
    const other = createShell();
    createCommandOutput(other).printReport(text);
    expect(other.data).toEqual([text]);
  });

  test('JSON is escaped so that it contains no command, and tables and annotations are unchanged', () => {
    const shell = createShell({ env: { [variable]: 'true' } });
    const output = createCommandOutput(shell);
    const value = { '##[group]': ['::error::x', 'a\n::x', '\\##[x]', '#\u200b##vso[y]'] };
    output.printJson(value);
    output.printRaw('::x,##[y]\n');
    output.printWorkflowCommand('::error::x');
    const [json = '', ...others] = shell.data;
    expect(JSON.parse(json)).toEqual(value);
    expect(json).not.toMatch(/^\s*::|#[^\\]?#[^\\]?[[v]/m);
    expect(others).toEqual(['::x,##[y]\n', '::error::x\n']);
  });
});

test("journals are stored in the system's state folder, unless a folder is given", () => {
  const getFolder = (overrides: Partial<Shell>, values = {}) =>
    getStateFolder({ args: createArguments(values), shell: createShell(overrides) });
  expect(getFolder({})).toBe('/home/me/.local/state/datamodel-studio');
  expect(getFolder({ env: { XDG_STATE_HOME: '/s' } })).toBe('/s/datamodel-studio');
  expect(getFolder({ platform: 'win32', env: { LOCALAPPDATA: '/l', XDG_STATE_HOME: '/s' } })).toBe(
    '/l/datamodel-studio',
  );
  expect(getFolder({ platform: 'linux', env: { LOCALAPPDATA: '/l' } })).toBe(
    '/home/me/.local/state/datamodel-studio',
  );
  expect(getFolder({}, { state: '/named' })).toBe('/named');
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

test('no token is read from a terminal', async () => {
  const shell = createShell({ isInputTerminal: true, readInput: () => Promise.reject(new Error('asked')) });
  const args = createArguments({ url: 'https://host', 'token-stdin': undefined });
  await expect(readInstanceTarget({ args, shell })).rejects.toThrow('from a pipe');
});

test.each([
  ['a terminal', { isOutputTerminal: true, env: { TERM: 'xterm' } }, '\u001b[33mx\u001b[39m\n'],
  ['a file', { isErrorTerminal: true, env: { TERM: 'xterm' } }, 'x\n'],
  ['a terminal without colors', { isOutputTerminal: true, env: { NO_COLOR: '1' } }, 'x\n'],
  ['a terminal that interprets nothing', { isOutputTerminal: true, env: { TERM: 'dumb' } }, 'x\n'],
])('in %s, a line of the result has a color only if colors can be shown there', (_name, overrides, text) => {
  const shell = createShell(overrides);
  createCommandOutput(shell).printLine('x', 'warning');
  expect(shell.data).toEqual([text]);
});
