import { describe, expect, test } from 'vitest';
import type { Command } from '../../../src/cli/command.ts';
import { outputSchemas } from '../../../src/cli/outputSchemas.ts';
import { commands } from '../../../src/cli/commands.ts';
import { formatBashCompletion } from '../../../src/cli/completion/bash.ts';
import { formatFishCompletion } from '../../../src/cli/completion/fish.ts';
import { createPortableProjectSchemas } from '../../../src/packaging/schemas/projectDocuments.ts';
import { withHelpCommands } from '../../../src/cli/completion/completionParts.ts';
import { formatZshCompletion } from '../../../src/cli/completion/zsh.ts';

const load = () => Promise.reject(new Error('Nothing runs'));

const examples: readonly Command[] = [
  {
    name: 'check',
    summary: "Check [a] file's rules: all",
    positionals: [{ name: 'FILE', isRequired: true }],
    options: [
      { name: 'format', valueName: 'FORMAT', choices: ['text', 'json'], help: "It's the form: [text]." },
      { name: 'kinds', valueName: 'KINDS', listChoices: ['a', 'b'], help: 'Kinds.' },
      { name: 'environment', valueName: 'NAME', help: 'Environment.' },
      { name: 'state', valueName: 'DIR', help: 'Folder.' },
      { name: 'url', valueName: 'URL', help: 'Address.' },
      { name: 'execute', help: 'Write.' },
    ],
    examples: [],
    load,
  },
  { name: 'set up', summary: 'Set up', positionals: [], options: [], examples: [], load },
  { name: 'set down', summary: 'Set down', positionals: [], options: [], examples: [], load },
];

test('help accepts the first words of all commands', () => {
  expect(
    withHelpCommands(examples)
      .slice(examples.length)
      .map(({ name, summary }) => [name, summary]),
  ).toEqual([
    ['help check', "Check [a] file's rules: all"],
    ['help set', 'up or down'],
  ]);
  expect(formatBashCompletion(withHelpCommands(examples)).split('\n')).toContain(
    "        'help') _datamodel_studio_words 'check set' ;;",
  );
  expect(formatFishCompletion(withHelpCommands(examples))).toContain(
    "-n '__datamodel_studio_is help' -a 'set' -d 'up or down'\n",
  );
});

test('--confirm is completed with the names of environments, and an argument of any value with its proposals', () => {
  const confirm = { name: 'confirm', valueName: 'NAME', help: 'Confirm.' };
  const positionals = [{ name: 'COMMAND', isRequired: true, proposals: ['a', 'b'] }];
  const script = formatBashCompletion([
    { name: 'check', summary: '', positionals, options: [confirm], examples: [], load },
  ]);
  expect(script).toContain("    'check --confirm') _datamodel_studio_environments; return ;;");
  expect(script).toContain("    'check') _datamodel_studio_words 'a b' ;;");
});

test('the argument of the command schema is completed with everything that it can print', () => {
  const proposals = commands.find(({ name }) => name === 'schema')?.positionals[0]?.proposals;
  const firstWords = Object.keys(outputSchemas).map((name) => name.split(' ')[0]);
  expect(new Set(proposals)).toEqual(new Set([...firstWords, 'error', 'file']));
  const { rules, file } =
    commands.find(({ name }) => name === 'schema')?.positionals[1]?.proposalsAfter ?? {};
  expect(rules?.map((word) => `rules ${word}`)).toEqual(
    Object.keys(outputSchemas).filter((name) => name.startsWith('rules ')),
  );
  expect(new Set(file)).toEqual(new Set(Object.keys(createPortableProjectSchemas())));
  expect(formatFishCompletion(commands).split('\n')).toContain(
    "complete -c datamodel-studio -n '__datamodel_studio_is schema rules' -f -a 'export import'",
  );
});

describe.each([
  ['bash', formatBashCompletion],
  ['zsh', formatZshCompletion],
  ['fish', formatFishCompletion],
])('the completion for %s', (_shell, format) => {
  test('has all commands, options, and values', () => {
    const script = format(commands);
    for (const { name, options } of commands) {
      for (const word of name.split(' ')) {
        expect(script).toContain(word);
      }
      for (const { name: option, choices = [], listChoices = [] } of options) {
        expect(script).toMatch(new RegExp(`(?:--|-l )${option}\\b`));
        for (const choice of [...choices, ...listChoices]) {
          expect(script).toContain(choice);
        }
      }
    }
  });

  test('is plain text that ends with one line break', () => {
    expect(format(commands)).toMatch(/^[\n\x20-\x7e]*[^\n]\n$/);
  });
});

test('the completion for zsh escapes texts, and completes each kind of value', () => {
  const script = formatZshCompletion(examples);
  for (const line of [
    String.raw`    'check:Check \[a\] file'\''s rules\: all'`,
    "    'set:up or down'",
    String.raw`    '--format=[It'\''s the form\: \[text\].]:FORMAT:(text json)' \ `.trimEnd(),
    String.raw`    '--kinds=[Kinds.]:KINDS:_values -s , value a b' \ `.trimEnd(),
    String.raw`    '--environment=[Environment.]:NAME:_datamodel_studio_environments' \ `.trimEnd(),
    String.raw`    '--state=[Folder.]:DIR:_files -/' \ `.trimEnd(),
    String.raw`    '--url=[Address.]:URL: ' \ `.trimEnd(),
    String.raw`    '--execute[Write.]' \ `.trimEnd(),
    "    ':FILE:_files'",
    '        set) _datamodel_studio_set ;;',
    '        up) _datamodel_studio_set_up ;;',
  ]) {
    expect(script.split('\n')).toContain(line);
  }
});

test('the completion for fish escapes texts, and completes each kind of value', () => {
  const script = formatFishCompletion(examples);
  const checkOptionPrefix = "complete -c datamodel-studio -n '__datamodel_studio_follows check'";
  for (const line of [
    String.raw`complete -c datamodel-studio -n '__datamodel_studio_is' -a 'check' -d 'Check [a] file\'s rules: all'`,
    "complete -c datamodel-studio -n '__datamodel_studio_is' -a 'set' -d 'up or down'",
    "complete -c datamodel-studio -n '__datamodel_studio_is set' -a 'up' -d 'Set up'",
    String.raw`${checkOptionPrefix} -l format -r -f -a 'text json' -d 'It\'s the form: [text].'`,
    `${checkOptionPrefix} -l kinds -r -f -a '(__datamodel_studio_list a b)' -d 'Kinds.'`,
    `${checkOptionPrefix} -l environment -r -f -a '(__datamodel_studio_environments)' -d 'Environment.'`,
    `${checkOptionPrefix} -l state -r -f -a '(__fish_complete_directories)' -d 'Folder.'`,
    `${checkOptionPrefix} -l url -r -f -d 'Address.'`,
    `${checkOptionPrefix} -l execute -d 'Write.'`,
    `${checkOptionPrefix} -F`,
  ]) {
    expect(script.split('\n')).toContain(line);
  }
});
