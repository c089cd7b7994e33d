import { TransportFailure } from '../../client/transport.ts';
import { isLoopback } from '../loopback.ts';
import type { Examination } from './examination.ts';
import { getFailureCode } from './failures.ts';
import type { Handshake } from './probes.ts';
import type { DoctorRemedy, Finding, StepResult } from './step.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** A certificate that expires this soon causes a warning: renewing one takes days. */
const expiryWarningMs = 14 * dayMs;

/** The findings for OpenSSL's certificate codes. */
const meanings: Readonly<Record<string, Finding>> = {
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

/** Checks that the connection is encrypted and the certificate is trusted, before any token is sent. */
export async function examineTls(exam: Examination): Promise<StepResult> {
  const { deps, route } = exam;
  let caFiles: readonly string[];
  try {
    // Checked even without TLS, since the client does not work with a file that cannot be read.
    caFiles = await exam.withTimeout(() => deps.certificates());
  } catch (error) {
    exam.signal.throwIfAborted();
    return createUnusableFileResult(error instanceof Error ? error.message : String(error));
  }
  if (route.target.protocol === 'http:') {
    return isLoopback(route.target.hostname)
      ? { outcome: 'ok', finding: 'encryption-not-needed' }
      : { outcome: 'warning', finding: 'not-encrypted', remedy: 'use-https' };
  }
  if (route.proxy?.protocol.startsWith('socks') === true) {
    return { outcome: 'skipped', finding: 'encryption-behind-proxy' };
  }
  const { hostname } = route.target;
  try {
    const shown = await exam.withTimeout((signal) => exam.wire.handshake(hostname, caFiles, signal));
    return judgeHandshake(shown, { strictSSL: deps.network().strictSSL, now: deps.clock.now() });
  } catch (error) {
    exam.signal.throwIfAborted();
    if (error instanceof TransportFailure) {
      return createUnusableFileResult(getFailureCode(error.cause));
    }
    const reason = getFailureCode(error);
    return reason === 'timeout'
      ? { outcome: 'failed', finding: 'timed-out', remedy: 'check-network' }
      : { outcome: 'failed', finding: 'no-handshake', remedy: 'edit-connection', facts: { reason } };
  } finally {
    exam.closeWire();
  }
}

/** Judges a presented certificate by the client's rules. */
export function judgeHandshake(
  shown: Handshake,
  rules: { readonly strictSSL: boolean; readonly now: number },
): StepResult {
  const { protocol, chain, names, validFrom, validTo, problem } = shown;
  const facts = {
    chain,
    names,
    ...(protocol === undefined ? {} : { protocol }),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
    ...(problem === undefined ? {} : { reason: problem }),
  };
  if (problem !== undefined) {
    const finding = meanings[problem] ?? 'untrusted';
    // With `http.proxyStrictSSL` off the client continues anyway, as the user requested.
    return rules.strictSSL
      ? { outcome: 'failed', finding, remedy: remedies[finding] ?? 'check-certificate', facts }
      : { outcome: 'warning', finding: 'unverified', remedy: 'verify-certificates', facts };
  }
  if (validTo !== undefined && validTo.getTime() - rules.now < expiryWarningMs) {
    return { outcome: 'warning', finding: 'expires-soon', remedy: 'check-certificate', facts };
  }
  return { outcome: 'ok', finding: 'trusted', facts };
}

const remedies: Readonly<Partial<Record<Finding, DoctorRemedy>>> = {
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
