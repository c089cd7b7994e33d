import { createRequestAddress } from '../../client/address.ts';
import { type TransportResponse, TransportFailure } from '../../client/transport.ts';
import { getProblemMessage } from '../../contract/problem.ts';
import { isSessionCheckText } from '../../contract/people.ts';
import type { Examination } from './examination.ts';
import { getFailureCode } from './failures.ts';
import type { DoctorRemedy, StepResult } from './step.ts';

/**
 * Checks that the platform responds at the address. The session check is sent without a token, so that no other server
 * at the address gets one; the platform refuses it with a JSON body.
 */
export async function examineHttp(exam: Examination): Promise<StepResult> {
  const { url, origin } = createRequestAddress(exam.address, 'session.check', {}, { dialect: 'plain' });
  try {
    return judgeAnswer(await exam.withTimeout((signal) => ask(exam, url, signal)), { url, origin });
  } catch (error) {
    exam.signal.throwIfAborted();
    return createFailedResult(error);
  }
}

/** Number of redirects that the client follows within an origin. */
const maxRedirects = 3;

async function ask(exam: Examination, url: string, signal: AbortSignal): Promise<TransportResponse> {
  const transport = await exam.transport();
  let at = url;
  for (let redirects = 0; ; redirects += 1) {
    const response = await transport.send({
      method: 'GET',
      url: at,
      headers: { accept: 'application/json' },
      signal,
    });
    const { status, headers } = response;
    const next = status >= 300 && status < 400 ? URL.parse(headers['location'] ?? '', at) : null;
    if (next === null || next.origin !== new URL(url).origin || redirects === maxRedirects) {
      return response;
    }
    at = next.href;
  }
}

/** Identifies the responding server by its first response. */
export function judgeAnswer(
  { status, headers, text }: TransportResponse,
  { url, origin }: { readonly url: string; readonly origin: string },
): StepResult {
  const words = getProblemMessage(text);
  const facts = { status, ...(words === undefined ? {} : { words }) };
  const failed = (finding: StepResult['finding'], remedy: DoctorRemedy): StepResult => ({
    outcome: 'failed',
    finding,
    remedy,
    facts,
  });
  if (status >= 300 && status < 400) {
    const to = URL.parse(headers['location'] ?? '', url)?.origin;
    return {
      ...failed('sent-elsewhere', 'edit-connection'),
      facts: {
        status,
        ...(to === undefined || to === origin ? { words: headers['location'] ?? '' } : { to }),
      },
    };
  }
  if (status === 407) {
    return failed('proxy-needs-password', 'check-proxy');
  }
  if (status >= 500 || status === 429) {
    return failed('server-error', 'check-server');
  }
  if (/html/i.test(headers['content-type'] ?? '') || /^\s*</.test(text)) {
    return failed('web-page', 'edit-connection');
  }
  if (status === 404) {
    return failed('nothing-there', 'edit-connection');
  }
  // A refusal may have no body or plain text (platform-facts.md, 2.7); a success has the field of the session check.
  if (status === 401 || status === 403 || (status < 300 && isSessionCheckText(text))) {
    return { outcome: 'ok', finding: 'answers', facts: { status } };
  }
  return failed('not-the-platform', 'edit-connection');
}

/** The result if no response arrived. */
function createFailedResult(error: unknown): StepResult {
  const reason = error instanceof TransportFailure ? error.kind : getFailureCode(error);
  if (reason === 'timeout') {
    return { outcome: 'failed', finding: 'timed-out', remedy: 'check-server' };
  }
  const finding = 'exchange-failed';
  return { outcome: 'failed', finding, remedy: remedies[reason] ?? 'check-network', facts: { reason } };
}

const remedies: Readonly<Record<string, DoctorRemedy>> = {
  dns: 'edit-connection',
  refused: 'edit-connection',
  tls: 'add-authority',
  proxy: 'check-proxy',
  reset: 'edit-connection',
};
