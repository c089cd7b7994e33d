import type { Command, Option } from './command.ts';
import { commands } from './commands.ts';

const program = 'datamodel-studio';

/** How a command is called, in one line. */
export const usageOf = ({ name, positionals, options }: Command): string =>
  [
    program,
    name,
    ...positionals.map((each) => (each.isRequired ? each.name : `[${each.name}]`)),
    ...options.filter(({ isRequired }) => isRequired === true).map(optionText),
    ...(options.length > 0 ? ['[options]'] : []),
  ].join(' ');

const optionText = ({ name, value, choices }: Option): string =>
  value === undefined ? `--${name}` : `--${name} ${choices?.join('|') ?? value}`;

/** The help of a command, or of the program. */
export function helpText(command: Command | undefined): string {
  if (command === undefined) {
    return [
      `Usage: ${program} COMMAND [options]`,
      '',
      'Commands:',
      ...columns(commands.map(({ name, summary }) => [name, summary])),
      '',
      `${program} COMMAND --help shows the options of a command.`,
      'The API token comes from an environment variable, a file or standard input, never as an argument.',
      'Exit codes: 0 done or same; 1 failed; 2 differs; 3 unknown; 4 refused.',
    ].join('\n');
  }
  const { summary, options, notes = [] } = command;
  return [
    `Usage: ${usageOf(command)}`,
    '',
    `${summary}.`,
    ...(options.length === 0
      ? []
      : ['', 'Options:', ...columns(options.map((each) => [optionHead(each), each.help]))]),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ].join('\n');
}

const optionHead = ({ name, value }: Option): string => `--${name}${value === undefined ? '' : ` ${value}`}`;

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([head]) => head.length));
  return rows.map(([head, text]) => `  ${head.padEnd(width)}  ${text}`);
}
