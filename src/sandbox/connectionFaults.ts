import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BrokenResponse } from './faultResponses.ts';

/** The part of Node's `ServerResponse` that faults use, so that only the listener imports `node:http`. */
export interface OutgoingResponse extends Writable {
  writeHead(status: number, headers: Record<string, string>): unknown;
}

const chunkBytes = 64 * 1024;

/** Applies the connection fault of a response (decisions.md, "Fault switches"). */
export async function breakConnection(response: BrokenResponse, outgoing: OutgoingResponse): Promise<void> {
  const { fault } = response;
  if (fault.kind === 'truncate') {
    await sendTruncated(response, outgoing);
  } else if (fault.kind === 'endless') {
    await sendEndless(fault.bytes ?? Number.POSITIVE_INFINITY, outgoing);
  } else if (fault.kind !== 'hang') {
    outgoing.destroy();
  }
}

/** Sends the full `content-length` but only half of the body, then closes the connection. */
async function sendTruncated(response: Response, outgoing: OutgoingResponse): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  outgoing.writeHead(response.status, {
    'content-type': response.headers.get('content-type') ?? 'application/json',
    'content-length': String(Math.max(body.byteLength, 2)),
  });
  outgoing.write(body.subarray(0, Math.max(1, body.byteLength >> 1)), () => outgoing.destroy());
}

/** Sends a JSON array of numbers until at least `byteCount` bytes are sent or the caller disconnects. */
async function sendEndless(byteCount: number, outgoing: OutgoingResponse): Promise<void> {
  outgoing.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  try {
    await pipeline(generateNumbers(byteCount), outgoing);
  } catch (error) {
    if (!outgoing.destroyed) {
      throw error;
    }
  }
}

function* generateNumbers(byteCount: number): Generator<Uint8Array> {
  const chunk = Buffer.from('0,'.repeat(chunkBytes / 2));
  yield Buffer.from('[');
  for (let sentBytes = 0; sentBytes < byteCount; sentBytes += chunk.byteLength) {
    yield chunk;
  }
  yield Buffer.from('0]');
}
