import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/cli/commands.ts';
import { CommandRefusedError } from '../../../src/cli/exitCodes.ts';
import { formatHelp } from '../../../src/cli/help.ts';
import { parseCommandLine } from '../../../src/cli/parseCommandLine.ts';
import { conflictSides } from '../../../src/project/pull/mergeItem.ts';

const parse = (...args: readonly string[]) => parseCommandLine(args, commands);

function getRefusal(...args: readonly string[]): string {
  try {
    parse(...args);
  } catch (error) {
    if (error instanceof CommandRefusedError) {
      return error.message;
    }
    throw error;
  }
  throw new Error('It was not refused');
}

const target = ['--url', 'https://a', '--token-env', 'T'] as const;
const importOptions = [...target, '--datamodel', 'Retail', '--mode', 'add'] as const;

describe('a command', () => {
  test('has its words first, and options in any order and either form', () => {
    const parsed = parse('rules', 'import', '--execute', ...importOptions, 'my file.csv', '--state=/tmp/x');
    expect(parsed).toMatchObject({ kind: 'run', command: { name: 'rules import' } });
    if (parsed.kind !== 'run') {
      throw new Error('It is a command');
    }
    const { args } = parsed;
    expect(args.positionals).toEqual(['my file.csv']);
    expect(args.getValue('mode')).toBe('add');
    expect(args.getValue('state')).toBe('/tmp/x');
    expect([args.has('execute'), args.has('ca')]).toEqual([true, false]);
  });

  test('rejects --execute with a value or a negation', () => {
    expect(getRefusal('rules', 'import', 'f', ...importOptions, '--execute=false')).toBe(
      "--execute doesn't take a value.",
    );
    expect(getRefusal('rules', 'import', 'f', ...importOptions, '--no-execute')).toContain('Unknown option');
  });

  test.each([
    [[], 'Missing command.'],
    [['rules'], 'Unknown command. Expected: rules export or rules import.'],
    [['rules', 'foo'], 'Unknown command. Expected: rules export or rules import.'],
    [['rules', 'exprot'], 'Unknown command. Did you mean rules export?'],
    [['rulez', 'import'], 'Unknown command. Did you mean rules import?'],
    [['validat', '--format', 'json'], 'Unknown command. Did you mean validate?'],
    [['nonsense', '--help'], 'Unknown command.'],
    [['doctor'], 'Missing: --url URL.'],
    [['rules', 'import', ...importOptions], 'Missing: FILE.'],
    [
      ['abandon', '--url', 'http://localhost', '--token-stdin'],
      'Missing: ID. To list the interrupted changes, run resume without an ID.',
    ],
    [
      ['rules', 'import', 'f', ...target],
      'Missing: --datamodel TITLE, --mode replace-columns|replace-all|add.',
    ],
    [
      ['rules', 'import', 'f', 'g', ...importOptions],
      'Too many arguments. Quote values that contain spaces.',
    ],
    [['rules', 'import', 'f', ...importOptions, '--mode', 'add'], '--mode is specified more than once.'],
    [['doctor', '--url', 'https://a', '--format', 'xml'], 'Invalid --format. Expected: text, json.'],
    [['doctor', '--url', '--token-stdin'], 'Missing value: --url URL.'],
    [['doctor', '--url'], 'Missing value: --url URL.'],
    [['doctor', '--url='], 'Missing value: --url URL.'],
    [['doctor', '--ulr', 'https://a'], 'Unknown option --ulr for doctor. Did you mean --url?'],
    [['doctor', '--execute', ...target], 'Unknown option --execute for doctor.'],
    [['doctor', '-x', ...target], 'Unknown option -x for doctor.'],
    [['--nope=s3cret'], 'Unknown option --nope.'],
    // These may be tokens.
    [['doctor', '--a-token-that-no-one-may-see', ...target], 'Unknown option for doctor.'],
    [['doctor', '--s3cret', ...target], 'Unknown option for doctor.'],
  ])('%j is rejected', (args, message) => {
    expect(getRefusal(...args)).toBe(message);
  });

  test.each(['--token', '--TOKEN', '--api-token', '--apitoken', '--bearer', '--password'])(
    'a token as an argument (%s) is rejected with the alternative, before any other error',
    (option) => {
      for (const args of [[option, 's3cret'], [`${option}=s3cret`]]) {
        const message = getRefusal('doctor', ...args);
        expect(message).toContain('--token-env NAME, --token-file FILE, or --token-stdin');
        expect(message).not.toContain('s3cret');
      }
    },
  );
});

