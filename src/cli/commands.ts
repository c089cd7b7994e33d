import { importModes } from './importModes.ts';
import type { Command, Option } from './command.ts';

const instance: readonly Option[] = [
  { name: 'url', value: 'URL', isRequired: true, help: 'Address of the instance. Its role is development.' },
  { name: 'token-env', value: 'NAME', help: 'Environment variable that holds the API token.' },
  { name: 'token-stdin', help: 'Read the API token from standard input.' },
  { name: 'token-file', value: 'FILE', help: 'File that holds the API token.' },
  { name: 'tenant', value: 'ID', help: 'Tenant, where the instance has several.' },
  { name: 'ca', value: 'FILE', help: 'Certificates of further authorities, as PEM.' },
];

const textOrJson: Option = {
  name: 'format',
  value: 'FORMAT',
  choices: ['text', 'json'],
  help: 'text (the default) or json.',
};

const state: Option = {
  name: 'state',
  value: 'DIR',
  help: 'Folder of the journals (default: $XDG_STATE_HOME/datamodel-studio or %LOCALAPPDATA%).',
};

const execute: Option = { name: 'execute', help: 'Write to the server. Without it, nothing is written.' };

const datamodel: Option = {
  name: 'datamodel',
  value: 'TITLE',
  isRequired: true,
  help: 'Title of the datamodel.',
};

/** All commands. Their implementations are loaded when they run. */
export const commands: readonly Command[] = [
  {
    name: 'doctor',
    summary: 'Test the connection to an instance step by step',
    positionals: [],
    options: [...instance, textOrJson],
    notes: ['Exit codes: 0 no step failed; 1 a step failed; 4 refused.'],
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'rules export',
    summary: 'Write the data security rules of a datamodel as a table',
    positionals: [],
    options: [
      ...instance,
      datamodel,
      { name: 'out', value: 'FILE', help: 'File to write (default: standard output).' },
      {
        name: 'format',
        value: 'FORMAT',
        choices: ['csv', 'tsv', 'json'],
        help: 'csv (the default), tsv or json. json has the rules as the server has them.',
      },
    ],
    notes: ['Exit codes: 0 done; 3 the rules could not be read; 4 refused.'],
    load: async () => (await import('./commands/rulesExport.ts')).rulesExport,
  },
  {
    name: 'rules import',
    summary: 'Change the data security rules of a datamodel to those of a CSV or TSV file',
    positionals: [{ name: 'FILE', isRequired: true }],
    options: [
      ...instance,
      datamodel,
      {
        name: 'mode',
        value: 'MODE',
        choices: importModes,
        isRequired: true,
        help: 'replace-columns: replace the rules on the columns of the file. replace-all: replace all rules of the datamodel. add: add to the existing rules.',
      },
      execute,
      textOrJson,
      state,
    ],
    notes: [
      'Without --execute, it shows what would change.',
      'Exit codes: 0 done, nothing to do, or shown; 1 stopped on the way; 3 could not be read, or what became of a write is not known; 4 refused, nothing was written.',
    ],
    load: async () => (await import('./commands/rulesImport.ts')).rulesImport,
  },
  {
    name: 'resume',
    summary: 'Finish a change that was interrupted; without ID, list them',
    positionals: [{ name: 'ID', isRequired: false }],
    options: [...instance, execute, textOrJson, state],
    notes: ['Exit codes: 0 done, or shown; 1 stopped again; 3 could not be read; 4 refused.'],
    load: async () => (await import('./commands/interrupted.ts')).resumeCommand,
  },
  {
    name: 'roll-back',
    summary: 'Undo what an interrupted change has done',
    positionals: [{ name: 'ID', isRequired: true }],
    options: [...instance, execute, textOrJson, state],
    notes: ['Exit codes: 0 done, or shown; 1 stopped again; 3 could not be read; 4 refused.'],
    load: async () => (await import('./commands/interrupted.ts')).rollBackCommand,
  },
  {
    name: 'schema',
    summary: 'Print the JSON schema of the output of a command',
    positionals: [{ name: 'COMMAND', isRequired: true }],
    options: [],
    load: async () => (await import('./commands/schema.ts')).schema,
  },
];
