import { lstat, readFile } from 'node:fs/promises';
import { decodeUtf8 } from '../../base/decodeText.ts';
import { getErrorCode } from '../../base/fileErrors.ts';

/** The text of a file, or why it can't be read; `code` is the error code of the system, such as `EACCES`. */
export type TextFile =
  | { readonly text: string }
  | { readonly fault: 'missing' | 'invalid-encoding' }
  | { readonly fault: 'unreadable'; readonly code: string };

/**
 * Reads a file in UTF-8, without a byte-order mark. Never throws. Reads neither symbolic links, which may lead out of a
 * project, nor devices, which may have no end.
 */
export async function readTextFile(path: string): Promise<TextFile> {
  try {
    if (!(await lstat(path)).isFile()) {
      return { fault: 'unreadable', code: 'not a regular file' };
    }
    const text = decodeUtf8(await readFile(path));
    return text === undefined ? { fault: 'invalid-encoding' } : { text };
  } catch (error) {
    const code = getErrorCode(error);
    return code === 'ENOENT' ? { fault: 'missing' } : { fault: 'unreadable', code };
  }
}
