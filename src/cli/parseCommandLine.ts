import { parseArgs } from 'node:util';
import { findClosestNames } from '../base/similarNames.ts';
import { type Arguments, type Command, type Option, programName } from './command.ts';
import { CommandRefusedError } from './exitCodes.ts';

/**
 * A command with its arguments; or a request for the version, or for help, possibly on commands with a common first
 * word.
 */
export type ParsedCommandLine =
  | { readonly kind: 'run'; readonly command: Command; readonly args: Arguments }
  | { readonly kind: 'help'; readonly command: Command | undefined; readonly firstWord?: string }
  | { readonly kind: 'version' };

/** The options of all commands. */
export const globalOptions: readonly Option[] = [
  { name: 'help', help: 'Show this help.' },
  { name: 'version', help: 'Show the version.' },
];

/** The options that also have a short form. */
const shortNames: Readonly<Record<string, string>> = { help: 'h', version: 'v' };

/** Turns `help COMMAND` into `COMMAND --help`. */
const replaceHelpWord = ([first, ...others]: readonly string[]): string[] =>
  first === 'help'
    ? [...others.filter((word) => word !== '--help' && word !== '-h'), '--help']
    : [...(first === undefined ? [] : [first]), ...others];

/**
 * Parses the command line. Messages never repeat an argument other than the name of an option, so that a token among
 * them can't end up in a log.
 * @throws CommandRefusedError that explains what is wrong and what to do instead
 */
export function parseCommandLine(args: readonly string[], commands: readonly Command[]): ParsedCommandLine {
  const words = replaceHelpWord(args);
  const optionsByName = new Map(
    [...commands.flatMap(({ options }) => options), ...globalOptions].map((option) => [option.name, option]),
  );
  const { tokens } = parseArgs({
    args: words,
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      [...optionsByName.values()].map(({ name, valueName }) => [
        name,
        {
          type: valueName === undefined ? ('boolean' as const) : ('string' as const),
          ...(Object.hasOwn(shortNames, name) ? { short: shortNames[name] } : {}),
        },
      ]),
    ),
  });
  refuseTokenOptions(tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])));
  const positionalTexts = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const command = findCommand(positionalTexts, commands);
  const [firstWord = ''] = positionalTexts;
  const isHelpOnGroup =
    command === undefined &&
    positionalTexts.length === 1 &&
    tokens.some((token) => token.kind === 'option' && token.name === 'help') &&
    commands.some(({ name }) => name.startsWith(`${firstWord} `));
  if (command === undefined && positionalTexts.length > 0 && !isHelpOnGroup) {
    // The help itself isn't printed: it is so long that the message above it would scroll out of sight in a terminal.
    throw new CommandRefusedError(describeUnknownCommand(positionalTexts, commands), undefined, [
      `${programName} help lists the commands.`,
    ]);
  }
  const values = new Map<string, string | undefined>();
  for (const token of tokens) {
    if (token.kind !== 'option') {
      continue;
    }
    const option = [...(command?.options ?? []), ...globalOptions].find(({ name }) => name === token.name);
    if (option === undefined || (!token.rawName.startsWith('--') && shortNames[option.name] === undefined)) {
      throw new CommandRefusedError(describeUnknownOption(token, command), command?.name);
    }
    checkValue(option, token, values.has(option.name));
    values.set(option.name, token.value);
  }
  if (values.has('help')) {
    return { kind: 'help', command, ...(isHelpOnGroup ? { firstWord } : {}) };
  }
  if (values.has('version')) {
    return { kind: 'version' };
  }
  if (command === undefined) {
    throw new CommandRefusedError('Missing command.', '');
  }
  const positionals = positionalTexts.slice(command.name.split(' ').length);
  checkArguments(command, positionals, values);
  return {
    kind: 'run',
    command,
    args: { positionals, getValue: (name) => values.get(name), has: (name) => values.has(name) },
  };
}

/** Returns whether arguments, even if they are invalid, request JSON output. */
export const hasJsonFormat = (args: readonly string[]): boolean =>
  args.some(
    (argument, index) =>
      argument === '--format=json' || (argument === 'json' && args[index - 1] === '--format'),
  );