describe('help', () => {
  test('describes the program and each command, even if arguments are missing', () => {
    expect(parse('--help')).toEqual({ kind: 'help', command: undefined });
    expect(parse('rules', '--help')).toEqual({ kind: 'help', command: undefined, firstWord: 'rules' });
    expect(formatHelp(undefined, 'rules').split('\n').slice(0, 6)).toEqual([
      'Usage: datamodel-studio rules COMMAND [options]',
      '',
      'Commands:',
      '  rules export  Write the data security rules of a datamodel as a table',
      '  rules import  Import data security rules from a CSV or TSV file into a datamodel',
      '',
    ]);
    expect(parse('-h')).toEqual(parse('--help'));
    expect(parse('rules', '-h')).toEqual(parse('rules', '--help'));
    expect(parse('pull', '-h')).toEqual(parse('pull', '--help'));
    expect(parse('help')).toEqual(parse('--help'));
    expect(parse('help', '--help')).toEqual(parse('--help'));
    expect(parse('help', 'pull')).toEqual(parse('pull', '--help'));
    expect(parse('help', 'rules')).toEqual(parse('rules', '--help'));
    expect(parse('help', 'rules', 'import')).toEqual(parse('rules', 'import', '--help'));
    expect(getRefusal('help', 'pul')).toBe('Unknown command. Did you mean pull?');
    expect(parse('rules', 'import', 'help', ...importOptions)).toMatchObject({ kind: 'run' });
    expect(getRefusal('rules')).toContain('Unknown command.');
    expect(getRefusal('rules', 'x', '--help')).toContain('Unknown command.');
    expect(parse('rules', 'import', '--help')).toMatchObject({
      kind: 'help',
      command: { name: 'rules import' },
    });
    expect(parse('--version')).toEqual({ kind: 'version' });
    expect(parse('-v')).toEqual({ kind: 'version' });
    for (const { name } of commands) {
      expect(formatHelp(undefined)).toContain(name);
    }
  });

  test('lists each option with its purpose', () => {
    for (const command of commands) {
      const text = formatHelp(command);
      for (const option of command.options) {
        expect(text).toContain(`--${option.name}`);
        expect(text).toContain(option.help);
      }
    }
  });
});

test('--conflicts has a choice for each side', () => {
  const options = commands.find(({ name }) => name === 'pull')?.options;
  expect(options?.find(({ name }) => name === 'conflicts')?.choices).toEqual(['report', ...conflictSides]);
});

describe('examples', () => {
  test.each(commands.flatMap(({ name, examples }) => examples.map((example) => [name, example] as const)))(
    'of the command %s can be parsed: %s',
    (name, example) => {
      expect(parse(...example.split(' '))).toMatchObject({ kind: 'run', command: { name } });
    },
  );

  test('exist for each command, and its help shows the first', () => {
    for (const command of commands) {
      expect(command.examples).not.toEqual([]);
      expect(formatHelp(command)).toContain(`datamodel-studio ${command.examples[0]}`);
    }
  });
});

test('no command name begins with that of another, so that only one command matches', () => {
  const names = commands.map(({ name }) => name);
  expect(
    names.filter((name) => names.some((other) => other !== name && name.startsWith(`${other} `))),
  ).toEqual([]);
});
