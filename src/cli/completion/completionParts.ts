import type { Command, Option, Positional } from '../command.ts';
import { globalOptions } from '../parseCommandLine.ts';

/** How a shell completes a value. */
export type ValueCompletion =
  | { readonly kind: 'any' | 'file' | 'folder' | 'environment' }
  /** `list`: several values, separated by commas. */
  | { readonly kind: 'choice' | 'list'; readonly values: readonly string[] };

/** Returns how the value of an option or argument is completed. */
export function getValueCompletion(value: Partial<Option> | Positional): ValueCompletion {
  const choices = value.choices ?? ('proposals' in value ? value.proposals : undefined);
  if (choices !== undefined) {
    return { kind: 'choice', values: choices };
  }
  if ('listChoices' in value && value.listChoices !== undefined) {
    return { kind: 'list', values: value.listChoices };
  }
  const label = 'valueName' in value ? value.valueName : value.name;
  if (label === 'FILE' || label === 'DIR') {
    return { kind: label === 'FILE' ? 'file' : 'folder' };
  }
  // The value of `--confirm` is the name of an environment.
  return { kind: value.name === 'environment' || value.name === 'confirm' ? 'environment' : 'any' };
}

/** Adds `help COMMAND` for each first word of a command: the parser accepts it although it isn't a command. */
export const withHelpCommands = (commands: readonly Command[]): readonly Command[] => [
  ...commands,
  ...getFirstWords(commands).map(({ word, summary, commands: [command] }) => ({
    name: `help ${word}`,
    summary,
    positionals: [],
    options: [],
    examples: [],
    load: command?.load ?? (() => Promise.reject(new Error('Help has no implementation'))),
  })),
];

/** Returns the options of a command, including the global ones. */
export const getOptions = ({ options }: Command): readonly Option[] => [...options, ...globalOptions];

/** Returns the options that have a value, as typed on the command line. */
export const getValueOptionNames = (commands: readonly Command[]): readonly string[] =>
  [
    ...new Set(
      commands.flatMap(({ options }) =>
        options.filter(({ valueName }) => valueName !== undefined).map(({ name }) => `--${name}`),
      ),
    ),
  ].toSorted();

/** The first word of a command, which several commands may share, such as `rules`. */
export interface FirstWord {
  readonly word: string;
  readonly summary: string;
  /** The commands that begin with the word; only one if the word is a command itself. */
  readonly commands: readonly Command[];
}

/** Returns the first words of the commands. */
export const getFirstWords = (commands: readonly Command[]): readonly FirstWord[] =>
  [...Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? '')].map(([word, group]) => ({
    word,
    summary:
      group.length === 1 && group[0]?.name === word
        ? group[0].summary
        : group.map(({ name }) => name.slice(word.length + 1)).join(' or '),
    commands: group,
  }));
