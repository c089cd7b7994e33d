import { createRequestAddress } from '../../client/requestAddress.ts';
import { type TransportResponse, TransportFailure } from '../../client/transport.ts';
import { getProblemMessage } from '../../contract/problem.ts';
import { isSessionCheckText } from '../../contract/people.ts';
import type { DiagnosisContext } from './diagnosisContext.ts';
import { getFailureCode } from './failureCode.ts';
import type { DoctorRemedy, StepResult } from './diagnosis.ts';

/**
 * Checks that the platform responds at the address. The session check is sent without a token, so that no other server
 * at the address gets one; the platform refuses it, or reports that no one is signed in.
 */
export async function checkHttp(context: DiagnosisContext): Promise<StepResult> {
  const { url, origin } = createRequestAddress(context.address, 'session.check', {}, { dialect: 'plain' });
  try {
    return classifyResponse(await context.withTimeout((signal) => sendSessionCheck(context, url, signal)), {
      url,
      origin,
    });
  } catch (error) {
    context.signal.throwIfAborted();
    return createFailedResult(error);
  }
}

/** Number of redirects that the client follows within an origin. */
const maxRedirects = 3;

async function sendSessionCheck(
  context: DiagnosisContext,
  url: string,
  signal: AbortSignal,
): Promise<TransportResponse> {
  const transport = await context.getTransport();
  let currentUrl = url;
  for (let redirectCount = 0; ; redirectCount += 1) {
    const response = await transport.send({
      method: 'GET',
      url: currentUrl,
      headers: { accept: 'application/json' },
      signal,
    });
    const location = getRedirectLocation(response);
    const redirectTarget = location === undefined ? null : URL.parse(location, currentUrl);
    if (
      redirectTarget === null ||
      redirectTarget.origin !== new URL(url).origin ||
      redirectCount === maxRedirects
    ) {
      return response;
    }
    currentUrl = redirectTarget.href;
  }
}

/** The address that a response redirects to, as received. */
const getRedirectLocation = ({
  status,
  headers,
}: Pick<TransportResponse, 'status' | 'headers'>): string | undefined =>
  status >= 300 && status < 400 ? headers['location'] : undefined;

/** Determines from a response to the session check whether the server is the platform. */
export function classifyResponse(
  { status, headers, text }: TransportResponse,
  { url, origin }: { readonly url: string; readonly origin: string },
): StepResult {
  const serverMessage = getProblemMessage(text);
  const facts = { status, ...(serverMessage === undefined ? {} : { serverMessage }) };
  const createFailure = (finding: StepResult['finding'], remedy: DoctorRemedy): StepResult => ({
    outcome: 'failed',
    finding,
    remedy,
    facts,
  });
  const location = getRedirectLocation({ status, headers });
  if (location !== undefined) {
    const targetOrigin = URL.parse(location, url)?.origin;
    // The target of a redirect within the origin is shown in place of a message.
    return {
      ...createFailure('sent-elsewhere', 'edit-connection'),
      facts: {
        status,
        ...(targetOrigin === undefined || targetOrigin === origin
          ? { serverMessage: location }
          : { targetOrigin }),
      },
    };
  }
  if (status === 407) {
    return createFailure('proxy-needs-password', 'check-proxy');
  }
  if (status >= 500 || status === 429) {
    return createFailure('server-error', 'check-server');
  }
  if (/html/i.test(headers['content-type'] ?? '') || /^\s*</.test(text)) {
    return createFailure('web-page', 'edit-connection');
  }
  if (status === 404) {
    return createFailure('nothing-there', 'edit-connection');
  }
  // A refusal may have no body or plain text (platform-facts.md, 2.7); a success has the field of the session check.
  if (status === 401 || status === 403 || (status < 300 && isSessionCheckText(text))) {
    return { outcome: 'ok', finding: 'answers', facts: { status } };
  }
  return createFailure('not-the-platform', 'edit-connection');
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
