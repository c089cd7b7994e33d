import { type Command, type Option, programName } from '../command.ts';
import { getFirstWords, getOptions, getValueCompletion, type ValueCompletion } from './completionParts.ts';

/** Formats the completion for zsh, to be sourced or saved as `_datamodel-studio` in a folder of `$fpath`. */
export const formatZshCompletion = (commands: readonly Command[]): string => `#compdef ${programName}

_datamodel_studio_environments() {
  local project=\${opt_args[--project]:-.}
  local -a names
  names=(\${(Q)project}/environments/*.json(N:t:r))
  names=(\${names:#*.lock})
  _describe -t environments environment names
}

${commands.map(formatCommandFunction).join('\n')}
${getFirstWords(commands)
  .filter(({ word, commands: group }) => group.every(({ name }) => name !== word))
  .map(({ word, commands: group }) =>
    formatDispatcher(
      getFunctionName(word),
      group.map((command) => ({
        word: command.name.slice(word.length + 1),
        summary: command.summary,
        functionName: getFunctionName(command.name),
      })),
    ),
  )
  .join('')}${formatDispatcher(
  '_datamodel_studio',
  getFirstWords(commands).map(({ word, summary }) => ({
    word,
    summary,
    functionName: getFunctionName(word),
  })),
)}if [[ $funcstack[1] == _${programName} ]]; then
  _datamodel_studio "$@"
else
  compdef _datamodel_studio ${programName}
fi
`;

const getFunctionName = (name: string): string => `_datamodel_studio_${name.replaceAll(/[ -]/g, '_')}`;

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Escapes a text in an argument of `_arguments` or `_describe`. */
const escape = (text: string): string => text.replaceAll(/[\\:[\]]/g, '\\$&');

interface Branch {
  readonly word: string;
  readonly summary: string;
  readonly functionName: string;
}

/** Formats a function that completes a word, and calls the function of that word for the words after it. */
const formatDispatcher = (functionName: string, branches: readonly Branch[]): string => `${functionName}() {
  local curcontext=$curcontext state line
  local -A opt_args
  local -a commands
  commands=(
${branches.map(({ word, summary }) => `    ${quote(`${word}:${escape(summary)}`)}`).join('\n')}
  )
  _arguments -C '--help[Show this help.]' '--version[Show the version.]' '1: :->command' '*:: :->arguments'
  case $state in
    command) _describe -t commands command commands ;;
    arguments)
      case $words[1] in
${branches.map((branch) => `        ${branch.word}) ${branch.functionName} ;;`).join('\n')}
      esac
      ;;
  esac
}

`;

function formatCommandFunction(command: Command): string {
  const specs = [
    ...getOptions(command).map(formatOption),
    ...command.positionals.map(
      (positional) => `:${positional.name}:${formatAction(getValueCompletion(positional))}`,
    ),
  ];
  return `${getFunctionName(command.name)}() {
  local -A opt_args
  _arguments ${specs.map((spec) => `\\\n    ${quote(spec)}`).join(' ')}
}
`;
}

const formatOption = (option: Option): string =>
  option.valueName === undefined
    ? `--${option.name}[${escape(option.help)}]`
    : `--${option.name}=[${escape(option.help)}]:${option.valueName}:${formatAction(getValueCompletion(option))}`;

function formatAction(completion: ValueCompletion): string {
  switch (completion.kind) {
    case 'any':
      return ' ';
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'environment':
      return '_datamodel_studio_environments';
    case 'choice':
      return `(${completion.values.map((value) => value.replaceAll(' ', '\\ ')).join(' ')})`;
    case 'list':
      return `_values -s , value ${completion.values.join(' ')}`;
  }
}