const findCommand = (positionalTexts: readonly string[], commands: readonly Command[]): Command | undefined =>
  commands.find(({ name }) => name.split(' ').every((word, index) => positionalTexts[index] === word));

/** Arguments are visible to others in the process list and in the history of the shell. */
function refuseTokenOptions(names: readonly string[]): void {
  if (names.some((name) => /^(token|api-?token|bearer|password)$/i.test(name))) {
    throw new CommandRefusedError(
      "Other users can see arguments, so a token isn't accepted as one. Use --token-env NAME, --token-file FILE, or --token-stdin. Treat the token that you just passed as exposed.",
    );
  }
}

function describeUnknownCommand(positionalTexts: readonly string[], commands: readonly Command[]): string {
  const [first = '', second = ''] = positionalTexts;
  const names = commands.map(({ name }) => name);
  const [closest] = [...findClosestNames(`${first} ${second}`, names), ...findClosestNames(first, names)];
  if (closest !== undefined) {
    return `Unknown command. Did you mean ${closest}?`;
  }
  const group = names.filter((name) => name.startsWith(`${first} `));
  return group.length === 0 ? 'Unknown command.' : `Unknown command. Expected: ${group.join(' or ')}.`;
}

/** Matches every option, but no token that was passed by mistake: a token is longer, or has digits or capitals. */
const optionPattern = /^--?[a-z][a-z-]{0,15}$/;

function describeUnknownOption(
  { name, rawName }: { readonly name: string; readonly rawName: string },
  command: Command | undefined,
): string {
  const [closest] = findClosestNames(
    name,
    [...(command?.options ?? []), ...globalOptions].map((option) => option.name),
  );
  const option = optionPattern.test(rawName) ? `Unknown option ${rawName}` : 'Unknown option';
  const message = command === undefined ? `${option}.` : `${option} for ${command.name}.`;
  return closest === undefined ? message : `${message} Did you mean --${closest}?`;
}

function checkValue(
  { name, valueName, choices }: Option,
  argument: { readonly value: string | undefined; readonly inlineValue: boolean | undefined },
  isRepeated: boolean,
): void {
  if (isRepeated) {
    throw new CommandRefusedError(`--${name} is specified more than once.`);
  }
  if (valueName === undefined) {
    if (argument.value !== undefined) {
      throw new CommandRefusedError(`--${name} doesn't take a value.`);
    }
    return;
  }
  const { value = '', inlineValue = false } = argument;
  if (value === '' || (!inlineValue && value.startsWith('-'))) {
    throw new CommandRefusedError(`Missing value: --${name} ${valueName}.`);
  }
  if (choices !== undefined && !choices.includes(value)) {
    throw new CommandRefusedError(`Invalid --${name}. Expected: ${choices.join(', ')}.`);
  }
}

function checkArguments(
  { name, positionals, options }: Command,
  positionalValues: readonly string[],
  values: ReadonlyMap<string, unknown>,
): void {
  const missingArguments = [
    ...positionals.filter(({ isRequired }, index) => isRequired && positionalValues[index] === undefined),
    ...options
      .filter((option) => option.isRequired === true && !values.has(option.name))
      .map((option) => ({
        name: `--${option.name} ${option.choices === undefined ? option.valueName : option.choices.join('|')}`,
      })),
  ];
  if (missingArguments.length > 0) {
    throw new CommandRefusedError(
      [
        `Missing: ${missingArguments.map((argument) => argument.name).join(', ')}.`,
        ...(missingArguments.some((argument) => argument.name === 'ID')
          ? ['To list the interrupted changes, run resume without an ID.']
          : []),
      ].join(' '),
      name,
    );
  }
  for (const [index, positional] of positionals.entries()) {
    const value = positionalValues[index];
    if (value !== undefined && positional.choices?.includes(value) === false) {
      throw new CommandRefusedError(
        `Invalid ${positional.name}. Expected: ${positional.choices.join(', ')}.`,
        name,
      );
    }
  }
  if (positionalValues.length > positionals.length) {
    throw new CommandRefusedError('Too many arguments. Quote values that contain spaces.', name);
  }
}
