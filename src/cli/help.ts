import { type Command, type Option, programName } from './command.ts';
import { commands } from './commands.ts';

/** Formats the usage of a command in one line. */
export const formatUsage = ({ name, positionals, options }: Command): string =>
  [
    programName,
    name,
    ...positionals.map((argument) =>
      argument.isRequired ? (argument.choices?.join('|') ?? argument.name) : `[${argument.name}]`,
    ),
    ...options.filter(({ isRequired }) => isRequired === true).map(formatUsageOption),
    ...(options.length > 0 ? ['[options]'] : []),
  ].join(' ');

/** Formats an option with its choices, for the usage. */
const formatUsageOption = ({ name, valueName, choices }: Option): string =>
  valueName === undefined ? `--${name}` : `--${name} ${choices?.join('|') ?? valueName}`;

/**
 * Formats the help of a command, or of the program.
 * @param firstWord limits the help of the program to the commands that begin with this word
 */
export function formatHelp(command: Command | undefined, firstWord?: string): string {
  if (command === undefined) {
    const listed =
      firstWord === undefined ? commands : commands.filter(({ name }) => name.startsWith(`${firstWord} `));
    return [
      `Usage: ${programName} ${firstWord === undefined ? '' : `${firstWord} `}COMMAND [options]`,
      '',
      'Commands:',
      ...formatColumns(listed.map(({ name, summary }) => [name, summary])),
      '',
      `${programName} help COMMAND shows the options of a command, and ${programName} --version shows the version.`,
      'Pass the API token in an environment variable, a file, or standard input, never as an argument.',
      "Exit codes: 0 done, no differences, or only shown; 1 failed; 2 differences, conflicts, only partly done, or canceled; 3 something couldn't be read, or the outcome is unknown; 4 refused. The help of each command has details.",
    ].join('\n');
  }
  const { summary, options, examples, notes = [] } = command;
  return [
    `Usage: ${formatUsage(command)}`,
    '',
    `${summary}.`,
    ...(options.length === 0
      ? []
      : [
          '',
          'Options:',
          ...formatColumns(options.map((option) => [formatListedOption(option), option.help])),
        ]),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    '',
    'Examples:',
    ...examples.map((example) => `  ${programName} ${example}`),
  ].join('\n');
}

/** Formats an option for the list of options, whose help texts name the choices. */
const formatListedOption = ({ name, valueName }: Option): string =>
  `--${name}${valueName === undefined ? '' : ` ${valueName}`}`;

function formatColumns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([head]) => head.length));
  return rows.map(([head, text]) => `  ${head.padEnd(width)}  ${text}`);
}
