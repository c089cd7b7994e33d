import type * as z from 'zod';
import type { CommandContext } from './command.ts';
import { type ExitCode, exitCodes } from './exitCodes.ts';
import { createFailedSarifLog } from './findings/formatSarif.ts';
import { formatAnnotation } from './githubAnnotations.ts';
import { formatJUnit } from './junit.ts';
import { formatCode } from './markdown.ts';
import { outputVersion } from './outputParts.ts';
import type { errorOutputSchema } from './outputSchemas.ts';
import type { CommandOutput } from './shell.ts';

/** The reason why a command ended without a result. */
export interface CommandFailure {
  /** The name of the command; `undefined` if the command line contains no valid one. */
  readonly command: string | undefined;
  readonly message: string;
  /** Commands to run instead. */
  readonly hints?: readonly string[];
  readonly exitCode: ExitCode;
}

/** Prints the error of a command as JSON, in place of its result. */
export function printErrorOutput(
  output: CommandOutput,
  { command, message, hints = [], exitCode }: CommandFailure,
): void {
  output.printJson({
    version: outputVersion,
    ...(command === undefined ? {} : { command }),
    error: { state: getState(exitCode), message: [message, ...hints].join(' ') },
  } satisfies z.infer<typeof errorOutputSchema>);
}

/**
 * Reports the error of a command as a message and, if the output has a format for programs or CI servers, also in that
 * format, in place of the result. Returns the exit code.
 */
export function reportError({ args, output }: CommandContext, failure: CommandFailure): ExitCode {
  const { command = '', message, exitCode, hints = [] } = failure;
  const environment = args.getValue('environment');
  const state = getState(exitCode);
  switch (args.getValue('format')) {
    case 'json':
      printErrorOutput(output, failure);
      break;
    case 'markdown':
      output.printReport(
        [
          `### ${formatCode(environment === undefined ? command : `${command} --environment ${environment}`)} ${stateTexts[state]}`,
          '',
          formatCode(message),
          ...(hints.length === 0 ? [] : ['', ...hints.map((hint) => `- ${formatCode(hint)}`)]),
          '',
        ].join('\n'),
      );
      break;
    case 'junit':
      output.printReport(
        formatJUnit(command, [
          {
            className: command,
            name: environment ?? command,
            problem: { kind: 'error', type: state, message: [message, ...hints].join('\n') },
          },
        ]),
      );
      break;
    case 'github':
      output.printWorkflowCommand(
        formatAnnotation({
          level: 'error',
          title: `${command} ${stateTexts[state]}`,
          message: [message, ...hints].join('\n'),
        }),
      );
      break;
    case 'sarif':
      output.printJson(createFailedSarifLog([message, ...hints].join('\n')));
      break;
    case undefined:
    default:
  }
  output.printMessage(message, 'error');
  hints.forEach((hint) => output.printMessage(hint));
  return exitCode;
}

type ErrorState = z.infer<typeof errorOutputSchema>['error']['state'];

const stateTexts: Readonly<Record<ErrorState, string>> = {
  failed: 'failed',
  refused: 'was refused',
  unknown: 'has no result',
};

function getState(exitCode: ExitCode): ErrorState {
  if (exitCode === exitCodes.refused) {
    return 'refused';
  }
  return exitCode === exitCodes.unknown ? 'unknown' : 'failed';
}
