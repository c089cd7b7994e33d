import type * as z from 'zod';
import type { Build, StartBuildRequest } from '../builds/build.ts';
import { formatDuration } from '../builds/durations.ts';
import { getBuildDuration } from '../builds/pastBuild.ts';
import type { RemoteConnection } from '../connections/connection.ts';
import { type Datamodel, getDatamodelType } from '../contract/datamodel.ts';
import { formatBuildRequest } from './buildOptions.ts';
import type { CommandContext } from './command.ts';
import { type ExitCode, exitCodes } from './exitCodes.ts';
import type { BuildBlockingChange } from './interruptedChange.ts';
import { formatJUnit, type JUnitCase } from './junit.ts';
import { toInstanceOutput, outputVersion } from './outputParts.ts';
import type { buildOutputSchema } from './outputSchemas.ts';
import type { Tone } from './shell.ts';

/** The reason why the result of a build is unknown. With `no-answer`, it is not even known whether it was started. */
type UnknownReason = 'gone' | 'interrupted' | 'timeout' | 'unreadable' | 'no-answer';

/** The result of the command `build`. */
export type BuildResult =
  | {
      readonly state: 'not-started';
      /** How to start it, or why that isn't possible. */
      readonly hint: string;
      /** The interrupted change that prevents the build: with `--execute`, the command would be refused. */
      readonly blockingChange: BuildBlockingChange | undefined;
    }
  | { readonly state: 'started' | 'done' | 'cancelled'; readonly build: Build }
  | {
      readonly state: 'failed';
      /** Absent if the server refused to start it. */
      readonly build?: Build;
      readonly problem?: string;
    }
  | {
      readonly state: 'unknown';
      readonly reason: UnknownReason;
      /** Absent if the response to the start request was lost. */
      readonly build?: Build;
      /** How long the command has waited for the build, in milliseconds. */
      readonly waitedMs?: number;
      readonly problem?: string;
    };

interface BuildSubject {
  readonly datamodel: Pick<Datamodel, 'title' | 'type'>;
  readonly request: StartBuildRequest;
  readonly connection: RemoteConnection;
}

/** Scripts depend on these codes, so they never change (decisions.md, "Command line"). */
export const getBuildExitCode = ({ state }: BuildResult): ExitCode =>
  ({
    'not-started': exitCodes.done,
    started: exitCodes.done,
    done: exitCodes.done,
    failed: exitCodes.failed,
    cancelled: exitCodes.canceled,
    unknown: exitCodes.unknown,
  })[state];

const tones: Readonly<Partial<Record<BuildResult['state'], Tone>>> = {
  done: 'success',
  failed: 'error',
  cancelled: 'warning',
  unknown: 'warning',
};

/** Prints the result in the requested format, and a message that explains it. */
export function printBuildResult(
  result: BuildResult,
  subject: BuildSubject,
  { args, output }: Pick<CommandContext, 'args' | 'output'>,
): void {
  const message = formatBuildMessage(result);
  const blockingChange = getBlockingChange(result);
  const format = args.getValue('format');
  if (format === 'json') {
    output.printJson(toBuildOutput(result, subject));
  } else if (format === 'junit') {
    output.printReport(formatJUnit('build', [toTestCase(result, subject)]));
  } else {
    const { datamodel, request } = subject;
    output.printLine(
      `${datamodel.title} (${getDatamodelType(datamodel)}): ${formatBuildRequest(request)}: ${formatState(result)}`,
    );
  }
  if (message !== undefined) {
    output.printMessage(message, blockingChange === undefined ? tones[result.state] : 'warning');
  }
  blockingChange?.hints.forEach((hint) => output.printMessage(hint));
}

const getBlockingChange = (result: BuildResult): BuildBlockingChange | undefined =>
  result.state === 'not-started' ? result.blockingChange : undefined;

/** The texts of states that text output spells differently from JSON output. */
const stateTexts: ReadonlyMap<BuildResult['state'], string> = new Map([
  ['not-started', 'not started'],
  ['cancelled', 'canceled'],
]);

function formatState(result: BuildResult): string {
  const durationMs = getDuration(result);
  const state = stateTexts.get(result.state) ?? result.state;
  return durationMs === undefined ? state : `${state} in ${formatDuration(durationMs)}`;
}

