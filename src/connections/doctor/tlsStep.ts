import { isLoopback } from '../../base/loopback.ts';
import { TransportFailure } from '../../client/transport.ts';
import type { DiagnosisContext } from './diagnosisContext.ts';
import { getFailureCode } from './failureCode.ts';
import type { Handshake } from './probes.ts';
import type { DoctorRemedy, StepFinding, StepResult } from './diagnosis.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** A certificate that expires this soon causes a warning: renewing one takes days. */
const expiryWarningMs = 14 * dayMs;

/** The findings for OpenSSL's certificate codes. */
const findingsByCode: Readonly<Record<string, StepFinding>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown-authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown-authority',
  CERT_UNTRUSTED: 'unknown-authority',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other-name',
};

/** The finding for OpenSSL's code of a problem with a certificate. */
export const getCertificateFinding = (problem: string): StepFinding => findingsByCode[problem] ?? 'untrusted';

/** Checks that the connection is encrypted and the certificate is trusted, before any token is sent. */
export async function checkTls(context: DiagnosisContext): Promise<StepResult> {
  const { deps, route } = context;
  // Loaded even without TLS, since the client does not work with a file that cannot be read.
  const loaded = await loadCertificates(context);
  if ('failure' in loaded) {
    return loaded.failure;
  }
  if (route.target.protocol === 'http:') {
    return isLoopback(route.target.hostname)
      ? { outcome: 'ok', finding: 'encryption-not-needed' }
      : { outcome: 'warning', finding: 'not-encrypted', remedy: 'use-https' };
  }
  if (route.proxy?.protocol.startsWith('socks') === true) {
    return { outcome: 'skipped', finding: 'encryption-behind-proxy' };
  }
  try {
    const attempt = await startTls(context, route.target.hostname, loaded.certificates, {
      timedOut: 'check-network',
      noHandshake: 'edit-connection',
    });
    return 'failure' in attempt
      ? attempt.failure
      : classifyHandshake(attempt.handshake, {
          strictSSL: deps.getNetworkSettings().strictSSL,
          now: deps.clock.now(),
        });
  } finally {
    context.closeSocket();
  }
}

/** Loads the certificates that the user added, or returns the result of the step if they cannot be read. */
export async function loadCertificates(
  context: DiagnosisContext,
): Promise<{ readonly certificates: readonly string[] } | { readonly failure: StepResult }> {
  try {
    return { certificates: await context.withTimeout(() => context.deps.loadCertificates()) };
  } catch (error) {
    context.signal.throwIfAborted();
    return { failure: createUnusableFileResult(error instanceof Error ? error.message : String(error)) };
  }
}

/** Starts TLS on the open connection, or returns the result of the step if that fails. */
export async function startTls(
  context: DiagnosisContext,
  hostname: string,
  certificates: readonly string[],
  failureRemedies: Readonly<Record<'timedOut' | 'noHandshake', DoctorRemedy>>,
): Promise<{ readonly handshake: Handshake } | { readonly failure: StepResult }> {
  try {
    return {
      handshake: await context.withTimeout((signal) =>
        context.socket.startTls(hostname, certificates, signal),
      ),
    };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof TransportFailure) {
      return { failure: createUnusableFileResult(getFailureCode(error.cause)) };
    }
    const reason = getFailureCode(error);
    const { timedOut, noHandshake } = failureRemedies;
    return {
      failure:
        reason === 'timeout'
          ? { outcome: 'failed', finding: 'timed-out', remedy: timedOut }
          : { outcome: 'failed', finding: 'no-handshake', remedy: noHandshake, facts: { reason } },
    };
  }
}

/** Determines whether the client would accept a certificate. */
export function classifyHandshake(
  handshake: Handshake,
  options: { readonly strictSSL: boolean; readonly now: number },
): StepResult {
  const { protocol, chain, names, validFrom, validTo, problem } = handshake;
  const facts = {
    chain,
    names,
    ...(protocol === undefined ? {} : { protocol }),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
    ...(problem === undefined ? {} : { reason: problem }),
  };
  if (problem !== undefined) {
    const finding = getCertificateFinding(problem);
    // With `http.proxyStrictSSL` off the client continues anyway, as the user requested.
    return options.strictSSL
      ? { outcome: 'failed', finding, remedy: remedies[finding] ?? 'check-certificate', facts }
      : { outcome: 'warning', finding: 'unverified', remedy: 'verify-certificates', facts };
  }
  if (validTo !== undefined && validTo.getTime() - options.now < expiryWarningMs) {
    return { outcome: 'warning', finding: 'expires-soon', remedy: 'check-certificate', facts };
  }
  return { outcome: 'ok', finding: 'trusted', facts };
}

const remedies: Readonly<Partial<Record<StepFinding, DoctorRemedy>>> = {
  'self-signed': 'add-authority',
  'unknown-authority': 'add-authority',
  'other-name': 'edit-connection',
};

const createUnusableFileResult = (reason: string): StepResult => ({
  outcome: 'failed',
  finding: 'certificate-file-unusable',
  remedy: 'add-authority',
  facts: { reason },
});
