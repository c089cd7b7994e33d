import { readFile } from 'node:fs/promises';
import {
  getCommandLineConnectionId,
  getDefaultStateFolder,
  isSharedStateFolder,
} from '../changes/journal/commandLineJournal.ts';
import { JournalError } from '../changes/journal/journalError.ts';
import { type AddressProblem, parseAddress } from '../connections/parseAddress.ts';
import type { RemoteConnection } from '../connections/connection.ts';
import { type Environment, defaultEnvironmentName } from '../project/settings/projectSettings.ts';
import type { CommandContext } from './command.ts';
import { CommandRefusedError } from './exitCodes.ts';
import type { Shell } from './shell.ts';
import { formatFileError, getFileErrorPath } from './formatFileError.ts';

/** The instance that a command works with, and its token. */
export interface InstanceTarget {
  /** The name of its environment; `default` for `--url`, which has no file. */
  readonly environmentName: string;
  readonly connection: RemoteConnection;
  readonly token: string;
  /** Certificates of additional authorities, as PEM texts. */
  readonly certificates: readonly string[];
}

type TargetContext = Pick<CommandContext, 'args' | 'shell'>;

/** How to reach an instance, without its token. */
type InstanceSettings = Pick<Environment, 'url' | 'role' | 'tenant'>;

/**
 * Reads the instance that the options name.
 * @param environment the environment that names the instance instead of `--url`
 * @throws CommandRefusedError if the address is invalid, there isn't exactly one token, or a file can't be read
 */
export async function readInstanceTarget(
  context: TargetContext,
  environment?: Environment,
): Promise<InstanceTarget> {
  const { args } = context;
  const address: InstanceSettings = environment ?? { url: args.getValue('url') ?? '', role: 'development' };
  const parsed = parseAddress(address.url);
  if (parsed.problem !== undefined) {
    // The address of an environment was already checked when the environment was read.
    throw new CommandRefusedError(addressProblems[parsed.problem]);
  }
  const { url } = parsed;
  const tenantId = args.getValue('tenant') ?? address.tenant;
  const caPath = args.getValue('ca');
  return {
    environmentName: environment?.name ?? defaultEnvironmentName,
    connection: {
      kind: 'remote',
      // The journals of an instance are found by this ID.
      id: getCommandLineConnectionId({ url, tenantId }),
      name: new URL(url).host,
      role: address.role,
      url,
      ...(tenantId === undefined ? {} : { tenantId }),
    },
    token: await readToken(context),
    certificates: caPath === undefined ? [] : [await readText(caPath, 'the --ca file')],
  };
}

const addressProblems: Readonly<Record<AddressProblem, string>> = {
  empty: 'Missing value: --url URL.',
  'not-an-address': 'Invalid --url. Expected: https://HOST[:PORT].',
  'not-http': 'Invalid --url. Expected: an address that starts with https:// or http://.',
  'is-token':
    '--url looks like a token, which other users can see. Expected: https://HOST[:PORT]. For the token, use --token-env NAME, --token-file FILE, or --token-stdin.',
  'has-credentials':
    '--url contains a user name or password, which other users can see. Remove it, and use --token-env NAME, --token-file FILE, or --token-stdin.',
  'has-query': '--url contains a query or fragment. Expected: https://HOST[:PORT].',
};

/**
 * Matches names of variables that certainly aren't a token, which a user may have passed by mistake: words in capital
 * letters, and short numbers.
 */
const variableNamePattern = /^[A-Z]{1,20}(_([A-Z]{1,20}|\d{1,3})){0,5}$/;

/**
 * Reads the token from the source that the options name. Messages don't repeat the options: they may contain the token
 * itself. The name of a variable is only repeated if it certainly isn't a token.
 */
async function readToken({ args, shell }: TargetContext): Promise<string> {
  const sources = ['token-env', 'token-file', 'token-stdin'].filter((name) => args.has(name));
  const [source, ...others] = sources;
  if (source === undefined || others.length > 0) {
    throw new CommandRefusedError(
      source === undefined
        ? 'Missing API token. Use --token-env NAME, --token-file FILE, or --token-stdin.'
        : `Use only one of ${sources.map((name) => `--${name}`).join(', ')}.`,
    );
  }
  if (source === 'token-env' && shell.env[args.getValue(source) ?? ''] === undefined) {
    const name = args.getValue(source) ?? '';
    throw new CommandRefusedError(
      `The environment variable ${variableNamePattern.test(name) ? `${name} ` : ''}of --token-env isn't set.`,
    );
  }
  const token = (await readTokenFrom(source, args.getValue(source) ?? '', shell))
    .replace(/^\uFEFF/, '')
    .trim();
  if (token === '') {
    throw new CommandRefusedError(`--${source} contains no API token.`);
  }
  if (/[\r\n]/.test(token)) {
    throw new CommandRefusedError(`--${source} contains several lines. Expected: only the API token.`);
  }
  return token;
}

async function readTokenFrom(source: string, value: string, shell: Shell): Promise<string> {
  switch (source) {
    case 'token-env':
      return shell.env[value] ?? '';
    case 'token-file':
      return readText(value, 'the --token-file file');
    default:
      if (shell.isInputTerminal) {
        throw new CommandRefusedError('--token-stdin reads the API token from a pipe, not from a terminal.');
      }
      return shell.readInput();
  }
}

async function readText(path: string, fileLabel: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandRefusedError(`Can't read ${fileLabel}. ${formatFileError(error)}`);
  }
}

/** Returns the folder of the journals. */
export function getStateFolder({ args, shell: { env, platform, home } }: TargetContext): string {
  return args.getValue('state') ?? getDefaultStateFolder({ env, platform, home });
}

/**
 * Requires that no other user can write to the journals: resuming a change sends the requests of its journal with the
 * token of this user.
 * @throws CommandRefusedError
 */
export async function requirePrivateStateFolder(stateFolder: string): Promise<void> {
  if (await isSharedStateFolder(stateFolder)) {
    throw new CommandRefusedError(
      'Other users can write to the journal folder. Use your own folder with --state, or restrict access with chmod or chown.',
    );
  }
}

/**
 * Runs a step that precedes the first write and uses the journals.
 * @throws CommandRefusedError if the file system doesn't allow it
 */
export async function convertStateFolderErrors<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const cause = error instanceof JournalError ? error.cause : error;
    const path = getFileErrorPath(cause);
    throw path === undefined
      ? error
      : new CommandRefusedError(`Can't use ${path}. ${formatFileError(cause)}`, undefined, [
          'To use a different journal folder, use --state DIR.',
        ]);
  }
}
