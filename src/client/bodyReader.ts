import { type Readable, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { decodeUtf8 } from '../base/decodeText.ts';
import { TransportFailure, type TransportResponse } from './transport.ts';

/** The encodings that {@link readBody} decodes. */
export const acceptedEncodings = 'gzip, deflate, br';

/**
 * Reads a body as UTF-8 up to a limit, which also counts decompressed bytes: neither an endless response nor a small
 * one that decompresses to a large one fills the memory.
 * @param options.declaredLength the `content-length`, if present
 * @throws TransportFailure `too-large`; the stream is closed by then
 */
export async function readBody(
  body: Readable,
  options: {
    readonly limitBytes: number;
    readonly encoding: string | undefined;
    readonly declaredLength: string | undefined;
  },
): Promise<Pick<TransportResponse, 'text' | 'isUtf8' | 'bytes'>> {
  const { limitBytes } = options;
  if (Number(options.declaredLength ?? 0) > limitBytes) {
    destroy(body);
    throw new TransportFailure('too-large', { mayHaveBeenSent: true, limitBytes });
  }
  const decompressed = decompress(body, options.encoding);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of decompressed as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > limitBytes) {
        throw new TransportFailure('too-large', { mayHaveBeenSent: true, limitBytes });
      }
      chunks.push(chunk);
    }
  } finally {
    destroy(body);
  }
  // Most bodies arrive in one piece, which is not copied.
  const [buffer = Buffer.concat(chunks)] = chunks.length === 1 ? chunks : [];
  const text = decodeUtf8(buffer);
  return text === undefined
    ? { text: new TextDecoder().decode(buffer), isUtf8: false, bytes }
    : { text, isUtf8: true, bytes };
}

/** Closes a body that is not read further, and ignores the stream error that this causes. */
function destroy(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}

function decompress(body: Readable, encoding: string | undefined): Readable {
  const decompressor = createDecompressor(encoding);
  if (decompressor === undefined) {
    return body;
  }
  // A failure of either stream reaches the reader through the decompressor.
  pipeline(body, decompressor, () => undefined);
  return decompressor;
}

function createDecompressor(encoding: string | undefined) {
  switch (encoding?.trim().toLowerCase() ?? '') {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
