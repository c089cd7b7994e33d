import { type Command, programName } from '../command.ts';
import {
  getFirstWords,
  getOptions,
  getValueCompletion,
  getValueOptionNames,
  type ValueCompletion,
} from './completionParts.ts';

/**
 * Formats the completion for bash. It needs no other package, and also works in bash 3.2, which macOS includes. The
 * functions of the script set `COMPREPLY`; `cur` is the word at the cursor.
 */
export const formatBashCompletion = (
  commands: readonly Command[],
): string => `# bash completion for ${programName}
_datamodel_studio_words() {
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

_datamodel_studio_list() {
  local IFS=$' \\t\\n' chosen='' values='' value
  [[ $cur == *,* ]] && chosen=\${cur%,*},
  for value in $1; do
    [[ ,$chosen == *,$value,* ]] || values+=" $value"
  done
  COMPREPLY=($(compgen -P "$chosen" -W "$values" -- "\${cur##*,}"))
  compopt -o nospace 2> /dev/null
}

_datamodel_studio_paths() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$cur"))
  compopt -o filenames 2> /dev/null
}

_datamodel_studio_environments() {
  local path names=''
  for path in "$project"/environments/*.json; do
    path=\${path##*/}
    [[ $path == *.lock.json || $path == '*.json' ]] || names+=" \${path%.json}"
  done
  _datamodel_studio_words "$names"
}

_datamodel_studio() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command='' first='' second='' project=.
  local word previous='' i
  # bash splits --option=value and addresses.
  [[ $cur == : || $prev == : ]] && return
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == = ]] && continue
    if [[ $word == : ]]; then
      ((i++))
      continue
    fi
    case $previous in
      ${getValueOptionNames(commands).join(' | ')})
        [[ $previous == --project ]] && project=$word
        previous=''
        continue
        ;;
    esac
    previous=$word
    if [[ $word != -* ]]; then
      if [[ -z $first ]]; then
        first=$word
      elif [[ -z $second ]]; then
        second=$word
      fi
    fi
  done
  case "$first $second" in
${formatCommandCases(commands)}
  esac
  COMPREPLY=()
  case "$command $prev" in
${commands.flatMap(formatValueCases).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case $command in
${commands.map(formatOptionsCase).join('\n')}
      *) _datamodel_studio_words '--help --version' ;;
    esac
    return
  fi
  case $command in
${commands.flatMap(formatPositionalCase).join('\n')}
    '')
      case $first in
        '') _datamodel_studio_words ${quote(join(getFirstWords(commands).map(({ word }) => word)))} ;;
${formatSecondWordCases(commands)}
      esac
      ;;
  esac
}

complete -F _datamodel_studio ${programName}
`;

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const join = (words: readonly string[]): string => words.join(' ');

/** Formats the cases that set `command`: `second` is an argument if the command has only one word. */
const formatCommandCases = (commands: readonly Command[]): string =>
  commands
    .map(
      ({ name }) =>
        `    ${name.includes(' ') ? quote(name) : `${quote(`${name} `)}*`}) command=${quote(name)} ;;`,
    )
    .join('\n');

function formatCompletion(completion: ValueCompletion): string {
  switch (completion.kind) {
    case 'any':
      return ':';
    case 'file':
      return '_datamodel_studio_paths -f';
    case 'folder':
      return '_datamodel_studio_paths -d';
    case 'environment':
      return '_datamodel_studio_environments';
    case 'choice':
      return `_datamodel_studio_words ${quote(join(completion.values))}`;
    case 'list':
      return `_datamodel_studio_list ${quote(join(completion.values))}`;
  }
}

const formatValueCases = ({ name, options }: Command): readonly string[] =>
  options
    .filter(({ valueName }) => valueName !== undefined)
    .map(
      (option) =>
        `    ${quote(`${name} --${option.name}`)}) ${formatCompletion(getValueCompletion(option))}; return ;;`,
    );

const formatOptionsCase = (command: Command): string =>
  `      ${quote(command.name)}) _datamodel_studio_words ${quote(join(getOptions(command).map(({ name }) => `--${name}`)))} ;;`;

/** Only commands of one word have a second argument that can be completed, so `second` is their first argument. */
function formatPositionalCase({ name, positionals: [positional, next] }: Command): readonly string[] {
  if (positional === undefined) {
    return [];
  }
  const completion = formatCompletion(getValueCompletion(positional));
  if (next?.proposalsAfter === undefined) {
    return [`    ${quote(name)}) ${completion} ;;`];
  }
  return [
    `    ${quote(name)})`,
    '      case $second in',
    `        '') ${completion} ;;`,
    ...Object.entries(next.proposalsAfter).map(
      ([value, proposals]) =>
        `        ${quote(value)}) ${formatCompletion({ kind: 'choice', values: proposals })} ;;`,
    ),
    '      esac',
    '      ;;',
  ];
}

const formatSecondWordCases = (commands: readonly Command[]): string =>
  getFirstWords(commands)
    .filter(({ word, commands: group }) => group.every(({ name }) => name !== word))
    .map(
      ({ word, commands: group }) =>
        `        ${quote(word)}) _datamodel_studio_words ${quote(join(group.map(({ name }) => name.slice(word.length + 1))))} ;;`,
    )
    .join('\n');
