import type { JsonValue } from '../base/json.ts';
import { parseRequestJson } from './validation.ts';
import { HttpProblem, createValidationProblem } from './problem.ts';

/** The largest request body in bytes. The platform's own limit is not documented (rest-api.md, "Limits"). */
export const defaultMaxBodyBytes = 10 * 1024 * 1024;

const createTooLargeProblem = (maxBytes: number): HttpProblem =>
  new HttpProblem(413, 'PayloadTooLarge', 1013, `The body is larger than ${maxBytes} bytes`);

/**
 * Reads the JSON body of a request.
 * @throws HttpProblem 413 above `maxBytes`, 400 for an empty body or malformed JSON.
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<JsonValue> {
  const text = await readText(request, maxBytes).catch((error: unknown) => {
    // Any other error means that the caller disconnected while it sent the body.
    throw error instanceof HttpProblem ? error : createValidationProblem('The body is incomplete');
  });
  if (text.trim() === '') {
    throw createValidationProblem('The request needs a JSON body');
  }
  return parseRequestJson(text, 'The body');
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const contentLength = request.headers.get('content-length');
  if (contentLength !== null) {
    if (Number(contentLength) > maxBytes) {
      throw createTooLargeProblem(maxBytes);
    }
    return await request.text();
  }
  if (request.body === null) {
    return '';
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // At run time the stream is async iterable; the DOM's type does not declare it yet.
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw createTooLargeProblem(maxBytes);
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
