import { isSameAddress } from '../base/sameAddress.ts';
import { readTenantConnectionId } from '../catalog/tenantConnection.ts';
import type { HistoryEntry } from '../changes/journal/entry.ts';
import { defaultEnvironmentName } from '../project/settings/projectSettings.ts';
import { type Arguments, programName } from './command.ts';
import type { InstanceTarget } from './target.ts';

/** The options that select the same project, instance, and journals in another command. */
const targetOptions = [
  'project',
  'environment',
  'url',
  'tenant',
  'ca',
  'token-env',
  'token-file',
  'token-stdin',
  'state',
] as const;

/**
 * Formats a command that a user can paste into a POSIX shell.
 * @param words the name of the command and its own arguments
 * @param args the arguments of the current command; those that select its target are repeated
 */
export const formatCommand = (words: readonly string[], args?: Arguments): string =>
  [
    programName,
    ...words,
    ...(args === undefined ? [] : targetOptions.flatMap((name) => repeatOption(name, args))),
  ]
    .map(quoteWord)
    .join(' ');

/** The commands that use the project in the current folder only with `--project` or `--environment`. */
const commandsWithoutProject: ReadonlySet<string | undefined> = new Set(['resume', 'roll-back', 'abandon']);

/**
 * Formats a command that works with the project of the current command. `--project` is included only if the command
 * would otherwise use another project, or none.
 */
export const formatProjectCommand = (words: readonly string[], args: Arguments): string => {
  const usesCurrentFolder = args.has('environment') || !commandsWithoutProject.has(words[0]);
  return formatCommand(args.has('project') || usesCurrentFolder ? words : [...words, '--project', '.'], args);
};

/**
 * Formats a command for an environment of a project that may be in another folder. Repeats the options of the current
 * command, except for `--url` and `--environment`: the file of the environment has the address.
 * @param environmentName `default` is the environment of `--url`, which has no file, so all options are repeated
 */
export function formatEnvironmentCommand(
  words: readonly string[],
  environmentName: string,
  args: Arguments,
): string {
  const names = targetOptions.filter((name) => name !== 'url' && name !== 'environment');
  return environmentName === defaultEnvironmentName
    ? formatCommand(words, args)
    : formatCommand([
        ...words,
        '--environment',
        environmentName,
        ...names.flatMap((name) => repeatOption(name, args)),
      ]);
}

/** What the command that finishes, rolls back, or abandons an interrupted change depends on. */
export interface RecoveryHintInput {
  /** The arguments of the current command. */
  readonly args: Arguments;
  /** Whether the current command works with a project, whose lock file is then updated. */
  readonly usesProject: boolean;
  /** The name that `--confirm` needs, if it needs one. */
  readonly confirmation: string | undefined;
}

/**
 * Returns the arguments for a command that ends an interrupted change. They are those of the current command, unless
 * the change has another tenant or address. Then they name the environment of the change, since no option removes the
 * tenant and the address of the current environment.
 */
export function createRecoveryArguments(
  { operation: { connectionId, project }, environment }: HistoryEntry,
  { connection }: Pick<InstanceTarget, 'connection'>,
  args: Arguments,
): Arguments {
  const address = environment?.address ?? connection.url;
  if (connectionId === connection.id && isSameAddress(address, connection.url)) {
    return args;
  }
  const name = project?.environment ?? environment?.name ?? defaultEnvironmentName;
  const hasEnvironment = name !== defaultEnvironmentName;
  const values = new Map<string, string | undefined>([
    ['tenant', readTenantConnectionId(connectionId)?.tenantId],
    ['environment', hasEnvironment ? name : undefined],
    ['url', hasEnvironment ? undefined : address],
    ...(hasEnvironment && project !== undefined ? [['project', project.folder] as const] : []),
  ]);
  return {
    ...args,
    has: (name) => (values.has(name) ? values.get(name) !== undefined : args.has(name)),
    getValue: (name) => (values.has(name) ? values.get(name) : args.getValue(name)),
  };
}

/** Formats the command that finishes an interrupted change, rolls it back, or shows what remains if it's abandoned. */
export function formatRecoveryCommand(
  command: 'resume' | 'roll-back' | 'abandon',
  journal: string,
  { args, usesProject, confirmation }: RecoveryHintInput,
): string {
  const words = [
    command,
    journal,
    // Without `--execute`: the user first has to see what an abandoned change leaves on the instance.
    ...(command === 'abandon'
      ? []
      : ['--execute', ...(confirmation === undefined ? [] : ['--confirm', confirmation])]),
  ];
  return usesProject ? formatProjectCommand(words, args) : formatCommand(words, args);
}

/** Returns the commands that finish an interrupted change, or roll it back, with a label each. */
export const getRecoveryHints = (
  journal: string,
  options: RecoveryHintInput,
): readonly [finish: string, rollBack: string] => [
  `Finish:    ${formatRecoveryCommand('resume', journal, options)}`,
  getRollBackHint(journal, options),
];

/** Returns the command that rolls back an interrupted change, with a label. */
export const getRollBackHint = (journal: string, options: RecoveryHintInput): string =>
  `Roll back: ${formatRecoveryCommand('roll-back', journal, options)}`;

/**
 * Adds the command that abandons a change to those that finish it or roll it back: changes by others can make both
 * impossible. Without another command, also says how the change can be finished.
 * @param hints the commands to try first, with a label each
 */
export const addAbandonHint = (
  hints: readonly string[],
  journal: string,
  options: RecoveryHintInput,
): readonly string[] => {
  const introduction =
    hints.length === 0
      ? 'To finish the change, first restore what others have changed. Otherwise,'
      : `If ${hints.length === 1 ? "that isn't" : 'neither is'} possible,`;
  return [
    ...hints,
    `${introduction} keep what is on the instance: ${formatRecoveryCommand('abandon', journal, options)}`,
  ];
};

/** Returns an option of the current command with its value, to be repeated in another one. */
export function repeatOption(name: string, args: Arguments): readonly string[] {
  const value = args.getValue(name);
  return args.has(name) ? [`--${name}`, ...(value === undefined ? [] : [value])] : [];
}

/** Quotes a word if a POSIX shell would interpret a character of it. */
export const quoteWord = (word: string): string =>
  /^[\w%+,./:@-][\w%+,./:=@-]*$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
