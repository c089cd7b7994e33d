import { buildTypes, schemaOrigins } from '../contract/terms.ts';
import { fileKindNames } from './prunedKinds.ts';
import { importModeOptions } from './importModes.ts';
import type { Command } from './command.ts';
import {
  instanceOptions,
  projectFolderOption,
  projectOptions,
  formatOption,
  stateOption,
  executeOption,
  confirmOption,
  takeOverOption,
  comparisonOptions,
  deletionOption,
  ignoredErrorsOption,
  datamodelOption,
} from './commandOptions.ts';

const recoveryLockNote =
  "With --project or --environment, the project's lock file is updated after an apply is finished or rolled back.";

/** The options for the connection in examples. */
const exampleConnection = '--url https://analytics.example.com --token-env STUDIO_TOKEN';

/**
 * The kinds of files in a project, as `schema file` names them. A list of its own, since the schemas take long to load.
 */
const projectFileKinds = [
  'settings',
  'environment',
  'datamodel',
  'dataset',
  'table',
  'relation',
  'rules',
  'viewpoint',
  'custom-data',
];

/** All commands. Their implementations are loaded when they run. */
export const commands: readonly Command[] = [
  {
    name: 'doctor',
    summary: 'Test the connection to an instance step by step',
    positionals: [],
    options: [...instanceOptions, formatOption],
    examples: [`doctor ${exampleConnection}`, `doctor ${exampleConnection} --format json`],
    notes: ['Exit codes: 0 no step failed; 1 a step failed; 4 refused.'],
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'rules export',
    summary: 'Write the data security rules of a datamodel as a table',
    positionals: [],
    options: [
      ...projectOptions,
      datamodelOption,
      { name: 'out', valueName: 'FILE', help: 'File to write (default: standard output).' },
      {
        name: 'format',
        valueName: 'FORMAT',
        choices: ['csv', 'tsv', 'json'],
        help: "csv (the default), tsv, or json. json contains the rules in the server's format.",
      },
    ],
    examples: [`rules export ${exampleConnection} --datamodel Retail --out rules.csv`],
    notes: ["Exit codes: 0 done; 3 the rules couldn't be read; 4 refused."],
    load: async () => (await import('./commands/rulesExport.ts')).rulesExport,
  },
  {
    name: 'rules import',
    summary: 'Import data security rules from a CSV or TSV file into a datamodel',
    positionals: [{ name: 'FILE', isRequired: true }],
    options: [
      ...projectOptions,
      datamodelOption,
      {
        name: 'mode',
        valueName: 'MODE',
        choices: importModeOptions,
        isRequired: true,
        help: 'replace-columns: replace the rules on the columns of the file. replace-all: replace all rules of the datamodel. add: add to the existing rules.',
      },
      executeOption,
      confirmOption,
      formatOption,
      stateOption,
    ],
    examples: [
      `rules import rules.csv ${exampleConnection} --datamodel Retail --mode replace-columns`,
      `rules import rules.csv ${exampleConnection} --datamodel Retail --mode replace-columns --execute`,
      'rules import rules.csv --environment prod --token-env STUDIO_TOKEN --datamodel Retail --mode replace-columns --execute --confirm prod',
    ],
    notes: [
      'Without --execute, the command only shows what would change.',
      "Exit codes: 0 done, nothing to do, or only shown; 1 stopped, or the rules still differ; 3 something couldn't be read, or the outcome of a write is unknown; 4 refused, nothing was written.",
    ],
    load: async () => (await import('./commands/rulesImport.ts')).rulesImport,
  },
  {
    name: 'build',
    summary: 'Build or publish a datamodel, and wait for it to finish',
    positionals: [{ name: 'TITLE', isRequired: true }],
    options: [
      ...projectOptions,
      {
        name: 'type',
        valueName: 'TYPE',
        choices: buildTypes,
        help: 'full (the default), by_table, or schema_changes for an extract datamodel; publish (the default) for a live datamodel.',
      },
      {
        name: 'schema-origin',
        valueName: 'ORIGIN',
        choices: schemaOrigins,
        help: 'latest (the default): the current schema, with all changes since the last build. running: the schema of the last successful build.',
      },
      { name: 'row-limit', valueName: 'N', help: 'Import at most N rows from each source: a sample.' },
      { name: 'no-wait', help: 'Start the build without waiting for it to finish.' },
      {
        name: 'timeout',
        valueName: 'TIME',
        help: 'Stop waiting after this time, such as 90s, 30m, or 2h. The build continues.',
      },
      stateOption,
      executeOption,
      confirmOption,
      { ...formatOption, choices: ['text', 'json', 'junit'], help: 'text (the default), json, or junit.' },
    ],
    examples: [
      `build Retail ${exampleConnection} --execute`,
      'build Retail --environment prod --token-env STUDIO_TOKEN --execute --confirm prod',
      `build Retail ${exampleConnection} --type schema_changes --timeout 30m --format junit --execute`,
    ],
    notes: [
      'Without --execute, the command only shows what would be built.',
      'If a change to the datamodel was interrupted, a build is refused until the change is finished, rolled back, or abandoned, except with --schema-origin running.',
      'Ctrl+C stops waiting; the build continues on the server.',
      'Exit codes: 0 done, or only shown; 1 failed; 2 canceled; 3 outcome unknown; 4 refused, nothing was started.',
    ],
    load: async () => (await import('./commands/build.ts')).build,
  },
  {
    name: 'pull',
    summary: 'Bring project files up to date with an instance',
    positionals: [],
    options: [
      ...projectOptions,
      {
        name: 'datamodel',
        valueName: 'TITLE',
        help: 'Pull only the datamodels with this title, and their rules. * matches any characters.',
      },
      {
        name: 'viewpoint',
        valueName: 'NAME',
        help: 'Pull only the viewpoints with this name. * matches any characters.',
      },
      {
        name: 'prune',
        valueName: 'KINDS',
        listChoices: fileKindNames,
        help: `Delete the files of items that the instance no longer has. KINDS is one or more of ${fileKindNames.join(', ')}, separated by commas.`,
      },
      {
        name: 'conflicts',
        valueName: 'SIDE',
        choices: ['report', 'ours', 'theirs'],
        help: "What to do if you and the instance changed the same part: report (the default) leaves the file as it is, ours keeps your version, theirs takes the instance's version.",
      },
      formatOption,
      stateOption,
    ],
    examples: [
      `pull ${exampleConnection}`,
      'pull --environment prod --token-env STUDIO_TOKEN --prune tables,rules',
      'pull --environment prod --token-env STUDIO_TOKEN --datamodel Retail --project ./analytics',
      'pull --environment prod --token-env STUDIO_TOKEN --conflicts theirs',
    ],
    notes: [
      'Nothing is written to the instance. Your changes are kept; what both sides changed is a conflict.',
      "Exit codes: 0 done; 1 a file couldn't be written; 2 conflicts, or items that the project renames weren't pulled; 3 something couldn't be read, or some rules are unknown; 4 refused.",
    ],
    load: async () => (await import('./commands/pull.ts')).pull,
  },
  {
    name: 'validate',
    summary: 'Check project files without an instance',
    positionals: [],
    options: [
      projectFolderOption,
      {
        name: 'changed-since',
        valueName: 'REF',
        help: 'Report only files that have changed in Git since a commit, branch, or tag, and files that depend on them.',
      },
      {
        ...formatOption,
        choices: ['text', 'json', 'sarif', 'junit', 'github'],
        help: 'text (the default), json, sarif for code scanning, junit, or github for GitHub Actions annotations.',
      },
    ],
    examples: [
      'validate',
      'validate --project ./analytics --format sarif',
      'validate --changed-since origin/main --format github',
    ],
    notes: ['Exit codes: 0 no errors; 1 errors; 4 refused.'],
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  {
    name: 'plan',
    summary: 'Show the changes that would make an instance match a project',
    positionals: [],
    options: [
      ...projectOptions,
      ...comparisonOptions,
      deletionOption,
      ignoredErrorsOption,
      {
        name: 'out',
        valueName: 'FILE',
        help: 'Also write the plan to a file, for apply. Always JSON, whatever its name and --format.',
      },
      {
        ...formatOption,
        choices: ['text', 'json', 'markdown', 'github'],
        help: 'text (the default), json, markdown for a comment, or github for annotations.',
      },
      stateOption,
    ],
    examples: [
      'plan --environment prod --token-env STUDIO_TOKEN',
      'plan --environment prod --token-env STUDIO_TOKEN --prune rules,tables --out prod.plan.json',
      'plan --environment prod --token-env STUDIO_TOKEN --format markdown',
    ],
    notes: [
      'Nothing is written to the instance. Without --prune, the plan deletes nothing there.',
      "Exit codes: 0 nothing to change; 2 changes; 3 something couldn't be read; 4 refused, or the plan can't be applied.",
    ],
    load: async () => (await import('./commands/plan.ts')).plan,
  },
  {
    name: 'apply',
    summary: 'Make an instance match a project',
    positionals: [{ name: 'FILE', isRequired: false }],
    options: [
      ...projectOptions,
      ...comparisonOptions,
      deletionOption,
      ignoredErrorsOption,
      executeOption,
      confirmOption,
      formatOption,
      stateOption,
    ],
    examples: [
      'apply --environment test --token-env STUDIO_TOKEN',
      'apply --environment test --token-env STUDIO_TOKEN --execute',
      'apply prod.plan.json --environment prod --token-env STUDIO_TOKEN --execute --confirm prod',
    ],
    notes: [
      'Without --execute, the command only shows the plan. FILE is a plan from plan --out; an outdated plan is refused.',
      'Items that have changed on the server since the last pull, or were never pulled, are overwritten or deleted only if you pass FILE.',
      "Exit codes: 0 done, nothing to do, or only shown; 1 stopped, the instance still differs, or the lock file couldn't be updated; 2 done, but some items need another apply; 3 something couldn't be read, or the outcome of a write is unknown; 4 refused, nothing was written.",
    ],
    load: async () => (await import('./commands/apply.ts')).apply,
  },
  {
    name: 'drift',
    summary: 'Report where an instance differs from a project',
    positionals: [],
    options: [
      ...projectOptions,
      ...comparisonOptions,
      {
        ...formatOption,
        choices: ['text', 'json', 'junit', 'markdown'],
        help: 'text (the default), json, junit, or markdown.',
      },
      stateOption,
    ],
    examples: ['drift --environment prod --token-env STUDIO_TOKEN --format junit'],
    notes: ["Exit codes: 0 no differences; 2 differences; 3 something couldn't be read; 4 refused."],
    load: async () => (await import('./commands/drift.ts')).drift,
  },
  {
    name: 'resume',
    summary: 'Finish an interrupted change; without an ID, list interrupted changes',
    positionals: [{ name: 'ID', isRequired: false }],
    options: [...projectOptions, executeOption, confirmOption, takeOverOption, formatOption, stateOption],
    examples: [
      `resume ${exampleConnection}`,
      'resume 0mxk3f9q2-3b241101-e2bb-4255-8caf-4136c566a962 --environment test --token-env STUDIO_TOKEN --execute',
      `resume 0mxk3f9q2-3b241101-e2bb-4255-8caf-4136c566a962 ${exampleConnection} --execute`,
    ],
    notes: [
      recoveryLockNote,
      "Exit codes: 0 done, or only shown; 1 stopped again, others have since changed items, or the lock file couldn't be updated; 2 done, but some items need another apply; 3 something couldn't be read, or the outcome of a write is unknown; 4 refused.",
    ],
    load: async () => (await import('./commands/resumeAndRollBack.ts')).resumeCommand,
  },
  {
    name: 'roll-back',
    summary: 'Roll back an interrupted change',
    positionals: [{ name: 'ID', isRequired: true }],
    options: [...projectOptions, executeOption, confirmOption, takeOverOption, formatOption, stateOption],
    examples: [`roll-back 0mxk3f9q2-3b241101-e2bb-4255-8caf-4136c566a962 ${exampleConnection} --execute`],
    notes: [
      recoveryLockNote,
      "Exit codes: 0 rolled back, or only shown; 1 stopped again, or the lock file couldn't be updated; 2 rolled back, except for some items or for requests of the change whose outcome is unknown; 3 something couldn't be read, or the outcome of a request of the rollback is unknown; 4 refused.",
    ],
    load: async () => (await import('./commands/resumeAndRollBack.ts')).rollBackCommand,
  },
  {
    name: 'abandon',
    summary: 'Abandon an interrupted change that can be neither finished nor rolled back',
    positionals: [{ name: 'ID', isRequired: true }],
    options: [
      ...projectOptions,
      {
        ...executeOption,
        help: 'Abandon the change. Without this option, the command only shows what the change has written.',
      },
      confirmOption,
      takeOverOption,
      formatOption,
      stateOption,
    ],
    examples: [
      `abandon 0mxk3f9q2-3b241101-e2bb-4255-8caf-4136c566a962 ${exampleConnection}`,
      'abandon 0mxk3f9q2-3b241101-e2bb-4255-8caf-4136c566a962 --environment prod --token-env STUDIO_TOKEN --execute --confirm prod',
    ],
    notes: [
      "What the change has written stays on the instance, the rest isn't sent, and others can change the instance again. The change stays in the History view of the editor, where you can undo what it has written.",
      "With --project or --environment, the project's lock file is updated after an apply is abandoned.",
      "Exit codes: 0 abandoned, or only shown; 1 abandoned, but the lock file couldn't be updated; 3 something couldn't be read; 4 refused.",
    ],
    load: async () => (await import('./commands/abandon.ts')).abandon,
  },
  {
    name: 'schema',
    summary: 'Print the JSON schema of the output of a command, or of a project file',
    positionals: [
      {
        name: 'COMMAND',
        isRequired: true,
        // Without `schema` itself and `completion`, which print no JSON.
        proposals: [
          'doctor',
          'rules',
          'build',
          'pull',
          'validate',
          'plan',
          'apply',
          'drift',
          'resume',
          'roll-back',
          'abandon',
          'error',
          'file',
        ],
      },
      {
        name: 'SUBCOMMAND',
        isRequired: false,
        proposalsAfter: { rules: ['export', 'import'], file: projectFileKinds },
      },
    ],
    options: [],
    examples: ['schema doctor', 'schema rules export', 'schema file table'],
    notes: [
      `schema file KIND prints the schema of a project file: ${projectFileKinds.join(', ')}.`,
      'schema error prints the schema of the error that a refused or failed command prints with --format json.',
    ],
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  {
    name: 'completion',
    summary: 'Print a script that completes commands in a shell',
    positionals: [{ name: 'SHELL', isRequired: true, choices: ['bash', 'zsh', 'fish'] }],
    options: [],
    examples: ['completion bash', 'completion zsh', 'completion fish'],
    notes: [
      'bash: add this line to ~/.bashrc: source <(datamodel-studio completion bash)',
      'zsh: write the script to a file named _datamodel-studio in a folder in $fpath.',
      'fish: write the script to ~/.config/fish/completions/datamodel-studio.fish.',
    ],
    load: async () => (await import('./commands/completion.ts')).createCompletion(commands),
  },
];
