import type * as z from 'zod';
import { english } from '../../base/localize.ts';
import type { DoctorRemedy, StepReport } from '../../connections/doctor/diagnosis.ts';
import { formatStep } from '../../connections/doctor/messages/formatStep.ts';
import { formatStepFinding } from '../../connections/doctor/messages/formatStepFinding.ts';
import type { RunCommand } from '../command.ts';
import { exitCodes } from '../exitCodes.ts';
import { openInstance } from '../instance.ts';
import { toInstanceOutput, outputVersion } from '../outputParts.ts';
import type { doctorOutputSchema } from '../outputSchemas.ts';
import { readInstanceTarget } from '../target.ts';
import { version } from '../version.ts';

/** Tests a connection step by step; changes nothing on the server. */
export const doctor: RunCommand = async ({ args, shell, output, clock, signal }) => {
  const target = await readInstanceTarget({ args, shell });
  const instance = openInstance(target, shell, clock);
  try {
    const diagnosis = await instance.doctor.diagnose(target.connection, { signal });
    const { steps, verdict } = diagnosis;
    const time = new Date(diagnosis.time).toISOString();
    if (args.getValue('format') === 'json') {
      output.printJson({
        version: outputVersion,
        command: 'doctor',
        instance: toInstanceOutput(target.connection),
        time,
        verdict,
        steps: steps.map(toStepOutput),
      } satisfies z.infer<typeof doctorOutputSchema>);
    } else {
      output.printLine(
        `${target.connection.url} · ${time} · datamodel-studio ${version} · ${shell.platform}`,
      );
      steps
        .flatMap((report) =>
          formatStep(formatForCommandLine, report, { getRemedyText, formatDay }).split('\n'),
        )
        .forEach((line) => output.printLine(line));
    }
    return verdict === 'failed' ? exitCodes.failed : exitCodes.done;
  } finally {
    instance.dispose();
  }
};

const toStepOutput = (report: StepReport): z.infer<typeof doctorOutputSchema>['steps'][number] => {
  const { step, outcome, finding, remedy, failedDependency, ms, facts } = report;
  return {
    step,
    outcome,
    finding,
    text: formatStepFinding(formatForCommandLine, report),
    ...(remedy === undefined ? {} : { remedy: getRemedyText(remedy) }),
    ...(failedDependency === undefined ? {} : { because: failedDependency }),
    ms: Math.round(ms),
    facts: toFactsOutput(facts),
  };
};

/** Renames three facts to their names in the output, which scripts rely on. */
const toFactsOutput = ({ proxySource, serverMessage, targetOrigin, ...facts }: StepReport['facts']) => ({
  ...facts,
  ...(proxySource === undefined ? {} : { proxyFrom: proxySource }),
  ...(serverMessage === undefined ? {} : { words: serverMessage }),
  ...(targetOrigin === undefined ? {} : { to: targetOrigin }),
});

/** Replaces the name of the editor's setting by that of the environment variable that the command line uses instead. */
const formatForCommandLine: typeof english = (text, ...values) =>
  english(
    text.replace('the setting http.proxyStrictSSL is off', 'NODE_TLS_REJECT_UNAUTHORIZED is 0'),
    ...values,
  );

const formatDay = (date: Date): string => date.toISOString().slice(0, 10);

const getRemedyText = (remedy: DoctorRemedy): string => remedies[remedy];

const remedies: Readonly<Record<DoctorRemedy, string>> = {
  'edit-connection': 'Check --url.',
  'start-sandbox': 'Start the sandbox again.',
  'check-network': 'Check the network and whether a VPN is required.',
  'check-proxy': 'Check the proxy in the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).',
  'check-certificate':
    "Check this machine's clock. If it's correct, ask the server's administrator to renew the certificate.",
  'add-authority':
    "Save the certificate of the server's certificate authority as a PEM file and pass it with --ca FILE.",
  'verify-certificates':
    'Others could read the token. Remove NODE_TLS_REJECT_UNAUTHORIZED from the environment.',
  'use-https': 'Use the https:// address of the instance.',
  'check-server': "Try again later or contact the server's administrator.",
  'sign-in': 'Use a valid API token.',
  unlock: 'Use a connection that allows writes.',
  'ask-administrator': "Ask an administrator for permission, or use an administrator's API token.",
  'check-version': "Everything else works. Ask the administrator about the server's version and license.",
};
