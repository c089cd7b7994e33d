import { parseArgs } from 'node:util';
import { type Fault, faultsSchema } from './faults.ts';
import { type ProfileName, profileNames, type SameSharesMode, sameSharesModes } from './profiles/profile.ts';
import { type SeedName, seedNames } from './seeds/seed.ts';

/** The parsed command line of a sandbox (decisions.md, "Stable interfaces"). */
export interface SandboxArguments {
  /** 0 picks a free port. */
  readonly port: number;
  /** Path of the data folder. */
  readonly dataFolder: string;
  readonly seed: SeedName;
  readonly profile: ProfileName;
  /** What a POST of a rule does if a rule with the same shares exists; `undefined` uses the default of the profile. */
  readonly sameShares: SameSharesMode | undefined;
  /** Extra milliseconds that each build takes. */
  readonly buildDelayMs: number;
  /** Ends the sandbox when its standard input ends, so that it never outlives the process that started it. */
  readonly stdinLifeline: boolean;
  /** Fault switches that are on at startup. */
  readonly faults: readonly Fault[];
}

/** An invalid command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The options of the command line, for `parseArgs`. */
export const sandboxOptions = {
  port: { type: 'string', default: '0' },
  data: { type: 'string' },
  seed: { type: 'string', default: 'empty' },
  profile: { type: 'string', default: 'guide' },
  'same-shares': { type: 'string' },
  'build-delay': { type: 'string', default: '0' },
  'stdin-lifeline': { type: 'boolean', default: false },
  faults: { type: 'string' },
} as const;

/** One line, for errors. */
export const usage = 'Usage: npm run sandbox -- --data DIR [OPTIONS]';

/** The text for `--help`. */
export const help = `${usage}

Starts a local instance of the platform. When it is ready, prints its address and its tokens as one line of JSON.

  --data DIR           The data folder
  --port N             The port (default: a free one)
  --seed SEED          What to create if the data folder is empty: ${seedNames.join(', ')} (default: empty)
  --profile PROFILE    The kind of server: ${profileNames.join(', ')} (default: guide)
  --same-shares MODE   What happens if a rule is created for the same users and groups as an existing one:
                       ${sameSharesModes.join(', ')}
  --build-delay MS     How much longer each build takes, in milliseconds
  --faults JSON        Fault switches to turn on at startup, as a JSON array such as
                       [{"kind": "status", "status": 503}]
  --stdin-lifeline     End when the standard input ends
  -h, --help           Show this help

docs/sandbox.md describes the options and the fault switches.
`;

/** Whether the command line asks for the help, whatever else it contains. */
export const asksForHelp = (args: readonly string[]): boolean =>
  args.includes('--help') || args.includes('-h');

/** @throws UsageError that names the invalid argument. */
export function parseSandboxArguments(args: readonly string[]): SandboxArguments {
  const values = readOptions(args);
  if (values.data === undefined || values.data === '') {
    throw new UsageError('Missing value: --data DIR.');
  }
  return {
    port: parseWholeNumber('--port', values.port, 65_535),
    dataFolder: values.data,
    seed: parseChoice('--seed', values.seed, seedNames),
    profile: parseChoice('--profile', values.profile, profileNames),
    sameShares:
      values['same-shares'] === undefined
        ? undefined
        : parseChoice('--same-shares', values['same-shares'], sameSharesModes),
    buildDelayMs: parseWholeNumber('--build-delay', values['build-delay'], Number.MAX_SAFE_INTEGER),
    stdinLifeline: values['stdin-lifeline'],
    faults: values.faults === undefined ? [] : parseFaults(values.faults),
  };
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: false,
      options: sandboxOptions,
    }).values;
  } catch (error) {
    // Node's messages end without a period.
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(message.replace(/\.?$/, '.'), { cause: error });
  }
}

function parseChoice<T extends string>(name: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) {
    throw new UsageError(`Invalid ${name}. Expected: ${choices.join(', ')}.`);
  }
  return choice;
}

function parseWholeNumber(name: string, text: string, maximum: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > maximum) {
    throw new UsageError(`Invalid ${name}. Expected: a whole number from 0 to ${maximum}.`);
  }
  return value;
}

function parseFaults(text: string): readonly Fault[] {
  try {
    return faultsSchema.parse({ faults: JSON.parse(text) }).faults;
  } catch (error) {
    throw new UsageError('Invalid --faults. Expected: a JSON array of fault switches.', { cause: error });
  }
}