const getDuration = (result: BuildResult): number | undefined =>
  'build' in result && result.build !== undefined ? getBuildDuration(result.build) : undefined;

/** Returns the explanation of a result; `undefined` if the result needs none. */
function formatBuildMessage(result: BuildResult): string | undefined {
  switch (result.state) {
    case 'not-started':
      return `Nothing was started. ${result.blockingChange?.text ?? result.hint}`;
    case 'started':
    case 'done':
      return undefined;
    case 'failed':
      return result.build === undefined
        ? `The server rejected the build. ${result.problem ?? ''}`
        : `The build failed: ${getFailureText(result.build)}`;
    case 'cancelled':
      return 'The build was canceled.';
    case 'unknown':
      return formatUnknown(result);
  }
}

function formatUnknown({ reason, build, problem = '' }: Extract<BuildResult, { state: 'unknown' }>): string {
  const id = build?.oid ?? '';
  switch (reason) {
    case 'gone':
      return `The server no longer lists build ${id} and reported no result, so its outcome is unknown.`;
    case 'interrupted':
      return `Stopped waiting. The build continues on the server. Build ID: ${id}`;
    case 'timeout':
      return `Not finished within --timeout. The build continues on the server. Build ID: ${id}`;
    case 'unreadable':
      return `The build can no longer be read, so its outcome is unknown. It might still be running on the server. ${problem} Build ID: ${id}`;
    case 'no-answer':
      return `The response to the start request was lost, so it's unknown whether the build has started. ${problem}`;
  }
}

/** Build tasks of real instances have no error text (platform-facts.md, "BuildOutput"). */
const missingReason =
  'the server reported no reason (see the build log of the datamodel in the web interface).';

const getFailureText = ({ reason = missingReason, failedTable }: Build): string =>
  failedTable === undefined || reason.includes(failedTable) ? reason : `table ${failedTable}: ${reason}`;

function toBuildOutput(
  result: BuildResult,
  { datamodel, request, connection }: BuildSubject,
): z.infer<typeof buildOutputSchema> {
  const build = 'build' in result ? result.build : undefined;
  const durationMs = getDuration(result);
  const problem = formatBuildMessage(result);
  const blockingChange = getBlockingChange(result);
  return {
    version: outputVersion,
    command: 'build',
    instance: toInstanceOutput(connection),
    datamodel: { title: datamodel.title, type: getDatamodelType(datamodel) },
    type: request.buildType,
    ...(request.schemaOrigin === undefined ? {} : { schemaOrigin: request.schemaOrigin }),
    ...(request.rowLimit === undefined ? {} : { rowLimit: request.rowLimit }),
    state: result.state,
    ...(result.state === 'unknown' ? { unknownBecause: result.reason } : {}),
    ...(build === undefined ? {} : { build: build.oid, status: build.status }),
    ...(durationMs === undefined ? {} : { ms: Math.round(durationMs) }),
    ...(build?.failedTable === undefined ? {} : { failedTable: build.failedTable }),
    ...(problem === undefined || result.state === 'not-started' ? {} : { problem }),
    ...(blockingChange === undefined
      ? {}
      : { interrupted: { journal: blockingChange.journal, text: blockingChange.text } }),
  };
}

function toTestCase(result: BuildResult, { datamodel, request }: BuildSubject): JUnitCase {
  // The duration of a build with an unknown result is unknown, too: then the time is how long the command has waited.
  const durationMs = getDuration(result) ?? (result.state === 'unknown' ? result.waitedMs : undefined);
  const message = formatBuildMessage(result);
  const problemKinds = {
    'not-started': 'skipped',
    started: 'skipped',
    done: undefined,
    failed: 'failure',
    cancelled: 'failure',
    unknown: 'error',
  } as const;
  const kind = problemKinds[result.state];
  return {
    className: 'datamodel-studio.build',
    name: `${datamodel.title} (${formatBuildRequest(request)})`,
    ...(durationMs === undefined ? {} : { seconds: durationMs / 1000 }),
    ...(kind === undefined
      ? {}
      : {
          problem: { kind, type: result.state, message: message ?? "Didn't wait for the build to finish." },
        }),
  };
}
