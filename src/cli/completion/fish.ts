import { type Command, type Option, programName } from '../command.ts';
import {
  getFirstWords,
  getOptions,
  getValueCompletion,
  getValueOptionNames,
  type ValueCompletion,
} from './completionParts.ts';

/** Formats the completion for fish. */
export const formatFishCompletion = (
  commands: readonly Command[],
): string => `# fish completion for ${programName}
function __datamodel_studio_words -d 'Prints the words before the cursor that are not options'
    set -l previous ''
    for word in (commandline -opc)[2..]
        if contains -- $previous ${join(getValueOptionNames(commands))}
            set previous ''
            continue
        end
        set previous $word
        string match -q -- '-*' $word; or echo $word
    end
end

function __datamodel_studio_follows -d 'True if the words before the cursor begin with these'
    set -l words (__datamodel_studio_words)
    set -l length (count $argv)
    test (count $words) -ge $length; and test "$words[1..$length]" = "$argv"
end

function __datamodel_studio_is -d 'True if the words before the cursor are these'
    set -l words (__datamodel_studio_words)
    test "$words" = "$argv"
end

function __datamodel_studio_environments -d 'Prints the environments of the project'
    set -l project .
    set -l words (commandline -opc)
    for index in (seq (count $words))
        if test $words[$index] = --project; and set -q words[(math $index + 1)]
            set project $words[(math $index + 1)]
        else if string match -q -- '--project=*' $words[$index]
            set project (string replace -- '--project=' '' $words[$index])
        end
    end
    for path in $project/environments/*.json
        string match -q -- '*.lock.json' $path; or string replace -r -f '^.*/([^/]*)\\.json$' '$1' $path
    end
end

function __datamodel_studio_list -d 'Completes a list with commas'
    set -l chosen (commandline -ct | string replace -r -f '^(?:--[^=]*=)?(.*,)[^,]*$' '$1')
    for value in $argv
        string match -q -- "*,$value,*" ",$chosen"; or echo "$chosen$value"
    end
end

complete -c ${programName} -f
complete -c ${programName} -l help -d 'Show this help.'
complete -c ${programName} -l version -d 'Show the version.'
${[...formatCommandNameLines(commands), ...commands.flatMap(formatCommandLines)].join('\n')}
`;

const join = (words: readonly string[]): string => words.join(' ');

const quote = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

const formatCommandNameLines = (commands: readonly Command[]): readonly string[] =>
  getFirstWords(commands).flatMap(({ word, summary, commands: group }) => [
    formatArgumentLine('__datamodel_studio_is', [word], summary),
    ...group
      .filter(({ name }) => name !== word)
      .map(({ name, summary: text }) =>
        formatArgumentLine(`__datamodel_studio_is ${word}`, [name.slice(word.length + 1)], text),
      ),
  ]);

const formatArgumentLine = (condition: string, values: readonly string[], summary: string): string =>
  `complete -c ${programName} -n ${quote(condition)} -a ${quote(join(values))} -d ${quote(summary)}`;

function formatCommandLines(command: Command): readonly string[] {
  const condition = `__datamodel_studio_follows ${command.name}`;
  const [positional, next] = command.positionals;
  const completion = positional === undefined ? undefined : getValueCompletion(positional);
  return [
    ...getOptions(command)
      .filter(({ name }) => name !== 'help' && name !== 'version')
      .map((option) => formatOptionLine(condition, option)),
    ...(completion === undefined || completion.kind === 'any'
      ? []
      : [
          `complete -c ${programName} -n ${quote(next?.proposalsAfter === undefined ? condition : `__datamodel_studio_is ${command.name}`)} ${formatValue(completion)}`,
        ]),
    ...Object.entries(next?.proposalsAfter ?? {}).map(
      ([value, proposals]) =>
        `complete -c ${programName} -n ${quote(`__datamodel_studio_is ${command.name} ${value}`)} ${formatValue({ kind: 'choice', values: proposals })}`,
    ),
  ];
}

const formatOptionLine = (condition: string, option: Option): string =>
  [
    `complete -c ${programName} -n ${quote(condition)} -l ${option.name}`,
    ...(option.valueName === undefined ? [] : ['-r', formatValue(getValueCompletion(option))]),
    `-d ${quote(option.help)}`,
  ].join(' ');

function formatValue(completion: ValueCompletion): string {
  switch (completion.kind) {
    case 'any':
      return '-f';
    case 'file':
      return '-F';
    case 'folder':
      return "-f -a '(__fish_complete_directories)'";
    case 'environment':
      return "-f -a '(__datamodel_studio_environments)'";
    case 'choice':
      return `-f -a ${quote(join(completion.values.map((value) => (value.includes(' ') ? `"${value}"` : value))))}`;
    case 'list':
      return `-f -a ${quote(`(__datamodel_studio_list ${join(completion.values)})`)}`;
  }
}
